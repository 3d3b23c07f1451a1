// A static host for the tests: files from a folder under a sub-path, and nothing else. It knows as little as a
// public host does: no server process of ours, no API.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
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

const BASE = '/games/azulejo/'

export class Site {
  /** The files, made by the real build for a sub-path. */
  readonly folder = mkdtempSync(join(tmpdir(), 'azulejo-site-'))
  /** Changes files on their way, such as a worker that a browser cripples. */
  change: (path: string, content: Buffer) => Buffer | null = (_, content) => content
  /** The bytes sent for each file. */
  readonly sent = new Map<string, number>()
  #server: Server
  #port = 0

  constructor() {
    this.#server = createServer(({ url = '/' }, response) => {
      const path = decodeURIComponent(new URL(url, 'http://site').pathname)
      const name = normalize(path.slice(BASE.length) || 'index.html')
      const file = join(this.folder, name)
      const isFound = path.startsWith(BASE) && !name.startsWith('..') && extname(file) !== '' && existsSync(file)
      const served = isFound ? file : join(this.folder, '404.html')
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

  async start(): Promise<void> {
    const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js')
    const options = ['--mode', 'site', '--base', BASE, '--outDir', this.folder, '--emptyOutDir', '--logLevel', 'warn']
    if (!existsSync(join(import.meta.dirname, '../module/azulejo_bg.wasm'))) throw new Error('there is no module: run `cargo xtask module`')
    // Not the environment of a test: it would make a build for development.
    const env = { ...process.env, NODE_ENV: 'production', VITEST: '' }
    execFileSync(process.execPath, [vite, 'build', ...options], { cwd: join(import.meta.dirname, '..'), env })
    await this.listen()
  }

  /** Answers again after `stop`. */
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

  async close(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A static site and a browser for all tests of a file. */
export function onSite(): { site: Site; browser: () => Browser } {
  const site = new Site()
  let browser: Browser
  beforeAll(async () => {
    await site.start()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })
  return { site, browser: () => browser }
}
