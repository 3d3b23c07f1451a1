// node golden/node.mjs GOLDEN.jsonl: compares the module in web/module with the native program.
import { readFileSync } from 'node:fs'
import { compare } from './compare.mjs'

const folder = new URL('../module/', import.meta.url)
const module = await import(new URL('azulejo.js', folder))
module.initSync({ module: readFileSync(new URL('azulejo_bg.wasm', folder)) })
const network = readFileSync(new URL('azulejo.net', folder))
const lines = readFileSync(process.argv[2], 'utf8').trim().split('\n').map((line) => JSON.parse(line))
console.log(`the module agrees with the native program in ${compare(module, network, lines)}`)
