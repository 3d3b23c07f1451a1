// The WebSocket of a game, which may break at any time. After a reconnect the server resends the events
// after the last number seen, and a pending move is resent with the same id, so that it is played once.

import { merge } from './merge.ts'
import type { Command, Game, ServerError, ToClient, ToServer } from './types.ts'

/** `slow`: open, but a command has waited for its answer for more than 2 s. */
export type Connection = 'connecting' | 'open' | 'slow' | 'lost'

/** An event of the game's log, with what it changed; without the game while catching up. */
export type Update = Extract<ToClient, { type: 'event' }>

export interface Listener {
  /** The whole state, at the start and after a gap. */
  onstate(game: Game): void
  onupdate(update: Update): void
  onerror(error: ServerError): void
}

/** Backoff before each attempt to reconnect; the last one repeats. */
const BACKOFF_MS = [300, 800, 1_500, 3_000, 5_000]

/** How often the state of the connection is checked, and how often a ping is sent. */
const CHECK_MS = 1_000
const PING_MS = 10_000

/** The connection is called slow when a command has had no answer for this time. */
const SLOW_MS = 2_000
/** A connection that stays silent for this time is closed and opened again. */
const SILENT_MS = 25_000
const SILENT_WITH_COMMAND_MS = 8_000

export class Live {
  connection = $state<Connection>('connecting')
  presence = $state.raw<Game['presence']>({ seats: [], watchers: 0 })
  /** The server's clock minus ours, in milliseconds. */
  skew_ms = $state(0)

  readonly #id: string
  readonly #listener: Listener
  #socket: WebSocket | null = null
  #number = 0
  /** The last game, into which patches are merged; null while missed events come without it. */
  #game: Game | null = null
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #checks: ReturnType<typeof setInterval> | undefined
  #closing = new AbortController()
  #received_ms = 0
  #pinged_ms = 0
  #sent_ms = 0
  #pending = new Map<string, Command>()
  #nextRef = 1

  constructor(id: string, listener: Listener) {
    this.#id = id
    this.#listener = listener
    this.#open()
    const { signal } = this.#closing
    addEventListener('online', this.#retry, { signal })
    document.addEventListener('visibilitychange', this.#retry, { signal })
  }

  /** Whether the server has not answered a command yet. */
  get hasPending(): boolean {
    return this.#pending.size > 0
  }

  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
    clearInterval(this.#checks)
    this.#socket?.close()
  }

  /** Plays a move. Its id makes the server play it once even if it is sent several times. */
  play(move: string, seat: number): void {
    const id = crypto.getRandomValues(new Uint32Array(3)).join('-')
    this.send({ type: 'move', move, id, seat, after: this.#number })
  }

  send(command: Command): void {
    const ref = String(this.#nextRef++)
    this.#pending.set(ref, command)
    this.#sent_ms = Date.now()
    this.#write({ type: 'command', ref, command })
  }

  #write(message: ToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const after = this.#number > 0 ? `&after=${this.#number}` : ''
    const path = `/api/v1/games/${this.#id}/socket?patches=true${after}`
    const socket = new WebSocket(`${scheme}://${location.host}${path}`)
    this.#socket?.close()
    this.#socket = socket
    socket.onopen = () => {
      this.#attempts = 0
      this.#received_ms = this.#pinged_ms = this.#sent_ms = Date.now()
      this.connection = 'open'
      clearInterval(this.#checks)
      this.#checks = setInterval(() => this.#check(socket), CHECK_MS)
    }
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return
      this.#received_ms = Date.now()
      this.#receive(JSON.parse(String(data)) as ToClient)
    }
    socket.onclose = () => this.#lose(socket)
  }

  #lose(socket: WebSocket): void {
    if (this.#socket !== socket || this.#closing.signal.aborted) return
    this.#socket = null
    clearInterval(this.#checks)
    this.connection = 'lost'
    const pause = BACKOFF_MS[Math.min(this.#attempts++, BACKOFF_MS.length - 1)] ?? 5_000
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#open(), pause * (0.8 + Math.random() * 0.4))
  }

  /** Detects a half-open socket: it stays silent but never reports an error. */
  #check(socket: WebSocket): void {
    const now = Date.now()
    const { hasPending } = this
    const silent_ms = now - Math.max(this.#received_ms, hasPending ? this.#sent_ms : 0)
    if (silent_ms > (hasPending ? SILENT_WITH_COMMAND_MS : SILENT_MS)) {
      // The closing handshake needs the other side, which may be gone: reconnect without waiting for it.
      socket.close()
      return this.#lose(socket)
    }
    this.connection = hasPending && now - this.#sent_ms > SLOW_MS ? 'slow' : 'open'
    if (now - this.#pinged_ms < PING_MS) return
    this.#pinged_ms = now
    this.#write({ type: 'ping' })
  }

  /** The browser is online or in front again: reconnect at once. */
  #retry = () => {
    if (document.hidden || this.connection !== 'lost') return
    clearTimeout(this.#timer)
    this.#attempts = 0
    this.#open()
  }

  #receive(message: ToClient): void {
    switch (message.type) {
      case 'state':
        this.#number = message.game.number
        this.#game = message.game
        this.#sync(message.game)
        this.#listener.onstate(message.game)
        this.#resend()
        break
      case 'event':
        if (message.number <= this.#number) break
        if (message.number > this.#number + 1) {
          this.#write({ type: 'resync' })
          break
        }
        this.#number = message.number
        // Missed events come without the game, and the state follows.
        this.#game = null
        this.#listener.onupdate(message)
        break
      case 'patch': {
        if (message.number <= this.#number) break
        if (message.number > this.#number + 1 || !this.#game) {
          this.#write({ type: 'resync' })
          break
        }
        const { number, at_ms, event } = message
        const game = merge(this.#game, message.patch) as Game
        this.#number = number
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
        if (message.error.code === 'stale') this.#write({ type: 'resync' })
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
   * Other commands are dropped: the server may have executed them, and a second take-back would take
   * back a second move.
   */
  #resend(): void {
    for (const [ref, command] of this.#pending) {
      if ('id' in command) this.#write({ type: 'command', ref, command })
      else this.#pending.delete(ref)
    }
    this.#sent_ms = Date.now()
  }

  #sync(game: Game): void {
    this.presence = game.presence
    this.skew_ms = game.clock.now_ms - Date.now()
  }

  #answered(ref: string | null | undefined): void {
    if (ref != null) this.#pending.delete(ref)
    if (!this.hasPending && this.connection === 'slow') this.connection = 'open'
  }
}
