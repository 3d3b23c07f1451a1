// A TCP proxy between browser and server that can be slow, cut connections, or drop what the server sends.

import { createServer, connect, type Server, type Socket } from 'node:net'

export class Wire {
  /** The delay of every chunk, in each direction. */
  delay_ms = 0
  /** Drops everything from the server while the connections stay open. */
  dropsAnswers = false
  #server: Server
  #ends = new Set<Socket>()
  port = 0

  constructor(to: () => number) {
    this.#server = createServer((near) => {
      const far = connect(to(), '127.0.0.1')
      this.#join(near, far, () => false)
      this.#join(far, near, () => this.dropsAnswers)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async open(): Promise<void> {
    await new Promise<void>((over) => this.#server.listen(0, '127.0.0.1', over))
    const address = this.#server.address()
    if (address && typeof address === 'object') this.port = address.port
  }

  /** Closes all connections, as when a phone changes networks. */
  cut(): void {
    for (const end of this.#ends) end.destroy()
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #join(from: Socket, to: Socket, isLost: () => boolean): void {
    this.#ends.add(from)
    from.on('data', (data) => {
      if (!isLost()) setTimeout(() => to.writable && to.write(data), this.delay_ms)
    })
    from.on('error', () => {})
    from.on('close', () => {
      this.#ends.delete(from)
      setTimeout(() => to.destroy(), this.delay_ms)
    })
  }
}
