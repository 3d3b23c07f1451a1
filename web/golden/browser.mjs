// Compares the module in web/module with the native program in a browser; `e2e/golden.e2e.ts` serves the files.
import * as golden from './compare.mjs'

const module = await import('/module/azulejo.js')
await module.default({ module_or_path: '/module/azulejo_bg.wasm' })
const network = new Uint8Array(await (await fetch('/module/azulejo.net')).arrayBuffer())
const lines = (await (await fetch('/golden.jsonl')).text()).trim().split('\n').map((line) => JSON.parse(line))
export const compare = () => golden.compare(module, network, lines)
export const times = (searches) => golden.times(module, network, searches)
