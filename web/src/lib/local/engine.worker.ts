// The engine's thread: it searches one task after the other. It hears nothing during a search; whoever wants
// to stop it ends the worker.

import { init, Searcher } from 'virtual:module'

/** What the engine needs, then tasks. */
export type ToEngine = { module: WebAssembly.Module; network: Uint8Array } | { ref: number; task: string }
/** What was found, or why nothing was. */
export type FromEngine = { ref: number; answer: string } | { ref: number; problem: string }

const HASH_MB = 16

let loaded: (searcher: Promise<Searcher>) => void
const loading = new Promise<Searcher>((resolve) => (loaded = resolve))

addEventListener('message', async ({ data }: MessageEvent<ToEngine>) => {
  if ('module' in data) {
    loaded(init!({ module_or_path: data.module }).then(() => new Searcher(data.network, HASH_MB)))
    return
  }
  const { ref, task } = data
  try {
    const answer = (await loading).search(task)
    postMessage({ ref, answer } satisfies FromEngine)
  } catch (thrown) {
    postMessage({ ref, problem: String(thrown) } satisfies FromEngine)
  }
})
