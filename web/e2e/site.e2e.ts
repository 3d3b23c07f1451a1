// The static site, without any server process: whole games in the browser alone.

import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { anyMove, myTurn, playToEnd, program, shownAfter, visit, type Visitor } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

/** A new visitor with quick games. */
async function arrive(options = {}): Promise<Visitor> {
  const visitor = await visit(browser(), site, '/', options)
  await visitor.page.evaluate(() => localStorage.setItem('azulejo.settings', JSON.stringify({ level: 1, sound: false, name: 'Ana' })))
  await visitor.page.reload()
  return visitor
}

async function playNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.waitForURL(/\/game\/local-/)
}

/** Chooses from a list of the form for a new game. */
const choose = (page: Page, label: string, value: string) => page.locator(`select[aria-label="${label}"], label:has-text("${label}") select`).first().selectOption(value)

/** Saves the record of a finished game and lets the program verify it. */
async function verify(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.locator('.end details:not([open]) summary').click()
  await page.getByRole('button', { name: 'Download the record', exact: true }).click()
  const file = await (await download).path()
  return execFileSync(program(), ['verify', '--json', file], { encoding: 'utf8' })
}

test.concurrent('a whole game by mouse, whose record can be verified', async () => {
  const { page, errors, close } = await arrive()
  await playNow(page)
  expect(await playToEnd(page)).toBeGreaterThan(10)
  await page.waitForSelector('.end tbody td:not(:has-text("…"))')
  expect(await violations(page)).toEqual([])
  expect(await verify(page)).toContain('"verdict":"kept"')
  // A rematch, and both games in the list.
  await page.getByRole('button', { name: 'Rematch' }).click()
  await anyMove(page)
  await page.goto(`${site.url}/`)
  await page.waitForSelector('.mine li')
  expect(await page.locator('.mine li').count()).toBe(2)
  expect(await page.locator('.mine li').first().textContent()).toContain('Ana')
  expect(errors).toEqual([])
  await close()
})

test.concurrent('a whole game by keyboard alone', async () => {
  const { page, errors, close } = await arrive()
  // Reach the button with the Tab key.
  for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement?.textContent === 'Play now')); i++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/game\/local-/)
  let moves = 0
  for (; (await myTurn(page)) === 'move'; moves++) {
    const before = Number(await page.getAttribute('main', 'data-number'))
    const isOn = (selector: string) => page.evaluate((selector) => Boolean(document.activeElement?.closest(selector)), selector)
    for (let i = 0; i < 60 && !(await isOn('[data-pile]')); i++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.matches('.mine button.open'))
    await page.keyboard.press('Enter')
    await shownAfter(page, before)
  }
  expect(moves).toBeGreaterThan(10)
  expect(errors).toEqual([])
  await close()
})

test.concurrent('a whole game by touch on a phone', async () => {
  const { page, errors, close } = await arrive({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await playNow(page)
  expect(await playToEnd(page, 'touchscreen')).toBeGreaterThan(10)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(errors).toEqual([])
  await close()
})

test.concurrent.each([
  { n: 3, wall: 'grey', jokers: true, others: ['here', 'engine1'] },
  { n: 4, wall: 'colored', jokers: false, others: ['engine1', 'engine1', 'engine1'] },
])('a whole game with $n players, wall $wall, jokers $jokers', async ({ n, wall, jokers, others }) => {
  const { page, errors, close } = await arrive()
  await page.getByRole('link', { name: 'New game' }).click()
  await page.getByLabel(`${n} players`).check()
  for (const [i, kind] of others.entries()) await choose(page, `Who plays seat ${i + 2}`, kind)
  // Only a server can invite.
  expect(await page.locator('option[value=open]').count()).toBe(0)
  await choose(page, 'Wall', wall)
  if (jokers) await page.getByLabel('Play with Joker tiles').check()
  await page.getByRole('button', { name: 'Start the game' }).click()
  expect(await playToEnd(page)).toBeGreaterThan(8)
  expect(await page.locator('.board').count()).toBe(n)
  expect(await verify(page)).toContain('"verdict":"kept"')
  expect(errors).toEqual([])
  await close()
})
