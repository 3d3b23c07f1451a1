// A game as the server tells it, over a socket that may break at any time: what was missed is asked
// for by number, and a move under way is sent again with the same id, which plays it once.

import type { Fact, Game, ServerError, TableEvent, ToClient } from './types.ts'

/** `slow`: open, but a wish has been waiting for its answer. */
export type Connection = 'connecting' | 'open' | 'slow' | 'lost'

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

/** How often the connection is looked at, and how often the server is asked whether it is there. */
const LOOK_MS = 1_000
const PING_MS = 10_000

/** A wish without an answer for so long is told; a connection silent for so long is given up. */
const SLOW_MS = 2_000
const SILENT_MS = 25_000
const SILENT_WITH_WISH_MS = 8_000

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
  #asked_ms = 0
  #wished_ms = 0
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
    this.#wished_ms = Date.now()
    this.#write(message)
  }

  #write(message: Wish): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const after = this.#number > 0 ? `?after=${this.#number}` : ''
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/games/${this.#id}/socket${after}`)
    this.#socket?.close()
    this.#socket = socket
    socket.onopen = () => {
      this.#attempts = 0
      this.#heard_ms = this.#asked_ms = this.#wished_ms = Date.now()
      this.connection = 'open'
      clearInterval(this.#beat)
      this.#beat = setInterval(() => this.#look(socket), LOOK_MS)
    }
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return
      this.#heard_ms = Date.now()
      this.#hear(JSON.parse(String(data)) as ToClient)
    }
    socket.onclose = () => this.#lose(socket)
  }

  #lose(socket: WebSocket): void {
    if (this.#socket !== socket || this.#isClosed) return
    this.#socket = null
    clearInterval(this.#beat)
    this.connection = 'lost'
    const pause = PAUSES_MS[Math.min(this.#attempts++, PAUSES_MS.length - 1)] ?? 5_000
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#open(), pause * (0.8 + Math.random() * 0.4))
  }

  /** A half-open socket says nothing; after a while without an answer it is given up. */
  #look(socket: WebSocket): void {
    const now = Date.now()
    const waits = this.#waiting.size > 0
    const silent_ms = now - Math.max(this.#heard_ms, waits ? this.#wished_ms : 0)
    if (silent_ms > (waits ? SILENT_WITH_WISH_MS : SILENT_MS)) {
      // Closing waits for the other side, which may not be there: go on without it.
      socket.close()
      return this.#lose(socket)
    }
    this.connection = waits && now - this.#wished_ms > SLOW_MS ? 'slow' : 'open'
    if (now - this.#asked_ms < PING_MS) return
    this.#asked_ms = now
    this.#write({ type: 'ping' })
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
        this.#sendAgain()
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

  /**
   * Moves that were under way when the connection broke: their ids make sure that they happen once.
   * Other wishes may have come true already, and nobody wants to take back two moves: they are let go.
   */
  #sendAgain(): void {
    for (const [ref, wish] of this.#waiting) {
      if ('id' in wish) this.#write(wish)
      else this.#waiting.delete(ref)
    }
    this.n_waiting = this.#waiting.size
    this.#wished_ms = Date.now()
  }

  #meet(game: Game): void {
    this.presence = game.presence
    this.skew_ms = game.clock.now_ms - Date.now()
  }

  #answered(ref: string | null): void {
    if (ref !== null) this.#waiting.delete(ref)
    this.n_waiting = this.#waiting.size
    if (this.n_waiting === 0 && this.connection === 'slow') this.connection = 'open'
  }
}
