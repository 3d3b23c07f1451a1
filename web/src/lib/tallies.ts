// Where the points of the player's games came from. A tally needs the replay of its game, so it is made once
// and kept in this browser; those of games on a server are made from their records.

import { remote } from './api.ts'
import { local } from './local/host.svelte.ts'
import type { Played } from './profile.ts'
import { statistics } from './statistics.ts'
import { load, save } from './storage.ts'

export interface Tally {
  score: number
  /** Points lost for the floor. */
  lost: number
  bonuses: number
}

const KEY = 'azulejo.tallies'
/** The latest games that are tallied. */
const MAX_TALLIES = 60

const kept: Record<string, Tally> = load(KEY, {})

async function tally({ id, seat, isLocal }: Played): Promise<Tally | null> {
  const replay = isLocal ? await local.replay(id) : await local.replayRecord(await remote.record(id, 'text'))
  const mine = statistics(replay)[(seat ?? 1) - 1]
  const end = replay.steps.at(-1)?.position.boards[(seat ?? 1) - 1]
  const start = replay.start.boards[(seat ?? 1) - 1]
  if (!mine || !end || !start) return null
  return { score: end.score, lost: mine.lost, bonuses: end.score - start.score - mine.placed + mine.lost }
}

/** Makes the tallies of the latest games one by one, and tells each; the oldest first. */
export async function tallyAll(games: Played[], ontally: (tallies: Tally[]) => void): Promise<void> {
  const latest = games.filter(({ outcome }) => outcome !== null).sort((a, b) => b.at_ms - a.at_ms).slice(0, MAX_TALLIES).reverse()
  const found: Tally[] = []
  for (const game of latest) {
    const known = kept[game.id] ?? (await tally(game).catch(() => null))
    if (!known) continue
    kept[game.id] = known
    found.push(known)
    ontally([...found])
  }
  save(KEY, Object.fromEntries(latest.flatMap(({ id }) => (kept[id] ? [[id, kept[id]]] : []))))
}
