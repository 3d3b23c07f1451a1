// How light and quick the game in the page is: what a first visit weighs and waits for, how fast the engine
// answers and stops. Times on a busy machine mean little, so limits are bytes, round trips, and differences
// between times of the same run.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { firstFiles, myTurn, visit, type Visitor } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

const sleep = (ms: number) => new Promise((over) => setTimeout(over, ms))
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

/** A visitor who has opened nothing yet, and whose engine plays at a level. */
async function stranger(level = 1): Promise<Visitor> {
  const visitor = await visit(browser(), { url: 'about:blank' }, '')
  const settings = JSON.stringify({ level, sound: false, language: 'en' })
  await visitor.page.addInitScript((settings) => localStorage.setItem('azulejo.settings', settings), settings)
  return visitor
}

/** Opens the site and plays against the engine; over as soon as a move is possible. */
async function toFirstMove(page: Page): Promise<void> {
  await page.goto(`${site.url}/`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Play now' }).click()
  await myTurn(page)
}

/** The parts of the site by what they are for. */
const PARTS: Record<string, RegExp> = {
  module: /\.wasm$/,
  network: /\.net$/,
  workers: /\/(engine\.)?worker-/,
  fonts: /\.woff2$/,
  styles: /\.css$/,
  scripts: /\.js$/,
  others: /./,
}
const fileOf = (path: string) => path.split('/').pop() ?? ''
const FOR_THE_GAME = ['module', 'network', 'workers']

test('a first visit is light, and asks no other host', async () => {
  const { page, errors, close } = await stranger()
  const hosts = new Set<string>()
  page.context().on('request', (request) => hosts.add(new URL(request.url()).origin))
  // Everything else waits until the page has painted, which shows that these files are enough.
  const first = ['index.html', ...(await firstFiles(`${site.url}/`))]
  const isFirst = (path: string) => first.includes(fileOf(path)) || path.endsWith('.woff2')
  let release = () => {}
  const hasPainted = new Promise<void>((done) => (release = done))
  site.hold = (path) => (isFirst(path) ? Promise.resolve() : hasPainted)
  site.sent.clear()
  await page.goto(`${site.url}/`, { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Play now' })
  await button.waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const paint = [...site.sent.values()].reduce((sum, n) => sum + n, 0)
  release()
  await button.click()
  await myTurn(page)
  // The engine answers, so that everything is loaded which a game needs.
  await play(page)
  await myTurn(page)
  // The service worker fetches all other files for later visits; they are not needed for this game.
  const asked = await page.evaluate(() => performance.getEntries().map(({ name }) => name.split('/').pop() ?? ''))
  const parts: Record<string, number> = {}
  let game = 0
  for (const [path, n] of site.sent) {
    const part = Object.keys(PARTS).find((part) => PARTS[part]?.test(path)) ?? 'others'
    if (!FOR_THE_GAME.includes(part) && !isFirst(path) && !asked.includes(fileOf(path))) continue
    parts[part] = (parts[part] ?? 0) + n
    game += n
  }
  const table = `first paint ${paint} bytes, local game ${game} bytes: ${JSON.stringify(parts)}`
  console.log(table)
  expect(parts.module, table).toBeGreaterThan(100_000)
  expect(parts.network, table).toBeGreaterThan(100_000)
  expect(paint, table).toBeLessThan(120_000)
  // The network may grow: it is a file of its own, which stays cached when the code changes.
  expect(game - (parts.network ?? 0), table).toBeLessThan(450_000)
  expect(game, table).toBeLessThan(1_400_000)
  expect([...hosts]).toEqual([new URL(site.url).origin])
  expect(errors).toEqual([])
  site.hold = async () => {}
  await close()
})

test('a first move is possible after three round trips', async () => {
  const { page, errors, close } = await stranger()
  const waiting: { path: string; answer: () => void }[] = []
  let asked_ms = Date.now()
  site.hold = (path) => new Promise((answer) => (waiting.push({ path, answer }), (asked_ms = Date.now())))
  let [isOver, isLater] = [false, false]
  const playing = toFirstMove(page).finally(() => (isOver = true))
  const trips: string[] = []
  while (!isOver) {
    await sleep(20)
    // What is asked for within a second and a half belongs to one round trip, also on a busy machine.
    if (waiting.length === 0 || Date.now() - asked_ms < 1_500) continue
    const paths = waiting.map(({ path }) => path)
    // What the service worker fetches afterwards, and icons, keep nobody waiting.
    if (paths.includes('sw.js')) isLater = true
    if (!isLater && paths.some((path) => path !== 'icon.svg')) trips.push(paths.join(', '))
    for (const { answer } of waiting.splice(0)) answer()
  }
  await playing
  site.hold = async () => {}
  for (const { answer } of waiting) answer()
  console.log(`round trips before the first move:\n${trips.join('\n')}`)
  expect(trips.length, trips.join('\n')).toBeLessThanOrEqual(3)
  expect(errors).toEqual([])
  await close()
})

test('a first move is possible within a second and a half', async () => {
  const { page, errors, close } = await stranger()
  const start = Date.now()
  await page.goto(`${site.url}/`, { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Play now' })
  await button.waitFor()
  const painted_ms = Date.now() - start
  await button.click()
  await myTurn(page)
  const ready_ms = Date.now() - start
  console.log(`first paint after ${painted_ms} ms, first move after ${ready_ms} ms`)
  // A busy machine paints late, too.
  expect(ready_ms).toBeLessThan(Math.max(1_500, 5 * painted_ms))
  expect(errors).toEqual([])
  await close()
})

/** A visitor at the table of a game against a level, who moves first or next. */
async function against(level: number): Promise<Visitor> {
  const visitor = await stranger(level)
  const { page } = visitor
  await toFirstMove(page)
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    const main = document.querySelector('main')!
    new MutationObserver(() => (times[Number(main.dataset.number)] ??= performance.now())).observe(main, { attributeFilter: ['data-number'] })
  })
  return visitor
}

/** Plays a move at once, without the pauses of a mouse. */
const play = (page: Page) =>
  page.evaluate(async () => {
    const click = (selector: string) => document.querySelector<HTMLElement>(selector)!.click()
    click('.offer [data-pile] button:not(:disabled)')
    await new Promise(requestAnimationFrame)
    click('.mine button.open')
  })

/** Plays a move, perhaps while the engine searches for a hint, and measures the time from the move to the engine's answer. */
async function answered(page: Page, duringHint = false): Promise<number> {
  await myTurn(page)
  const number = Number(await page.getAttribute('main', 'data-number'))
  if (duringHint) {
    await page.keyboard.press('h')
    await sleep(100)
  }
  await play(page)
  await myTurn(page)
  const times = await page.evaluate<(number | null)[]>('times')
  const [mine, theirs] = [times[number + 1], times[number + 2]]
  if (mine == null || theirs == null) throw new Error(`nobody has answered: ${JSON.stringify(times)}`)
  return theirs - mine
}

/** Everything but the search takes the same time at all levels. */
test('level 10 answers within a second', async () => {
  const [weak, strong] = [await against(1), await against(10)]
  const quick = [await answered(weak.page), await answered(weak.page), await answered(weak.page)]
  const slow = [await answered(strong.page), await answered(strong.page), await answered(strong.page)]
  console.log(`level 10 answers after ${slow.map(Math.round)} ms, level 1 after ${quick.map(Math.round)} ms`)
  expect(median(slow) - median(quick)).toBeLessThan(950)
  expect([...weak.errors, ...strong.errors]).toEqual([])
  await weak.close()
  await strong.close()
})

test('a search is stopped within 50 ms', async () => {
  const { page, errors, close } = await against(1)
  const [free, busy]: [number[], number[]] = [[], []]
  for (let i = 0; i < 3; i++) {
    free.push(await answered(page))
    // The spare worker is made ready while a person would think.
    await sleep(1_000)
    busy.push(await answered(page, true))
  }
  console.log(`level 1 answers after ${free.map(Math.round)} ms, and after ${busy.map(Math.round)} ms if a search has to be stopped`)
  // A busy machine takes longer for everything.
  expect(Math.min(...busy) - Math.min(...free)).toBeLessThan(Math.max(50, median(free)))
  expect(errors).toEqual([])
  await close()
})
