// A live game as its messages describe it, whoever sends them: the newest state, the number of the last
// event, the commands without an answer. A pending move is resent after a gap with the same id, so that it is
// played once.

import type { Client, Connection, Host, Wire } from './host.ts'
import { merge } from './merge.ts'
import type { Command, Game, ServerError, ToClient } from './types.ts'

/** An event of the game's log, with what it changed; without the game while catching up. */
export type Update = Extract<ToClient, { type: 'event' }>

export interface Listener {
  /** The whole state, at the start and after a gap. */
  onstate(game: Game): void
  onupdate(update: Update): void
  onerror(error: ServerError): void
}

export class Live implements Client {
  connection = $state<Connection>('connecting')
  presence = $state.raw<Game['presence']>({ seats: [], watchers: 0 })
  /** The host's clock minus ours, in milliseconds. */
  skew_ms = $state(0)
  number = 0

  readonly #listener: Listener
  readonly #wire: Wire
  /** The last game, into which patches are merged; null while missed events come without it. */
  #game: Game | null = null
  #sent_ms = 0
  #pending = new Map<string, Command>()
  #nextRef = 1

  constructor(host: Host, id: string, listener: Listener) {
    this.#listener = listener
    this.#wire = host.connect(id, this)
  }

  /** Whether the host has not answered a command yet. */
  get hasPending(): boolean {
    return this.#pending.size > 0
  }

  get pendingSince_ms(): number | null {
    return this.hasPending ? this.#sent_ms : null
  }

  close(): void {
    this.#wire.close()
  }

  takeOver(): void {
    this.#wire.takeOver()
  }

  /** Plays a move. Its id makes the host play it once even if it is sent several times. */
  play(move: string, seat: number): void {
    const id = crypto.getRandomValues(new Uint32Array(3)).join('-')
    this.send({ type: 'move', move, id, seat, after: this.number })
  }

  send(command: Command): void {
    const ref = String(this.#nextRef++)
    this.#pending.set(ref, command)
    this.#sent_ms = Date.now()
    this.#wire.send({ type: 'command', ref, command })
  }

  onconnection(connection: Connection): void {
    if (this.connection === 'lost' && connection === 'open') this.#sent_ms = Date.now()
    this.connection = connection
  }

  onmessage(message: ToClient): void {
    switch (message.type) {
      case 'state':
        this.number = message.game.number
        this.#game = message.game
        this.presence = message.game.presence
        this.skew_ms = message.game.clock.now_ms - Date.now()
        this.#listener.onstate(message.game)
        this.#resend()
        break
      case 'event':
        if (message.number <= this.number) break
        if (message.number > this.number + 1) {
          this.#wire.send({ type: 'resync' })
          break
        }
        this.number = message.number
        // Missed events come without the game, and the state follows.
        this.#game = null
        this.#listener.onupdate(message)
        break
      case 'patch': {
        if (message.number <= this.number) break
        if (message.number > this.number + 1 || !this.#game) {
          this.#wire.send({ type: 'resync' })
          break
        }
        const { number, at_ms, event } = message
        const game = merge(this.#game, message.patch) as Game
        this.number = number
        this.#game = game
        this.skew_ms = game.clock.now_ms - Date.now()
        const report = event.type === 'moved' || event.type === 'joined' ? game.report : []
        this.#listener.onupdate({ type: 'event', number, at_ms, event, report, game })
        break
      }
      case 'presence':
        this.presence = message.presence
        break
      case 'done':
        this.#answered(message.ref)
        break
      case 'error':
        this.#answered(message.ref)
        if (message.error.code === 'stale') this.#wire.send({ type: 'resync' })
        else this.#listener.onerror(message.error)
        break
      case 'pong':
        this.skew_ms = message.now_ms - Date.now()
        break
      case 'bye':
        break
    }
  }

  /**
   * Resends the moves that were pending when the connection broke; their ids make this idempotent.
   * Other commands are dropped: the host may have executed them, and a second take-back would take
   * back a second move.
   */
  #resend(): void {
    for (const [ref, command] of this.#pending) {
      if ('id' in command) this.#wire.send({ type: 'command', ref, command })
      else this.#pending.delete(ref)
    }
    this.#sent_ms = Date.now()
  }

  #answered(ref: string | null | undefined): void {
    if (ref != null) this.#pending.delete(ref)
    if (!this.hasPending && this.connection === 'slow') this.connection = 'open'
  }
}
