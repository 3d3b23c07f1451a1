// The solver of puzzles, kept in this browser: a rating (Glicko-2), a streak, the puzzles that were tried and the days
// of the daily puzzle. The first answer to a puzzle counts.

import { rate, type Rating } from '../rating.ts'
import { load, save } from '../storage.ts'
import type { Puzzle } from './types.ts'

const KEY = 'azulejo.puzzles'
/** The oldest ones may come again. */
const MAX_TRIED = 3_000
/** The ratings of puzzles follow from how hard they are for a search. */
const PUZZLE_DEVIATION = 60
const NEW_RATING = 1_500

interface Kept {
  rating: Rating | null
  streak: number
  bestStreak: number
  nSolved: number
  /** Ids, the last tried at the end. */
  tried: string[]
  /** The day of the last daily puzzle that was solved, and how many days in a row it was. */
  day: number
  days: number
}

const NOBODY: Kept = { rating: null, streak: 0, bestStreak: 0, nSolved: 0, tried: [], day: 0, days: 0 }

/** Days since 1970-01-01 (UTC). */
export const today = () => Math.floor(Date.now() / 86_400_000)

export class Solver {
  #kept = $state.raw<Kept>({ ...NOBODY, ...load<Partial<Kept>>(KEY, {}) })

  get rating(): Rating | null {
    return this.#kept.rating
  }
  get streak(): number {
    return this.#kept.streak
  }
  get bestStreak(): number {
    return this.#kept.bestStreak
  }
  get nSolved(): number {
    return this.#kept.nSolved
  }
  /** Days in a row on which the daily puzzle was solved; a day that was missed ends them. */
  get days(): number {
    return today() - this.#kept.day <= 1 ? this.#kept.days : 0
  }
  get hasToday(): boolean {
    return this.#kept.day === today()
  }
  /** The rating of puzzles to begin with. */
  get level(): number {
    return this.#kept.rating?.rating ?? NEW_RATING
  }

  hasTried = (id: string) => this.#kept.tried.includes(id)

  /** Notes the result of a puzzle. Only the first one changes the rating and the streak. */
  async note(puzzle: Puzzle, isSolved: boolean, isDaily: boolean): Promise<void> {
    const kept = this.#kept
    const next = { ...kept }
    if (isDaily && isSolved && kept.day !== today()) {
      next.days = this.days + 1
      next.day = today()
    }
    if (!this.hasTried(puzzle.id)) {
      next.tried = [...kept.tried, puzzle.id].slice(-MAX_TRIED)
      next.streak = isSolved ? kept.streak + 1 : 0
      next.bestStreak = Math.max(kept.bestStreak, next.streak)
      next.nSolved = kept.nSolved + (isSolved ? 1 : 0)
      this.#keep(next)
      const rating = await rate(kept.rating, { rating: puzzle.rating, deviation: PUZZLE_DEVIATION, outcome: isSolved ? 'win' : 'loss' })
      this.#keep({ ...this.#kept, rating })
    } else this.#keep(next)
  }

  #keep(kept: Kept): void {
    this.#kept = kept
    save(KEY, kept)
  }
}
