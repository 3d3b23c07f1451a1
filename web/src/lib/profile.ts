// A player's games as the profile shows them: results, filters, and statistics over time. Pure functions over
// the lists of games that the hosts give.

import type { RatedResult } from './rating.ts'
import { LEVEL_DEVIATION } from './rating.ts'
import type { Summary } from './types.ts'

export type Outcome = RatedResult['outcome']

export interface Played {
  id: string
  /** When the last move was made, in milliseconds since 1970. */
  at_ms: number
  names: string[]
  /** The level of the engine in a game of two; null in any other game. */
  level: number | null
  isOver: boolean
  isMyTurn: boolean
  /** How it ended for the player; null if it did not, or if several seats are the player's. */
  outcome: Outcome | null
  /** The seat of the player; null without one, or with several. */
  seat: number | null
  scores: number[]
  isLocal: boolean
}

/** A game of a list, seen by the player who asked for it. */
export function played(game: Summary, names: string[], isLocal: boolean): Played {
  const mine = game.your_seats ?? []
  const seat = mine.length === 1 ? (mine[0] ?? null) : null
  const winners = game.result?.winners ?? []
  const opponent = game.seats.length === 2 ? game.seats.find((one) => one.seat !== seat) : undefined
  const outcome = (): Outcome | null => {
    if (seat === null || winners.length === 0) return null
    if (!winners.includes(seat)) return 'loss'
    return winners.length > 1 ? 'draw' : 'win'
  }
  return {
    id: game.id,
    at_ms: game.updated_ms,
    names,
    level: (seat !== null && opponent?.level) || null,
    isOver: game.status === 'over',
    isMyTurn: game.status === 'playing' && game.turn != null && mine.includes(game.turn),
    outcome: outcome(),
    seat,
    scores: game.scores,
    isLocal,
  }
}

export interface Filter {
  text: string
  outcome: 'all' | Outcome | 'running'
  where: 'all' | 'local' | 'server'
}

/** The games that a filter lets through. Every word of the text must be in a name. */
export function filtered(games: Played[], { text, outcome, where }: Filter): Played[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return games.filter((game) => {
    const names = game.names.join(' ').toLowerCase()
    if (!words.every((word) => names.includes(word))) return false
    if (where !== 'all' && game.isLocal !== (where === 'local')) return false
    if (outcome === 'all') return true
    return outcome === 'running' ? !game.isOver : game.outcome === outcome
  })
}

/** The games that count for the rating: ended, of two, against a level; the oldest first. */
export const ratedGames = (games: Played[]) =>
  games.filter((game) => game.outcome !== null && game.level !== null).sort((a, b) => a.at_ms - b.at_ms)

/** Each rated game as a rating period, given the rating of each level. */
export function ratingPeriods(games: Played[], levelRating: (level: number) => number | undefined): RatedResult[][] {
  return games.map(({ level, outcome }) => {
    const rating = levelRating(level ?? 0)
    return rating === undefined || outcome === null ? [] : [{ rating, deviation: LEVEL_DEVIATION, outcome }]
  })
}

export interface LevelRecord {
  level: number
  n: number
  /** The share of points: a win counts 1, a draw a half. */
  share: number
}

/** The results against each level that was played, the weakest first. */
export function byLevel(games: Played[]): LevelRecord[] {
  const records = new Map<number, LevelRecord>()
  for (const { level, outcome } of ratedGames(games)) {
    const record = records.get(level!) ?? { level: level!, n: 0, share: 0 }
    const points = record.share * record.n + (outcome === 'win' ? 1 : outcome === 'draw' ? 0.5 : 0)
    records.set(level!, { level: level!, n: record.n + 1, share: points / (record.n + 1) })
  }
  return [...records.values()].sort((a, b) => a.level - b.level)
}

/** Averages over the last `window` values, one for each value. */
export function movingAverage(values: number[], window: number): number[] {
  return values.map((_, i) => {
    const part = values.slice(Math.max(0, i - window + 1), i + 1)
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}
