// Shared setup of the end-to-end tests: a server and a browser for each file, and pages that collect the
// errors of their console.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Game } from '../src/lib/types.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The binary under test: `AZULEJO_BIN`, or the last debug or release build. */
export function program(): string {
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target')
  const places = [process.env.AZULEJO_BIN, join(target, 'debug/azulejo'), join(target, 'release/azulejo')]
  const found = places.find((place) => place && existsSync(place))
  if (!found) throw new Error('no binary to test: run `cargo build`, or set AZULEJO_BIN')
  return found
}

/** A server with its own database, which can be killed and restarted. */
export class Host {
  readonly folder = mkdtempSync(join(tmpdir(), 'azulejo-e2e-'))
  port = 0
  #process: ChildProcess | null = null

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    this.port ||= await freePort()
    const options = ['--listen', `127.0.0.1:${this.port}`, '--database', join(this.folder, 'games.db'), '--limits', 'no', '--engine-ms', '100']
    const server = spawn(program(), ['serve', ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = server
    let words = ''
    server.stderr.on('data', (some) => (words += some))
    for (let tries = 0; tries < 300 && server.exitCode === null; tries++) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null)
      if (answer?.ok) return
      await sleep(100)
    }
    throw new Error(`the server did not start: ${words}`)
  }

  /** Kills the server without a shutdown, like a power cut. */
  kill(): void {
    this.#process?.kill('SIGKILL')
    this.#process = null
  }

  stop(): void {
    this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * A port that stays free while its server is killed: below those that the system gives to outgoing connections
 * (from 32,768 on Linux), of which browsers open many in the meantime.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    const isFree = await new Promise<boolean>((known) => {
      const server = createServer().on('error', () => known(false))
      server.listen(port, '127.0.0.1', () => server.close(() => known(true)))
    })
    if (isFree) return port
  }
}

const sleep = (ms: number) => new Promise((over) => setTimeout(over, ms))

/** A server and a browser for all tests of a file. */
export function hosted(): { host: Host; browser: () => Browser } {
  const host = new Host()
  let browser: Browser
  beforeAll(async () => {
    await host.start()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    host.stop()
  })
  return { host, browser: () => browser }
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? chromium.executablePath(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** The files that a document asks for by itself, without those of a local game: they and the fonts are the first load. */
export async function firstFiles(url: string): Promise<string[]> {
  const document = await (await fetch(url)).text()
  const links = [...document.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"[^>]*>/g)].filter(([tag]) => !tag.includes('fetchpriority="low"'))
  return links.map(([, address = '']) => address.split('/').pop() ?? '')
}

export interface Visitor {
  page: Page
  /** The errors of the page's console; tests end by checking that there are none. */
  errors: string[]
  close(): Promise<void>
}

/** Opens a page as a new visitor. Animations are off unless the options turn them on. */
export async function visit(browser: Browser, host: { url: string }, path: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', locale: 'en-US', ...options })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(host.url + path)
  return { page, errors, close: () => context.close() }
}

/** Sends an API request as the person of this page. */
export function ask<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  return page.evaluate(
    async ([method, path, body]) => {
      const headers = new Headers(body ? { 'content-type': 'application/json' } : {})
      const answer = await fetch(`/api/v1${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
      return answer.json()
    },
    [method, path, body] as const,
  ) as Promise<T>
}

export const gameId = (page: Page) => /\/game\/([^/?]+)/.exec(page.url())?.[1] ?? ''
export const gameOf = (page: Page) => ask<Game>(page, 'GET', `/games/${gameId(page)}`)

/** Creates a person and a game. */
export async function newGame(page: Page, game: unknown, name = 'Ana'): Promise<{ game: Game; invitations: { seat: number; link: string }[] }> {
  await ask(page, 'POST', '/people', { name, cookie: true })
  await page.evaluate(() => localStorage.setItem('azulejo.person', 'yes'))
  const created = await ask<{ game: Game; invitations: { seat: number; link: string }[] }>(page, 'POST', '/games', game)
  if (!created.game) throw new Error(JSON.stringify(created))
  return created
}

/** Waits until the page offers a move or the game is over. */
export async function myTurn(page: Page): Promise<'move' | 'over'> {
  const found = await page.waitForSelector('.end, [data-turn="me"] :is(.offer [data-pile] button:not(:disabled), .offer button.factory:not(:disabled), .mine button.space)', { timeout: 60_000 })
  return (await found.evaluate((element) => element.classList.contains('end'))) ? 'over' : 'move'
}

/** Waits until the page shows an event after the given one and no choice is pending. */
export async function shownAfter(page: Page, number: number): Promise<void> {
  await page.waitForFunction(
    (number) => Number(document.querySelector<HTMLElement>('main')?.dataset.number) > number && !document.querySelector('.chosen, .choices'),
    number,
  )
}

/** Clicks the middle of an element like a person would, so that an element on top of it would get the click. */
export async function press(page: Page, selector: string, how: 'mouse' | 'touchscreen' = 'mouse'): Promise<void> {
  const target = await page.waitForSelector(selector)
  const [x, y] = await target.evaluate((element) => {
    element.scrollIntoView({ block: 'nearest' })
    const box = element.getBoundingClientRect()
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  })
  if (how === 'mouse') await page.mouse.click(x, y)
  else await page.touchscreen.tap(x, y)
}

/** Chooses a pile such as `3B`. On a phone the factory is opened first; a factory of one color is then chosen. */
export async function take(page: Page, pile: string, how: 'mouse' | 'touchscreen' = 'mouse'): Promise<void> {
  const factory = `button.factory[data-source="${pile[0]}"]`
  if ((await page.locator(factory).count()) > 0) await press(page, factory, how)
  if ((await page.locator(`.chosen[data-pile="${pile}"]`).count()) === 0) await press(page, `[data-pile="${pile}"] button:not(:disabled)`, how)
}

/** Plays a draft such as `3B2`: clicks the pile, then the line. */
export async function draft(page: Page, move: string, how: 'mouse' | 'touchscreen' = 'mouse'): Promise<void> {
  await take(page, move.slice(0, 2), how)
  await press(page, `.mine [data-to="${move[2]}"].open`, how)
}

/** The legal move that scores best now; deterministic. */
export function sensible(game: Game): Game['moves'][number] | undefined {
  return [...game.moves].sort((a, b) => b.change - a.change || (b.line_points ?? 0) - (a.line_points ?? 0) || a.move.localeCompare(b.move))[0]
}

/**
 * Makes a legal move as a player without any other knowledge than the page would: the first pile that can be
 * taken, then the first line that takes it. Says whether the game is over instead.
 */
export async function anyMove(page: Page, how: 'mouse' | 'touchscreen' = 'mouse'): Promise<'move' | 'over'> {
  if ((await myTurn(page)) === 'over') return 'over'
  const before = Number(await page.getAttribute('main', 'data-number'))
  if ((await page.locator('.mine button.space').count()) > 0) await press(page, '.mine button.space', how)
  else {
    // On a phone a factory shows its tiles when it is tapped; one of a single color is then chosen.
    const hasPiles = (await page.locator('.offer [data-pile] button:not(:disabled)').count()) > 0
    if (!hasPiles) await press(page, '.offer button.factory:not(:disabled)', how)
    if ((await page.locator('.chosen').count()) === 0) await press(page, '.offer [data-pile] button:not(:disabled)', how)
    await press(page, '.mine button.open', how)
    const variants = page.getByRole('group', { name: 'Which tiles go into the line?' }).getByRole('button')
    if ((await variants.count()) > 0) await variants.first().click()
  }
  await shownAfter(page, before)
  return 'move'
}

/** Plays a game to its end and counts the moves that were made. */
export async function playToEnd(page: Page, how: 'mouse' | 'touchscreen' = 'mouse'): Promise<number> {
  let moves = 0
  while ((await anyMove(page, how)) === 'move') {
    moves += 1
    if (moves > 300) throw new Error('the game does not end')
  }
  return moves
}
