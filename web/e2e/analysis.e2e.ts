// The analysis board on the static site: set-up by hand, variations, the engine's lines, deals, links, bad input.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { press, program, visit } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

const GAME = readFileSync(join(import.meta.dirname, '../../testdata/records/two-players.txt'), 'utf8')
const EMPTY = '0~.-..-...-....-.....~.....-.....-.....-.....-.....~.'
const START = `az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._${EMPTY}_${EMPTY}`
const at = (position: string) => `/analysis?position=${position}`
/** Pages other than the first are answered with 404 and the document, as static hosts do. */
const real = (errors: string[]) => errors.filter((text) => !text.includes('404'))

async function draft(page: Page, move: string): Promise<void> {
  await press(page, `.offer [data-pile="${move.slice(0, 2)}"] button:not(:disabled)`)
  await press(page, `.mine [data-to="${move[2]}"].open`)
  await page.waitForSelector(`[data-node="${move}"].now`)
}

const node = (page: Page, action: string) => page.locator(`[data-node="${action}"]`)
const paste = async (page: Page, text: string) => {
  // After a refusal the text is still there, to be mended.
  if (!(await page.locator('textarea').isVisible())) await page.locator('summary').click()
  await page.fill('textarea', text)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

test.concurrent('variations are played, promoted, commented, undone, deleted and exported', async () => {
  const { page, errors, close } = await visit(browser(), site, at(START))
  await page.waitForSelector('.table')
  await page.getByLabel('Engine').uncheck()
  await draft(page, '1B2')
  expect(await page.locator('.mine .board').getAttribute('data-seat')).toBe('2')
  await draft(page, '2K4')
  // Back to the beginning, another first move, with the keyboard.
  await page.keyboard.press('Home')
  await page.waitForSelector('[aria-current=step]:has-text("Start")')
  await page.waitForSelector('.offer [data-pile="4W"] button:not(:disabled)')
  for (const key of ['4', 'w', '3']) await page.keyboard.press(key)
  await node(page, '4W3').waitFor()
  expect(await page.locator('.row[data-depth="1"]').textContent()).toContain('4W3')
  await page.getByLabel('Comment on this move').fill('bold')
  await page.getByLabel('Comment on this move').blur()
  await page.getByRole('button', { name: 'Promote' }).click()
  await page.waitForSelector('.row[data-depth="0"] [data-node="4W3"]')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForSelector('.row[data-depth="1"] [data-node="4W3"]')
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.waitForSelector('.row[data-depth="0"] [data-node="4W3"]')
  // The main line is a record that the program reads, with the other variation in a comment.
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a record' }).click()
  const file = (await (await download).path())!
  const text = readFileSync(file, 'utf8')
  expect(text.replace(/\s+/g, ' ')).toContain('4W3 {bold (or 1B2 2K4)}')
  expect(execFileSync(program(), ['replay', file], { encoding: 'utf8' })).toBeTruthy()
  await node(page, '1B2').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  expect(await node(page, '2K4').count()).toBe(0)
  await page.keyboard.press('Control+z')
  await node(page, '2K4').waitFor()
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('the engine shows three moves with depth and arrows, and goes deeper', async () => {
  const { page, errors, close } = await visit(browser(), site, at(START))
  await page.waitForSelector('.lines li:nth-child(3)', { timeout: 60_000 })
  expect(await page.locator('[data-arrow^=best]').count()).toBe(1)
  expect(await page.locator('[data-arrow^=other]').count()).toBe(2)
  const depth = Number(await page.getAttribute('.lines', 'data-depth'))
  await page.waitForFunction((depth) => Number(document.querySelector<HTMLElement>('.lines')?.dataset.depth) > depth, depth, { timeout: 60_000 })
  const best = await page.locator('.lines li strong').first().textContent()
  await page.locator('.lines li button').first().click()
  await page.waitForSelector(`[data-node="${best}"].now`)
  // The whole line is in the tree, and the engine looks at the position after its first move.
  expect(await page.locator('[data-node]').count()).toBeGreaterThan(2)
  await page.waitForSelector('.lines li:nth-child(3)', { timeout: 60_000 })
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('the next deal is drawn, laid out by hand, or sampled', async () => {
  const { page, errors, close } = await visit(browser(), site, '/analysis')
  await page.getByRole('button', { name: 'All deals' }).click()
  await page.waitForSelector('[data-deals="32"]', { timeout: 120_000 })
  const means = await page.locator('[data-deals] tbody td:first-of-type').allTextContents()
  const sum = means.map((text) => Number.parseFloat(text)).reduce((a, b) => a + b, 0)
  expect(Math.abs(sum - 100)).toBeLessThan(0.3)
  await page.getByRole('button', { name: 'Lay out by hand' }).click()
  await page.getByRole('button', { name: 'Deal these tiles' }).click()
  await page.waitForSelector('.deal [role=alert]')
  for (let i = 1; i <= 5; i++) for (let k = 0; k < 4; k++) await page.getByRole('button', { name: new RegExp(`^Factory ${i}:`) }).click()
  await page.getByRole('button', { name: 'Deal these tiles' }).click()
  await node(page, 'BBBB-BBBB-BBBB-BBBB-BBBB').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Draw at random' }).click()
  await page.waitForFunction(() => document.querySelectorAll('[data-node]').length === 2)
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('a position is set up by hand, and its faults are named while it is edited', async () => {
  const { page, errors, close } = await visit(browser(), site, '/analysis')
  await page.getByRole('button', { name: 'Set up a position' }).click()
  const faults = page.locator('.faults')
  await faults.getByText('A legal position.').waitFor()
  await page.getByLabel('Phase').selectOption('true')
  await faults.getByText('there is no tile to draft').waitFor()
  await page.getByRole('button', { name: 'red', exact: true }).click()
  const factory = page.getByRole('button', { name: /^Factory 3:/ })
  for (let i = 0; i < 5; i++) await factory.click()
  await faults.getByText('factory 3 holds 5 tiles').waitFor()
  expect(await page.getByRole('button', { name: 'Analyze it' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Eraser' }).click()
  await factory.click()
  await faults.getByText('A legal position.').waitFor()
  await page.getByRole('button', { name: 'blue', exact: true }).click()
  await page.getByRole('button', { name: 'Row 1, column 1: empty' }).first().click()
  await page.getByRole('button', { name: /^line 2:/ }).nth(1).click()
  await page.getByRole('button', { name: 'Row 1, column 2: empty' }).first().click()
  await faults.getByText('a blue tile on the yellow space in row 1, column 2').waitFor()
  await page.getByRole('button', { name: 'Row 1, column 2: blue' }).first().click()
  await faults.getByText('A legal position.').waitFor()
  await page.getByRole('button', { name: 'Analyze it' }).click()
  await page.waitForSelector('.table')
  // The address holds the position: a reload opens it again.
  expect(page.url()).toContain('_.-.-RRRR-.-._')
  await page.reload()
  await page.waitForSelector('.offer [data-pile="3R"]')
  // Three players with a grey wall and jokers.
  await page.getByRole('button', { name: 'Set up a position' }).click()
  await page.getByLabel('Players').selectOption('3')
  await page.getByLabel('Rules').selectOption('gj')
  await page.getByRole('button', { name: /^Factory 7:/ }).waitFor()
  await page.getByRole('button', { name: 'joker', exact: true }).waitFor()
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent('records and positions are opened; bad ones are refused with words', async () => {
  const { page, errors, close } = await visit(browser(), site, '/analysis')
  await page.waitForSelector('.table')
  await paste(page, GAME)
  await node(page, '1Y2').waitFor()
  await page.keyboard.press('End')
  // Over: no moves, no lines, no error.
  await page.waitForSelector('.now:has-text("The game is over here.")')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForSelector('.now:has-text("Round 1 is to be dealt")')
  for (const [text, words] of [
    ['az1_2c', 'the text ends before'],
    [START.replace('KKKK', 'KKKKK'), 'factory 2 holds 5 tiles'],
    ['nonsense', 'This cannot be analyzed'],
  ] as const) {
    await paste(page, text)
    await page.waitForSelector(`[role=alert]:has-text("${words}")`)
    await page.getByRole('button', { name: 'To the board' }).click()
    await page.waitForSelector('.table')
  }
  await page.goto(site.url + at('az1_broken'))
  await page.waitForSelector('[role=alert]:has-text("This cannot be analyzed")')
  expect(real(errors)).toEqual([])
  await close()
})

test.concurrent.each([
  ['light', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
])('the analysis board is accessible and fits: %s', async (_, options) => {
  const { page, errors, close } = await visit(browser(), site, at(START), options)
  const fine = async () => {
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width)
  }
  await page.waitForSelector('.lines li:nth-child(3)', { timeout: 60_000 })
  await fine()
  await page.goto(`${site.url}/analysis`)
  await page.getByRole('button', { name: 'Lay out by hand' }).click()
  await fine()
  await page.getByRole('button', { name: 'Set up a position' }).click()
  await page.waitForSelector('.editor')
  await fine()
  expect(real(errors)).toEqual([])
  await close()
})
