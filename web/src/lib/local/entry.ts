// The stored form of a local game, in all its versions. Entries are read years after they were written, so an
// old version is brought up to date here, and nothing else knows about it.
//
// Version 1 had the game alone. Version 2 has a summary beside it, so that a list of games need not open them.

import { LocalGame } from 'virtual:module'
import type { Summary } from '../types.ts'
import { Refusal } from './answers.ts'
import type { Stored } from './keep.ts'

export const VERSION = 2

export interface Entry extends Stored {
  version: typeof VERSION
  summary: Summary
  /** What `LocalGame.open` reads. */
  game: string
}

/** The entry of a game as it is now. */
export function entryOf(game: LocalGame): Entry {
  const summary: Summary = JSON.parse(game.summary())
  return { version: VERSION, id: summary.id, number: summary.number, summary, game: game.stored() }
}

/** Reads an entry of any version, and returns one of this version as it is; fails if it is damaged or newer than this program. */
export function readEntry(stored: unknown): Entry {
  if (typeof stored !== 'object' || stored === null) throw damaged('it is not an object')
  const { version, id, game } = stored as Record<keyof Entry, unknown>
  if (typeof version === 'number' && version > VERSION) {
    throw new Refusal('later_version', 'this game was stored by a later version; reload the page')
  }
  if (typeof id !== 'string' || typeof game !== 'string') throw damaged('the game is missing')
  const entry = version === 1 ? using(game, entryOf) : (stored as Entry)
  const { summary, number } = entry
  const isWhole = summary?.id === id && Array.isArray(summary.seats) && number === summary.number
  if (!isWhole || entry.version !== VERSION) throw damaged('its summary is wrong')
  return entry
}

/** Opens a game for one use. */
export function using<T>(stored: string, use: (game: LocalGame) => T): T {
  const game = LocalGame.open(stored)
  try {
    return use(game)
  } finally {
    game.free()
  }
}

const damaged = (why: string) => new Refusal('damaged', `this game cannot be read: ${why}`)
