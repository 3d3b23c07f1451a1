// The moments of a reviewed game, in the order of its scrubber: one for each deal and each decision, and the end. A
// decision is shown before it is made, so that what was played and what was better can be drawn on the table.

import type { Position, Replay } from '../types.ts'
import type { DealLuck, Decision, Review } from './types.ts'

export const LOOKS = ['seat0', 'seat1', 'seat2', 'seat3'] as const

export interface Moment {
  /** What is on the table. */
  position: Position
  round: number
  /** The index of the step in the replay. */
  step: number
  /** The move that is decided, and its index among the moves. */
  move: string | null
  ply: number
  /** The judgement, once it is known. */
  decision: Decision | null
  /** The luck of the deal, and its index among the deals. */
  deal: DealLuck | null
  dealIndex: number
  /** By seat, the win chances after it; they add up to 1. */
  shares: number[] | null
}

export function momentsOf({ start, steps }: Replay, review: Review | null): Moment[] {
  let [ply, dealIndex] = [0, 0]
  const moments = steps.map((one, step): Moment => {
    const common = { round: one.round, step }
    if (one.move == null) {
      const deal = review?.deals[dealIndex] ?? null
      return { ...common, position: one.position, move: null, ply, decision: null, deal, dealIndex: dealIndex++, shares: deal && whole(deal.after) }
    }
    const decision = review?.decisions[ply] ?? null
    const position = steps[step - 1]?.position ?? start
    return { ...common, position, move: one.move, ply: ply++, decision, deal: null, dealIndex, shares: decision && whole(decision.after) }
  })
  const last = steps.at(-1)?.position ?? start
  const isDone = review !== null && review.n_done === review.n_steps
  const end = { position: last, round: last.round, step: steps.length, move: null, ply, decision: null, deal: null, dealIndex }
  return [...moments, { ...end, shares: isDone ? whole(review.result) : null }]
}

/** Corrected by samples, chances may leave their range a little. */
function whole(chances: number[]): number[] {
  const shares = chances.map((chance) => Math.min(1, Math.max(0, chance)))
  const sum = shares.reduce((sum, share) => sum + share, 0) || 1
  return shares.map((share) => share / sum)
}
