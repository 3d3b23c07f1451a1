// A line between browser and server that can be as bad as lines are: slow, cut, or deaf.

import { createServer, connect, type Server, type Socket } from 'node:net'

export class Wire {
  /** How long every piece of data takes, in each direction. */
  delay_ms = 0
  /** While it is deaf, what the server says is lost, and the browser is not told that it is. */
  isDeaf = false
  #server: Server
  #ends = new Set<Socket>()
  port = 0

  constructor(to: () => number) {
    this.#server = createServer((near) => {
      const far = connect(to(), '127.0.0.1')
      this.#join(near, far, () => false)
      this.#join(far, near, () => this.isDeaf)
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

  /** Cuts all connections, as a phone does that leaves the house. */
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
