// Where the game of a review comes from: a game of this browser or of the server, or a record in the address.

import { currentPerson, hasServer } from '../api.ts'
import { hostOf, replayRecord } from '../hosts.ts'
import { isLocal } from '../local/host.svelte.ts'
import type { Replay } from '../types.ts'
import { t } from '../words.svelte.ts'
import { unpack } from './share.ts'

export interface Source {
  record: string
  replay: Replay
}

/** Why a game cannot be reviewed, in words for the player; with the game, if it still runs. */
export class Refused extends Error {
  readonly game: string | null

  constructor(message: string, game: string | null = null) {
    super(message)
    this.game = game
  }
}

/** A game by its id. It has to be over. */
export async function sourceOfGame(id: string): Promise<Source> {
  const host = hostOf(id)
  await refuseRunning(id)
  const [record, replay] = await Promise.all([host.record(id, 'text'), host.replay(id)])
  return checked({ record, replay })
}

/** A record that was pasted, uploaded or sent. */
export async function sourceOfRecord(record: string): Promise<Source> {
  const replay = await replayRecord(record).catch((failure: Error) => {
    throw new Refused(t('review.bad', { message: failure.message }))
  })
  // A record of a game on this server may be one that its players have not finished.
  const id = replay.tags.find(([name]) => name === 'Game')?.[1]
  if (id && hasServer && !isLocal(id) && (await currentPerson().catch(() => null))) {
    await refuseRunning(id).catch((failure) => {
      // Any other failure says nothing about the record: the game may be of another server.
      if (failure instanceof Refused) throw failure
    })
  }
  return checked({ record, replay })
}

/** The record in the fragment of a link. */
export async function sourceOfLink(packed: string): Promise<Source> {
  const record = await unpack(packed)
  if (record === null) throw new Refused(t('review.badLink'))
  return sourceOfRecord(record)
}

/** Players must not ask the engine about a game that they are playing. */
async function refuseRunning(id: string): Promise<void> {
  const { status, your_seats } = await hostOf(id).state(id)
  if (status === 'over') return
  throw new Refused(t(your_seats.length > 0 ? 'review.runningOwn' : 'review.running'), id)
}

function checked(source: Source): Source {
  if (source.replay.steps.every(({ move }) => move == null)) throw new Refused(t('review.noMoves'))
  return source
}
