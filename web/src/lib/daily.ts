// The daily deal: one game a day with the same tiles and the same opponent for everybody. What it is made of is in
// Rust; here are the date, the player's own games, and the text to share.

import { currentPerson, myGames } from './api.ts'
import { createGame } from './hosts.ts'
import { local } from './local/host.svelte.ts'
import { levelName, options } from './options.svelte.ts'
import { at, go } from './router.svelte.ts'
import type { Game, Summary } from './types.ts'
import { t } from './words.svelte.ts'

const DAY_MS = 86_400_000

/** The date in UTC. */
export const today = (now_ms = Date.now()) => new Date(now_ms).toISOString().slice(0, 10)

/** The time until the next deal, in hours and minutes. */
export function untilNext(now_ms = Date.now()): string {
  const minutes = Math.ceil((DAY_MS - (now_ms % DAY_MS)) / 60_000)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The player's daily deals, one for each date, the newest date first. */
export async function myDeals(): Promise<Summary[]> {
  const here = await local.games().then(({ games }) => games, () => [])
  // Without a connection there are still the games of this device.
  const online = await currentPerson().then((person) => (person ? myGames() : { games: [] })).then(({ games }) => games, () => [])
  // The first game of a date counts.
  const first = new Map<string, Summary>()
  for (const game of [...here, ...online].sort((a, b) => a.created_ms - b.created_ms)) {
    if (game.daily && !first.has(game.daily)) first.set(game.daily, game)
  }
  return [...first.values()].sort((a, b) => (a.daily ?? '').localeCompare(b.daily ?? '')).reverse()
}

/** Opens the deal of a date: the player's game, or a new one. */
export async function playDeal(date: string): Promise<void> {
  const mine = (await myDeals()).find((game) => game.daily === date)
  const seats = () => [{ kind: 'me' as const }, { kind: 'engine' as const, level: options().daily_level }]
  const game = mine ?? (await createGame({ seats: seats(), daily: date })).game
  go(`/game/${game.id}`)
}

/** The number of days in a row with a finished deal, up to today or yesterday. */
export function streak(deals: Summary[], now_ms = Date.now()): number {
  const done = new Set(deals.filter(({ result }) => result).map(({ daily }) => daily))
  let day_ms = done.has(today(now_ms)) ? now_ms : now_ms - DAY_MS
  let n = 0
  for (; done.has(today(day_ms)); day_ms -= DAY_MS) n += 1
  return n
}

/** How a deal went for the person, who has seat 1. */
export function outcome({ result }: Pick<Summary, 'result'>): 'Won' | 'Lost' | 'Tied' | null {
  if (!result || result.winners.length === 0) return null
  return result.winners.length > 1 ? 'Tied' : result.winners[0] === 1 ? 'Won' : 'Lost'
}

export const score = ({ result }: Pick<Summary, 'result'>) => result?.scores.join('–') ?? ''

/** A result to share. The squares are the spaces filled on the wall, whatever their color: no tile is named. */
export function shareText(game: Game): string {
  const level = options().daily_level
  const squares = (game.position.boards[0]?.wall ?? []).map((row) => [...row].map((tile) => (tile === '.' ? '⬜' : '🟦')).join(''))
  const how = outcome(game)
  return [
    t('daily.shareTitle', { date: game.daily ?? '' }),
    ...(how ? [t(`daily.share${how}`, { score: score(game), name: levelName(level), level })] : []),
    ...squares,
    `v${options().version} · ${location.origin}${at('/daily')}`,
  ].join('\n')
}
