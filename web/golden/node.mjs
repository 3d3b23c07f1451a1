// node golden/node.mjs GOLDEN.jsonl: compares the module in web/module with the native program.
import { readFileSync } from 'node:fs'
import { compare } from './compare.mjs'

const folder = new URL('../module/', import.meta.url)
const module = await import(new URL('azulejo.js', folder))
module.initSync({ module: readFileSync(new URL('azulejo_bg.wasm', folder)) })
const network = readFileSync(new URL('azulejo.net', folder))
const lines = readFileSync(process.argv[2], 'utf8').trim().split('\n').map((line) => JSON.parse(line))
const { searches, games, calls, speed } = compare(module, network, lines)
if (searches < 1000 || games < 12) throw new Error(`only ${searches} searches and ${games} games`)
const percent = speed.map((ratio) => `${Math.round(100 * ratio)} %`)
console.log(`the module agrees with the native program in ${searches} searches and ${calls} calls of ${games} games`)
console.log(`speed compared with native, 2, 3 and 4 players: ${percent.join(', ')}`)
