// A static host for the tests: files from a folder under a sub-path, and nothing else. It knows as little as a
// public host does: no server process of ours, no API.

import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join, normalize } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { BASE } from './build.ts'
import { openBrowser } from './harness.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

/** The policy of `azulejo serve`, which is as strict as the app allows. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export class Site {
  /** Changes files on their way, such as a worker that a browser cripples. */
  change: (path: string, content: Buffer) => Buffer | null = (_, content) => content
  /** The bytes sent for each file. */
  readonly sent = new Map<string, number>()
  /** Keeps every answer waiting until its promise is fulfilled. */
  hold: (path: string) => Promise<void> = async () => {}
  #server: Server
  #port = 0

  constructor() {
    const folder = inject('site')
    this.#server = createServer(async ({ url = '/' }, response) => {
      const path = decodeURIComponent(new URL(url, 'http://site').pathname)
      const name = normalize(path.slice(BASE.length) || 'index.html')
      await this.hold(name)
      const file = join(folder, name)
      const isFound = path.startsWith(BASE) && !name.startsWith('..') && extname(file) !== '' && existsSync(file)
      const served = isFound ? file : join(folder, '404.html')
      const plain = readFileSync(served)
      const content = this.change(name, plain)
      if (!content) return void response.writeHead(403).end()
      // Precompressed copies, as far as the file is not changed on its way.
      const coding = (['br', 'gz'] as const).find((ending) => content === plain && existsSync(`${served}.${ending}`))
      const body = coding ? readFileSync(`${served}.${coding}`) : content
      this.sent.set(name, body.length)
      response.writeHead(isFound ? 200 : 404, {
        'content-type': TYPES[extname(served)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...(coding ? { 'content-encoding': coding === 'gz' ? 'gzip' : coding } : {}),
      })
      response.end(body)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${BASE.slice(0, -1)}`
  }

  async listen(): Promise<void> {
    await new Promise<void>((over) => this.#server.listen(this.#port, '127.0.0.1', over))
    const address = this.#server.address()
    if (address && typeof address === 'object') this.#port = address.port
  }

  /** Stops answering: the network is gone. */
  async stop(): Promise<void> {
    const closed = new Promise((over) => this.#server.close(over))
    this.#server.closeAllConnections()
    await closed
  }

}

/** A static site and a browser for all tests of a file. */
export function onSite(): { site: Site; browser: () => Browser } {
  const site = new Site()
  let browser: Browser
  beforeAll(async () => {
    await site.listen()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site.stop()
  })
  return { site, browser: () => browser }
}
