// The review of a game on the static site: the graph, the better moves, luck and skill, mistakes tried again, links.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { playToEnd, visit, type Visitor } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

const record = (name: string) => readFileSync(join(import.meta.dirname, '../../testdata/records', name), 'utf8')
const GAME = record('two-players.txt')

/** Opens the review of a pasted record. Quick, unless a test is about something else. */
async function reviewed(text: string, options = {}, budget = 'quick'): Promise<Visitor> {
  const visitor = await visit(browser(), site, '/review', options)
  await visitor.page.evaluate((budget) => localStorage.setItem('azulejo.review.budget', JSON.stringify(budget)), budget)
  await visitor.page.reload()
  await visitor.page.fill('textarea', text)
  await visitor.page.getByRole('button', { name: 'Review it' }).click()
  return visitor
}

const whole = (page: Page) => page.waitForSelector('[data-status=done]', { timeout: 120_000 })
/** The first load of a deep address is answered with 404 and the document, as static hosts do. */
const real = (errors: string[]) => errors.filter((text) => !text.includes('404'))

test.concurrent('a review shows marks, better moves, accuracy and a ledger that adds up', async () => {
  const { page, errors, close } = await reviewed(GAME)
  const start = Date.now()
  await page.waitForSelector('.graph .edge[points*=" "]')
  console.log(`first results of a review after ${Date.now() - start} ms`)
  await whole(page)
  console.log(`quick review of 53 moves in ${Date.now() - start} ms`)
  // Dots in the graph and marks in the list are the same mistakes.
  const dots = await page.locator('.graph circle').count()
  expect(dots).toBeGreaterThan(3)
  const marks = await page.locator('.judged .marks b').allTextContents()
  expect(marks.filter(Boolean)).toHaveLength(dots)
  // The played move and the better one, on the table before the move.
  await page.getByRole('button', { name: 'Next mistake' }).click()
  expect(await page.locator('[data-arrow^=played] path.line').getAttribute('d')).toMatch(/^M/)
  expect(await page.locator('[data-arrow^=best] path.line').getAttribute('d')).toMatch(/^M/)
  expect(await page.locator('.words').textContent()).toMatch(/loses [\d.]+ %.*Better: /)
  // The bars of the waterfall, as the text says them.
  for (const name of ['Ana', 'José "o Mestre" Silva']) {
    await page.getByRole('group', { name: 'Player' }).getByRole('button', { name }).click()
    const text = (await page.locator('figure svg').getAttribute('aria-label')) ?? ''
    const numbers = [...text.matchAll(/([+−±]?)(\d+)(?= %| →)/g)].map(([, sign, n]) => (sign === '−' ? -1 : 1) * Number(n))
    const sum = numbers.reduce((sum, n) => sum + n, 0)
    const result = text.endsWith('won') ? 100 : 0
    // Each line is rounded.
    expect(Math.abs(sum - result)).toBeLessThan(5)
    expect(text.endsWith(name === 'Ana' ? 'lost' : 'won')).toBe(true)
  }
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a picture' }).click()
  const picture = readFileSync((await (await download).path())!)
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.length).toBeGreaterThan(10_000)
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('the keyboard and the graph scrub through the game', async () => {
  const { page, errors, close } = await reviewed(GAME)
  await whole(page)
  const value = () => page.locator('.graph input').getAttribute('aria-valuetext')
  expect(await value()).toContain('Moment 1 of')
  await page.keyboard.press('ArrowRight')
  expect(await value()).toContain('Moment 2 of')
  await page.keyboard.press('End')
  expect(await value()).toContain('The end')
  await page.keyboard.press('p')
  const at = await value()
  expect(at).not.toContain('The end')
  await page.keyboard.press('n')
  expect(await value()).toContain('The end')
  const box = (await page.locator('.graph input').boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + 40)
  expect(await value()).not.toContain('The end')
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('mistakes can be tried again', async () => {
  const { page, errors, close } = await reviewed(GAME)
  await whole(page)
  await page.getByRole('button', { name: 'Retry the mistakes of Ana' }).click()
  const status = page.locator('.retry [role=status]')
  await page.waitForSelector('.retry :text("Mistake 1 of")')
  const played = /played (\w+)\./.exec((await status.textContent()) ?? '')?.[1] ?? ''
  // The same mistake again is not it.
  await page.locator(`[data-pile="${played.slice(0, 2)}"] button`).click()
  await page.locator(`.mine [data-to="${played[2]}"].open`).click()
  await page.waitForSelector('.retry .bad', { timeout: 30_000 })
  expect(await status.textContent()).toContain(`${played} is not it`)
  await page.getByRole('button', { name: 'Show the move' }).click()
  const best = /best move is (\w+)\./.exec((await status.textContent()) ?? '')?.[1] ?? ''
  expect(await page.locator('[data-arrow^=best]').count()).toBe(1)
  // The next one is found at once, by looking it up in the review.
  await page.getByRole('button', { name: 'Next mistake', exact: true }).last().click()
  await page.waitForSelector('.retry :text("Mistake 2 of")')
  expect(best).toMatch(/^\d[BYRKW][1-5F]$/)
  await page.getByRole('button', { name: 'Show the move' }).click()
  const second = /best move is (\w+)\./.exec((await status.textContent()) ?? '')?.[1] ?? ''
  await page.getByRole('button', { name: 'Back to the review' }).click()
  await page.getByRole('button', { name: 'Retry the mistakes of Ana' }).click()
  await page.getByRole('button', { name: 'Show the move' }).click()
  await page.getByRole('button', { name: 'Next mistake', exact: true }).last().click()
  await page.waitForSelector('.retry :text("Mistake 2 of")')
  await page.locator(`[data-pile="${second.slice(0, 2)}"] button`).click()
  await page.locator(`.mine [data-to="${second[2]}"].open`).click()
  await page.waitForSelector('.retry .good', { timeout: 30_000 })
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('a link carries the game and the moment, and a kept review opens at once', async () => {
  const { page, errors, close } = await reviewed(GAME, { permissions: ['clipboard-read', 'clipboard-write'] })
  await whole(page)
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Copy a link to this moment' }).click()
  await page.waitForSelector('.note:has-text("The link is copied")')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/review#game=[\w-]+&at=7$/)
  expect(link.length).toBeLessThan(1_500)
  await page.goto('about:blank')
  const start = Date.now()
  await page.goto(link)
  await whole(page)
  console.log(`a kept review opens in ${Date.now() - start} ms`)
  expect(await page.locator('.graph input').getAttribute('aria-valuetext')).toContain('Moment 8 of')
  // The damaged link of a messenger.
  await page.goto('about:blank')
  await page.goto(link.replace(/game=.{40}/, 'game='))
  await page.waitForSelector('[role=alert]:has-text("damaged")')
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('a normal review is paused, continued and finished', async () => {
  const { page, errors, close } = await reviewed(GAME, {}, 'normal')
  const start = Date.now()
  await page.waitForSelector('.player', { timeout: 60_000 })
  console.log(`normal review: a whole quick one stands after ${Date.now() - start} ms`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.waitForSelector('[data-status=paused]')
  // What is under way when the pause begins is the last thing that comes.
  await page.waitForTimeout(1_500)
  const paused = await page.locator('.state .number').textContent()
  await page.waitForTimeout(1_000)
  expect(await page.locator('.state .number').textContent()).toBe(paused)
  await page.getByRole('button', { name: 'Go on' }).click()
  await whole(page)
  console.log(`normal review of 53 moves in ${Date.now() - start - 2_500} ms`)
  expect(await page.locator('.players strong:has-text("Preliminary")').count()).toBe(0)
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('what cannot be reviewed is refused with words', async () => {
  const { page, errors, close } = await visit(browser(), site, '/review')
  const refused = async (text: string, words: string) => {
    await page.fill('textarea', text)
    await page.getByRole('button', { name: 'Review it' }).click()
    await page.waitForSelector(`[role=alert]:has-text("${words}")`)
  }
  await refused('hello', 'This cannot be reviewed')
  await refused(GAME.replace('4K2', '4K9'), 'This cannot be reviewed')
  await refused('[Azulejo "1"]\n[Rules "2c"]\n[First "1"]\n\nround 1 BBYR-KKKK-BYRK-YWWW-RRKK\n*\n', 'nothing to review')
  // A game that was not finished is reviewed as far as it goes.
  await page.fill('textarea', `${GAME.slice(0, GAME.indexOf('round 2'))}*\n`)
  await page.getByRole('button', { name: 'Review it' }).click()
  await page.waitForSelector('strong:has-text("not finished")', { timeout: 60_000 })
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('a game of this browser is reviewed from its end and from the list; a running one is not', async () => {
  const { page, errors, close } = await visit(browser(), site, '/')
  await page.evaluate(() => {
    localStorage.setItem('azulejo.settings', JSON.stringify({ level: 1, sound: false, name: 'Ana' }))
    localStorage.setItem('azulejo.review.budget', '"quick"')
  })
  await page.reload()
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.waitForURL(/\/game\/local-/)
  const id = /local-\w+/.exec(page.url())?.[0]
  await page.goto(`${site.url}/review/${id}`)
  await page.waitForSelector('[role=alert]:has-text("You are playing this game")')
  await page.getByRole('link', { name: 'To the game' }).click()
  await playToEnd(page)
  await page.locator('.end').getByRole('link', { name: 'Review' }).click()
  await whole(page)
  expect(await page.locator('.player h2').textContent()).toBe('Ana')
  await page.goto(`${site.url}/`)
  await page.locator('.mine').getByRole('link', { name: 'Review' }).click()
  await whole(page)
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent.each([
  ['light', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
])('the review is accessible and fits: %s', async (_, options) => {
  const { page, errors, close } = await reviewed(record('grey-jokers.txt'), options)
  await whole(page)
  await page.keyboard.press('n')
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width)
  expect(real(errors)).toEqual([])
  await close()
})
