// Who answers for a game: a server (`remote`), or the module in this browser (`local`). Both speak the same
// JSON, so that sessions and pages do not care which one it is.

import type { Created, Game, Hint, NewGame, Replay, ServerError, ToClient, ToServer } from './types.ts'
import { tMaybe } from './words.svelte.ts'

/** `slow`: open, but a command has waited for its answer for more than 2 s. `following`: another tab plays. */
export type Connection = 'connecting' | 'open' | 'slow' | 'lost' | 'following'

/** The client's side of a connection. */
export interface Client {
  /** The number of the last event that the client has seen. */
  readonly number: number
  /** When the last unanswered command was sent, or null if all are answered. */
  readonly pendingSince_ms: number | null
  onmessage(message: ToClient): void
  onconnection(connection: Connection): void
}

/** The host's side of a connection. */
export interface Wire {
  send(message: ToServer): void
  /** Takes the game over from another tab. */
  takeOver(): void
  close(): void
}

export interface Host {
  /** The state of a game; fails if there is no such game. */
  state(id: string): Promise<Game>
  connect(id: string, client: Client): Wire
  create(game: NewGame): Promise<Created>
  rematch(id: string): Promise<Created>
  hint(id: string): Promise<Hint>
  evaluation(id: string): Promise<Hint>
  replay(id: string): Promise<Replay>
  replayRecord(text: string): Promise<Replay>
  /** The record of a game as a file. */
  record(id: string, format: 'text' | 'json'): Promise<string>
}

/** A host refused a request or could not be reached; the message is for the player. */
export class Failure extends Error {
  readonly code: string

  constructor({ code, message }: ServerError) {
    super(tMaybe(`error.${code}`) ?? message)
    this.code = code
  }
}
