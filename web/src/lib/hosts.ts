// Which host answers: the module in this browser for everything that one device can do, the server for other
// people, and for everything if the module is missing.

import { ensurePerson, hasServer, remote } from './api.ts'
import { Failure, type Host } from './host.ts'
import { rememberLesson } from './lessons.ts'
import { isLocal, local } from './local/host.svelte.ts'
import { settings } from './settings.svelte.ts'
import { notePlayed } from './storage.ts'
import type { Created, NewGame, Position, Replay } from './types.ts'

/** The host of an existing game. */
export const hostOf = (id: string): Host => (isLocal(id) || !hasServer ? local : remote)

const isOnline = ({ seats, listed }: NewGame) => listed || seats.some(({ kind }) => kind === 'open')

/** Creates a game in this browser if nobody else is invited. */
export async function createGame(game: NewGame): Promise<Created> {
  notePlayed()
  if (!isOnline(game) && (await local.isReady())) {
    const name = settings.name || undefined
    const seats = game.seats.map((seat) => (seat.kind === 'me' ? { name, ...seat } : seat))
    return local.create({ ...game, seats })
  }
  needServer()
  await ensurePerson(settings.name || undefined)
  return remote.create(game)
}

/** Creates the game of a lesson, which no list shows. */
export async function createLesson(game: NewGame): Promise<Created> {
  if (await local.isReady()) return local.create(game, false)
  needServer()
  const created = await remote.create(game)
  rememberLesson(created.game.id)
  return created
}

/** The replay of a pasted record. */
export async function replayRecord(text: string): Promise<Replay> {
  if (await local.isReady()) return local.replayRecord(text)
  needServer()
  return remote.replayRecord(text)
}

/** The positions after each step of a move, from the module; none as long as it is not there. */
export const afterEachStep = async (before: Position, move: string): Promise<Position[]> =>
  local.status === 'ready' ? local.afterEachStep(before.position, move).catch(() => []) : []

function needServer(): void {
  if (!hasServer) throw new Failure({ code: 'no_module', message: 'this browser cannot run the game' })
}
