// A game as the server tells it, over a socket that may break at any time: what was missed is asked
// for by number, and a move under way is sent again with the same id, which plays it once.

import type { Fact, Game, ServerError, TableEvent, ToClient } from './types.ts'

export type Connection = 'connecting' | 'open' | 'lost'

/** Something that happened, for whoever shows it. */
export interface Happening {
  number: number
  fact: Fact
  report: TableEvent[]
  /** The game after it; missing while catching up. */
  game: Game | null
}

export interface Listener {
  /** The whole state, at the start and after a gap. */
  onstate(game: Game): void
  onevent(happening: Happening): void
  onerror(error: ServerError): void
}

type Wish = Record<string, unknown> & { type: string }

/** How long to wait before the first, second, … attempt to connect again. */
const PAUSES_MS = [300, 800, 1_500, 3_000, 5_000]

export class Live {
  connection = $state<Connection>('connecting')
  presence = $state.raw<Game['presence']>({ seats: [], watchers: 0 })
  /** The server's clock minus ours, in milliseconds. */
  skew_ms = $state(0)
  /** Wishes that the server has not answered yet. */
  n_waiting = $state(0)

  readonly #id: string
  readonly #listener: Listener
  #socket: WebSocket | null = null
  #number = 0
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #beat: ReturnType<typeof setInterval> | undefined
  #isClosed = false
  #heard_ms = 0
  #waiting = new Map<string, Wish>()
  #nextRef = 1

  constructor(id: string, listener: Listener) {
    this.#id = id
    this.#listener = listener
    this.#open()
    addEventListener('online', this.#now)
    document.addEventListener('visibilitychange', this.#now)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#beat)
    removeEventListener('online', this.#now)
    document.removeEventListener('visibilitychange', this.#now)
    this.#socket?.close()
  }

  /** Plays a move once, however often it has to be sent. */
  play(move: string, seat: number): void {
    const id = crypto.getRandomValues(new Uint32Array(3)).join('-')
    this.send({ type: 'move', move, id, seat, after: this.#number })
  }

  send(wish: Wish): void {
    const ref = String(this.#nextRef++)
    const message = { ...wish, ref }
    this.#waiting.set(ref, message)
    this.n_waiting = this.#waiting.size
    this.#write(message)
  }

  #write(message: Wish): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const after = this.#number > 0 ? `?after=${this.#number}` : ''
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/games/${this.#id}/socket${after}`)
    this.#socket = socket
    socket.onopen = () => {
      this.#attempts = 0
      this.#heard_ms = Date.now()
      this.connection = 'open'
      clearInterval(this.#beat)
      this.#beat = setInterval(() => this.#listen(socket), 10_000)
    }
    socket.onmessage = ({ data }) => {
      this.#heard_ms = Date.now()
      this.#hear(JSON.parse(String(data)) as ToClient)
    }
    socket.onclose = () => {
      if (this.#socket !== socket || this.#isClosed) return
      clearInterval(this.#beat)
      this.connection = 'lost'
      const pause = PAUSES_MS[Math.min(this.#attempts++, PAUSES_MS.length - 1)] ?? 5_000
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#open(), pause * (0.8 + Math.random() * 0.4))
    }
  }

  /** A half-open socket says nothing; after a while without an answer it is given up. */
  #listen(socket: WebSocket): void {
    if (Date.now() - this.#heard_ms > 25_000) socket.close()
    else this.#write({ type: 'ping' })
  }

  /** There may be a network again: try at once. */
  #now = () => {
    if (this.#isClosed || document.hidden || this.connection !== 'lost') return
    clearTimeout(this.#timer)
    this.#attempts = 0
    this.#open()
  }

  #hear(message: ToClient): void {
    switch (message.type) {
      case 'state': {
        this.#number = message.game.number
        this.#meet(message.game)
        this.#listener.onstate(message.game)
        // What was under way when the connection broke: the ids make sure that it happens once.
        for (const wish of this.#waiting.values()) this.#write(wish)
        break
      }
      case 'event': {
        if (message.number <= this.#number) break
        if (message.number > this.#number + 1) {
          this.#write({ type: 'resync' })
          break
        }
        this.#number = message.number
        if (message.game) this.#meet(message.game)
        this.#listener.onevent({
          number: message.number,
          fact: message.event,
          report: message.report,
          game: message.game ?? null,
        })
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

  #meet(game: Game): void {
    this.presence = game.presence
    this.skew_ms = game.clock.now_ms - Date.now()
  }

  #answered(ref: string | null): void {
    if (ref !== null) this.#waiting.delete(ref)
    this.n_waiting = this.#waiting.size
  }
}
