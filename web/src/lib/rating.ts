// Ratings (Glicko-2) against levels and puzzles, computed by the module.

import { local } from './local/host.svelte.ts'

export interface Rating {
  rating: number
  /** The true rating is within two deviations with a probability of 95 %. */
  deviation: number
  volatility: number
}

/** The result of a game or a puzzle, with the rating of the opponent or the puzzle. */
export interface RatedResult {
  rating: number
  deviation: number
  outcome: 'win' | 'draw' | 'loss'
}

/** The deviation of the ratings of levels, which come from matches. */
export const LEVEL_DEVIATION = 50

/** A rating that is less certain than this is shown with a question mark. */
export const PROVISIONAL_DEVIATION = 110

/** The rating after one result; `null` is the rating of a new player. */
export async function rate(player: Rating | null, result: RatedResult): Promise<Rating> {
  const [rating] = await local.rate(player, [[result]])
  return rating!
}

/** A rating in words, such as `1420 ± 130`. */
export const ratingInWords = ({ rating, deviation }: Rating) =>
  `${Math.round(rating)}${deviation > PROVISIONAL_DEVIATION ? '?' : ''} ± ${Math.round(2 * deviation)}`
