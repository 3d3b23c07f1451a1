// The engine's lines for a position, deeper and deeper, and the values after sampled deals, more and more of them. A
// new position ends the search of the one before it.

import { local } from '../local/host.svelte.ts'
import type { Hint, Position } from '../types.ts'
import type { Deals } from './types.ts'

/** Milliseconds of one search after the other; the engine remembers what it found. */
const TIMES = [150, 500, 1_500, 4_000, 8_000]
/** How many deals are sampled. */
const SAMPLES = [8, 32, 128]

export class Lines {
  hint = $state.raw<Hint | null>(null)
  deals = $state.raw<Deals | null>(null)
  isRunning = $state(false)
  problem = $state('')
  #number = 0

  /** Looks at a position. Between rounds there are no moves to compare, only deals. */
  async look({ position, phase }: Position, wantsDeals: boolean): Promise<void> {
    const number = ++this.#number
    const isOld = () => number !== this.#number
    this.hint = null
    this.deals = null
    this.problem = ''
    const isPlayed = phase === 'draft' || phase === 'tiling'
    this.isRunning = isPlayed || (phase === 'deal' && wantsDeals)
    try {
      for (const ms of isPlayed ? TIMES : []) {
        const hint = await local.lines(position, ms)
        if (isOld() || !hint) return
        this.hint = hint
        if (hint.exact || hint.proved) break
      }
      for (const n of phase === 'deal' && wantsDeals ? SAMPLES : []) {
        const deals = await local.deals(position, n)
        if (isOld() || !deals) return
        this.deals = deals
      }
    } catch (failure) {
      if (!isOld()) this.problem = (failure as Error).message
    }
    if (!isOld()) this.isRunning = false
  }

  stop(): void {
    this.#number += 1
    this.hint = null
    this.deals = null
    this.isRunning = false
    void local.stopStudy().catch(() => {})
  }
}
