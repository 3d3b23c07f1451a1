// The table fills the window and stands still: a sample of the matrix of `matrix.ts`, and layout shift.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { draft, gameOf, hosted, myTurn, newGame, sensible, shownAfter, take, visit } from './harness.ts'
import { faults, look, type Moment, prepare, type Prepared, SIZES } from './looks.ts'

const { host, browser } = hosted()
let prepared: Prepared
beforeAll(async () => {
  prepared = await prepare(browser(), host, [2, 4])
})

/** Size, players, moment. */
const SAMPLE: [string, number, Moment][] = [
  ['320x568', 2, 'preview'],
  ['360x640', 4, 'preview'],
  ['390x664', 2, 'tiling'],
  ['844x390', 4, 'preview'],
  ['768x1024', 4, 'preview'],
  ['1024x768', 2, 'draft'],
  ['1280x720', 4, 'preview'],
  ['1280x720', 2, 'end'],
  ['1920x1080', 2, 'tiling'],
  ['3440x1440', 4, 'draft'],
]

test.concurrent.each(SAMPLE)('%s, %i players, %s: everything is in view, large enough, and nothing is cut', async (name, n, moment) => {
  const size = SIZES.find(({ width, height }) => `${width}x${height}` === name)
  if (!size) throw new Error(`${name} is no size of the matrix`)
  const { page, errors, close } = await look(browser(), host, prepared, size, n, moment)
  expect(await faults(page, size, moment)).toEqual([])
  expect(errors).toEqual([])
  await close()
})

test.concurrent.each(['360x640', '844x390'])('%s: a lesson is read, and then a whole move fits on the screen', async (name) => {
  const size = SIZES.find(({ width, height }) => `${width}x${height}` === name)
  if (!size) throw new Error(`${name} is no size of the matrix`)
  const { width, height } = size
  const { page, errors, close } = await visit(browser(), host, '/learn/1', { viewport: { width, height }, hasTouch: true, isMobile: true })
  // Listened to as text: the explanation, its task, and the way on.
  const lesson = page.getByRole('region', { name: '1. Taking tiles' })
  expect(await lesson.ariaSnapshot()).toMatch(/heading "1. Taking tiles".*On your turn.*status: Take the two blue tiles.*button "Try it"/s)
  expect(await violations(page)).toEqual([])
  await lesson.getByRole('button', { name: 'Try it' }).click()
  expect(await faults(page, size, 'draft')).toEqual([])
  expect(await page.locator('.status-lines').textContent()).toContain('Take the two blue tiles from factory 1')
  await draft(page, '1B2', 'touchscreen')
  await lesson.getByRole('link', { name: 'Next lesson' }).waitFor()
  // What the lesson talks about is not behind its words.
  const [words, line] = await Promise.all([lesson.boundingBox(), page.locator('.mine [data-at="2"]').boundingBox()])
  expect(words && line && (words.y + words.height <= line.y || words.x + words.width <= line.x)).toBe(true)
  expect(errors).toEqual([])
  await close()
})

/** Collects every layout shift, also those that follow a click. */
async function watchShifts(page: Page, buffered = false): Promise<() => Promise<string[]>> {
  await page.evaluate((buffered) => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    interface Shift extends PerformanceEntry {
      value: number
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        const what = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
          const element = node instanceof Element ? node : node?.parentElement
          return `${element?.outerHTML.slice(0, 90)} ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}`
        })
        shifts.push(`${entry.value.toFixed(5)}: ${what.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered })
  }, buffered)
  return () => page.evaluate('shifts') as Promise<string[]>
}

/** Starts a game on the server against the weakest level. */
async function begin(page: Page, settings: object): Promise<void> {
  await page.evaluate((settings) => localStorage.setItem('azulejo.settings', JSON.stringify({ level: 1, sound: false, ...settings })), settings)
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'engine', level: 1 }] })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  await page.evaluate(() => document.fonts.ready)
}

test.concurrent.each([
  ['on a computer', {}, 'mouse'],
  ['on a phone', { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true }, 'touchscreen'],
] as const)('nothing moves in a whole game %s, with questions and previews', async (_, options, how) => {
  const { page, errors, close } = await visit(browser(), host, '/', options)
  await begin(page, { confirm: true })
  const shifts = await watchShifts(page)
  while ((await myTurn(page)) === 'move') {
    const game = await gameOf(page)
    const move = sensible(game)?.move
    if (!game.your_turn || !move) continue
    await draft(page, move, how)
    if (game.n_moves < 2) expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await shownAfter(page, game.number)
  }
  expect((await gameOf(page)).status).toBe('over')
  expect(await shifts()).toEqual([])
  expect(errors).toEqual([])
  await close()
})

/** Numbers in the top bar may move by a pixel or two. */
test.concurrent('the table is in its place from the first moment', async () => {
  const { page, close } = await visit(browser(), host, '/')
  await begin(page, {})
  const shifts = await watchShifts(page, true)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect((await shifts()).filter((shift) => Number.parseFloat(shift) >= 0.002)).toEqual([])
  await close()
})

test.concurrent('nothing moves while tiles fly, and when a hint, a phrase or an earlier move is shown', async () => {
  const { page, errors, close } = await visit(browser(), host, '/', { reducedMotion: 'no-preference' })
  await begin(page, { speed: 'fast' })
  const shifts = await watchShifts(page)
  for (let i = 0; i < 3; i++) {
    await myTurn(page)
    const game = await gameOf(page)
    await take(page, (sensible(game)?.move ?? '').slice(0, 2))
    await page.locator('.mine button.open').first().hover()
    await page.locator('.mine button.open').first().click()
    await shownAfter(page, game.number)
  }
  await myTurn(page)
  await page.keyboard.press('h')
  await page.waitForSelector('.hint li', { timeout: 60_000 })
  await page.keyboard.press(',')
  await page.getByText('Looking back').waitFor()
  await page.keyboard.press('Escape')
  await myTurn(page)
  expect(await shifts()).toEqual([])
  expect(errors).toEqual([])
  await close()
})
