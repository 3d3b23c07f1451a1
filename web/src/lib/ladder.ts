// The level follows the player: after three losses in a row against a level the next lower one is offered,
// after three wins the next higher one. The results are kept in this browser.

import { load, save } from './storage.ts'

interface Result {
  game: string
  level: number
  won: boolean
}

const KEY = 'azulejo.ladder'
const IN_A_ROW = 3
const MAX_KEPT = 30

const results = () => load<Result[]>(KEY, [])

/** Notes the result of a game against the engine; a game counts once. */
export function noteResult(game: string, level: number, won: boolean): void {
  if (!results().some((result) => result.game === game)) save(KEY, [...results(), { game, level, won }].slice(-MAX_KEPT))
}

/** The level to offer next, or null if the player should stay. */
export function offeredLevel(level: number, n_levels: number): number | null {
  const last = results().slice(-IN_A_ROW)
  if (last.length < IN_A_ROW || last.some((result) => result.level !== level || result.won !== last[0]?.won)) return null
  const next = level + (last[0]?.won ? 1 : -1)
  return next >= 1 && next <= n_levels ? next : null
}
