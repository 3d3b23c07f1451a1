// Sentences about a review. The English ones come with the review, from the same code as those of the terminal and
// the command line; another language makes its own from the numbers.

import { reviewWords } from '../words.svelte.ts'
import type { DealLuck, Decision, Review } from './types.ts'

type Name = (seat: number) => string

export interface ReviewWords {
  decision(decision: Decision, name: Name): string[]
  deal(deal: DealLuck, name: Name): string
}

/** The sentences about a move of the game. */
export function decisionInWords(review: Review, ply: number, name: Name): string[] {
  const decision = review.decisions[ply]
  if (!decision) return []
  return reviewWords()?.decision(decision, name) ?? review.words.moves[ply] ?? []
}

/** The sentence about a deal. */
export function dealInWords(review: Review, index: number, name: Name): string {
  const deal = review.deals[index]
  if (!deal) return ''
  return reviewWords()?.deal(deal, name) ?? review.words.deals[index] ?? ''
}

/** A share in percent, without its sign. */
export const percent = (share: number, digits = 0) => (100 * Math.min(1, Math.max(0, share))).toFixed(digits)

/** A change in percentage points, with its sign. */
export const change = (share: number, digits = 0) => {
  const n = Number((100 * share).toFixed(digits))
  return n > 0 ? `+${n.toFixed(digits)}` : n < 0 ? `−${(-n).toFixed(digits)}` : `±${(0).toFixed(digits)}`
}

export const SIGNS = { brilliant: '!!', best: '', good: '', inaccuracy: '?!', mistake: '?', blunder: '??' } as const
