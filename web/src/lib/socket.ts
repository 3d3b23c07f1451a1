// The WebSocket of a game on a server. It may break at any time: then it is opened again, and the server
// resends the events after the last number seen.

import type { Client, Wire } from './host.ts'
import { canInflate, inflate } from './inflate.ts'
import { at } from './router.svelte.ts'
import type { ToClient, ToServer } from './types.ts'

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

export class Socket implements Wire {
  readonly #id: string
  readonly #client: Client
  #socket: WebSocket | null = null
  #isLost = false
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #checks: ReturnType<typeof setInterval> | undefined
  #closing = new AbortController()
  #received_ms = 0
  #pinged_ms = 0

  constructor(id: string, client: Client) {
    this.#id = id
    this.#client = client
    this.#open()
    const { signal } = this.#closing
    addEventListener('online', this.#retry, { signal })
    document.addEventListener('visibilitychange', this.#retry, { signal })
  }

  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
    clearInterval(this.#checks)
    this.#socket?.close()
  }

  send(message: ToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  /** Tabs of one person on a server play together: nothing has to be taken over. */
  takeOver(): void {}

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const after = this.#client.number > 0 ? `&after=${this.#client.number}` : ''
    const path = at(`/api/v1/games/${this.#id}/socket?patches=${canInflate}${after}`)
    const socket = new WebSocket(`${scheme}://${location.host}${path}`)
    this.#socket?.close()
    this.#socket = socket
    socket.onopen = () => {
      this.#attempts = 0
      this.#isLost = false
      this.#received_ms = this.#pinged_ms = Date.now()
      this.#client.onconnection('open')
      clearInterval(this.#checks)
      this.#checks = setInterval(() => this.#check(socket), CHECK_MS)
    }
    socket.binaryType = 'arraybuffer'
    // The browser inflates in the background: one message after the other, so that they stay in order.
    let last = Promise.resolve()
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (this.#socket !== socket) return
      this.#received_ms = Date.now()
      const receive = async () => {
        const message = JSON.parse(await inflate(data)) as ToClient
        if (this.#socket === socket) this.#client.onmessage(message)
      }
      last = last.then(receive).catch((error: unknown) => {
        reportError(error)
        socket.close()
      })
    }
    socket.onclose = () => this.#lose(socket)
  }

  #lose(socket: WebSocket): void {
    if (this.#socket !== socket || this.#closing.signal.aborted) return
    this.#socket = null
    clearInterval(this.#checks)
    this.#isLost = true
    this.#client.onconnection('lost')
    const pause = BACKOFF_MS[Math.min(this.#attempts++, BACKOFF_MS.length - 1)] ?? 5_000
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#open(), pause * (0.8 + Math.random() * 0.4))
  }

  /** Detects a half-open socket: it stays silent but never reports an error. */
  #check(socket: WebSocket): void {
    const now = Date.now()
    const { pendingSince_ms } = this.#client
    const silent_ms = now - Math.max(this.#received_ms, pendingSince_ms ?? 0)
    if (silent_ms > (pendingSince_ms === null ? SILENT_MS : SILENT_WITH_COMMAND_MS)) {
      // The closing handshake needs the other side, which may be gone: reconnect without waiting for it.
      socket.close()
      return this.#lose(socket)
    }
    this.#client.onconnection(pendingSince_ms !== null && now - pendingSince_ms > SLOW_MS ? 'slow' : 'open')
    if (now - this.#pinged_ms < PING_MS) return
    this.#pinged_ms = now
    this.send({ type: 'ping' })
  }

  /** The browser is online or in front again: reconnect at once. */
  #retry = () => {
    if (document.hidden || !this.#isLost) return
    clearTimeout(this.#timer)
    this.#attempts = 0
    this.#open()
  }
}
