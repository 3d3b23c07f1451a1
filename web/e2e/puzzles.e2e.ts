// Puzzles on the static site: a wrong move and its refutation, the solution, rating and streak, the daily puzzle,
// without a network.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { press, visit } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

const folder = join(import.meta.dirname, '../public/puzzles')
const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { puzzles: number; parts: { file: string }[] }
const lines = index.parts.flatMap(({ file }) => readFileSync(join(folder, file), 'utf8').split('\n').filter((line) => line && !line.startsWith('#')))
const puzzles = lines.map((line) => {
  const [id = '', certainty, , rating, , solution = '', position = ''] = line.split(' ')
  return { id, certainty, rating: Number(rating), moves: solution.split(','), players: Number(position[0]) }
})
/** One move, a draft to a line or the floor. */
const short = puzzles.find(({ moves }) => moves.length === 1 && /^\d[BYRKW][1-5F]$/.test(moves[0] ?? ''))!
const long = puzzles.find(({ moves, players }) => players === 2 && moves.length > 2 && moves.every((move) => /^\d[BYRKW][1-5F]$/.test(move)))
const real = (errors: string[]) => errors.filter((text) => !text.includes('404'))

const state = (page: Page, state: string) => page.waitForSelector(`[data-state=${state}]`, { timeout: 60_000 })

async function draft(page: Page, move: string): Promise<void> {
  await press(page, `.offer [data-pile="${move.slice(0, 2)}"] button:not(:disabled)`)
  await press(page, `.mine [data-to="${move[2]}"].open`)
}

/** Plays a legal move that is not the best one. */
async function wrongMove(page: Page, best: string): Promise<void> {
  const piles = await page.locator('.offer [data-pile]:has(button:not(:disabled))').evaluateAll((found) => found.map((pile) => (pile as HTMLElement).dataset.pile ?? ''))
  for (const pile of piles) {
    for (const to of ['F', '1', '2', '3', '4', '5']) {
      if (`${pile}${to}` === best) continue
      await press(page, `.offer [data-pile="${pile}"] button:not(:disabled)`)
      if ((await page.locator(`.mine [data-to="${to}"].open`).count()) > 0) return press(page, `.mine [data-to="${to}"].open`)
      await page.keyboard.press('Tab')
      await press(page, `.offer [data-pile="${pile}"] button:not(:disabled)`)
    }
  }
}

test.concurrent('a wrong move is refuted on the table, then the puzzle is solved', async () => {
  const { page, errors, close } = await visit(browser(), site, `/puzzles/${short.id}`)
  await state(page, 'asking')
  await wrongMove(page, short.moves[0]!)
  await state(page, 'wrong')
  expect(await page.locator('.status-lines .wrong').textContent()).toMatch(/is not it: it is worth at least \d+ points less/)
  expect(await page.locator('.status-lines .line').textContent()).toContain('The answer on the table')
  // The first answer counts: a loss, and no streak.
  await page.waitForFunction(() => document.querySelector('[data-rating]')?.textContent?.includes('±'))
  const rating = await page.locator('[data-rating]').textContent()
  expect(Number.parseInt(rating ?? '', 10)).toBeLessThan(1_500)
  await page.getByRole('button', { name: 'Try again' }).click()
  await state(page, 'asking')
  await draft(page, short.moves[0]!)
  await state(page, 'solved')
  expect(await page.locator('[data-rating]').textContent()).toBe(rating)
  expect(await page.locator('[data-streak]').textContent()).toMatch(/^0/)
  // What a later visit knows.
  await page.reload()
  await state(page, 'asking')
  expect(await page.locator('[data-rating]').textContent()).toBe(rating)
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('a puzzle that is solved at once raises rating and streak; another one follows', async () => {
  const { page, errors, close } = await visit(browser(), site, `/puzzles/${short.id}`)
  await state(page, 'asking')
  await draft(page, short.moves[0]!)
  await state(page, 'solved')
  await page.waitForFunction(() => document.querySelector('[data-rating]')?.textContent?.includes('±'))
  expect(Number.parseInt((await page.locator('[data-rating]').textContent()) ?? '', 10)).toBeGreaterThan(1_500)
  expect(await page.locator('[data-streak]').textContent()).toMatch(/^1/)
  await page.getByRole('button', { name: 'Next puzzle' }).click()
  await page.waitForSelector(`[data-puzzle]:not([data-puzzle="${short.id}"])`)
  await page.getByRole('button', { name: 'Solution' }).click()
  await state(page, 'shown')
  expect(await page.locator('[data-streak]').textContent()).toMatch(/^0/)
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('a line of several moves: the other player answers between them', async () => {
  if (!long) throw new Error('the set has no puzzle of two players with several drafts')
  const { page, errors, close } = await visit(browser(), site, `/puzzles/${long.id}`)
  const own = long.moves.filter((_, i) => i % 2 === 0)
  for (const [i, move] of own.entries()) {
    await page.waitForSelector(`[data-state=asking] .status-lines:has-text("${i === 0 ? `${own.length} moves of yours` : `move ${i + 1} of ${own.length}`}")`)
    await draft(page, move)
  }
  await state(page, 'solved')
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('the daily puzzle is the one of the date, for everybody', async () => {
  const day = Math.floor(Date.now() / 86_400_000)
  const expected = puzzles[Number((BigInt(day) * 104_729n) % BigInt(puzzles.length))]!
  for (const options of [{}, { timezoneId: 'Pacific/Kiritimati' }]) {
    const { page, errors, close } = await visit(browser(), site, '/puzzles', options)
    await state(page, 'asking')
    await page.getByRole('link', { name: 'Daily puzzle' }).click()
    await page.waitForSelector(`[data-puzzle="${expected.id}"]`)
    expect(real(errors)).toEqual([])
    await close()
  }
})

test.concurrent('puzzles without a network', async () => {
  const { page, close } = await visit(browser(), site, '/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.goto(`${site.url}/puzzles`)
  await state(page, 'asking')
  const part = index.parts.at(-1)!.file
  await page.waitForFunction(async (part) => (await caches.match(`puzzles/${part}`)) !== undefined, part)
  await page.context().setOffline(true)
  await page.reload()
  await state(page, 'asking')
  await page.goto(`${site.url}/puzzles/${short.id}`)
  await state(page, 'asking')
  await draft(page, short.moves[0]!)
  await state(page, 'solved')
  await close()
})

test.concurrent('what is not there is said', async () => {
  const { page, errors, close } = await visit(browser(), site, '/puzzles/nobody')
  await page.waitForSelector('[role=alert]:has-text("no such puzzle")')
  await page.getByRole('link', { name: 'All puzzles' }).click()
  await state(page, 'asking')
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent.each([
  ['light', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
])('puzzles are accessible and fit: %s', async (look, options) => {
  const { page, errors, close } = await visit(browser(), site, `/puzzles/${short.id}`, options)
  await state(page, 'asking')
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width)
  if (look !== 'phone') {
    await wrongMove(page, short.moves[0]!)
    await state(page, 'wrong')
    expect(await violations(page)).toEqual([])
  }
  expect(real(errors)).toEqual([])
  await close()
})
