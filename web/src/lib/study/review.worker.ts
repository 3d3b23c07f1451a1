// The thread of a review. It makes one step after the other and hears messages between two steps, so that a
// review can be paused and continued without losing anything.

import { init, Reviewer } from 'virtual:module'
import { errorOf } from '../local/answers.ts'
import type { ServerError } from '../types.ts'
import type { Budget, Judged, Review } from './types.ts'

export type ToReviewer =
  | { type: 'start'; module: WebAssembly.Module; network: Uint8Array; record: string; budget: Budget; budgets: Budget[] }
  | { type: 'pause' | 'resume' }
  | { type: 'judge'; position: string; move: string }

export type FromReviewer =
  | { type: 'review'; budget: Budget; review: Review }
  | { type: 'judged'; judged: Judged }
  | { type: 'failed'; error: ServerError }

/** A quick review makes many steps a second; the page need not draw them all. */
const MIN_PAUSE_MS = 80

let isRunning = true
let wake = () => {}
/** The review under way, which also judges moves that are tried again. */
let current: Reviewer
let started: Promise<void>

const send = (message: FromReviewer) => postMessage(message)
const nextTurn = () => new Promise<void>((over) => setTimeout(over))

addEventListener('message', ({ data }: MessageEvent<ToReviewer>) => {
  if (data.type === 'start') {
    started = start(data)
    void started.then(() => run(data)).catch((thrown) => send({ type: 'failed', error: errorOf(thrown) }))
  } else if (data.type === 'judge') void started.then(() => judge(data.position, data.move))
  else {
    isRunning = data.type === 'resume'
    wake()
  }
})

type Start = Extract<ToReviewer, { type: 'start' }>

async function start({ module, network, record, budget, budgets }: Start): Promise<void> {
  await init!({ module_or_path: module })
  current = new Reviewer(network, record, budgets[0] ?? budget)
}

/** Reviews with one budget after the other, the smallest first. */
async function run({ network, record, budgets }: Start): Promise<void> {
  for (const [i, budget] of budgets.entries()) {
    if (i > 0) {
      current.free()
      current = new Reviewer(network, record, budget)
    }
    const reviewer = current
    const show = () => send({ type: 'review', budget, review: JSON.parse(reviewer.review()) })
    let shown = 0
    while (reviewer.step()) {
      if (performance.now() - shown > MIN_PAUSE_MS) {
        show()
        shown = performance.now()
      }
      await nextTurn()
      while (!isRunning) await new Promise<void>((again) => (wake = again))
    }
    show()
  }
}

function judge(position: string, move: string): void {
  try {
    send({ type: 'judged', judged: JSON.parse(current.judge(position, move)) })
  } catch (thrown) {
    send({ type: 'failed', error: errorOf(thrown) })
  }
}
