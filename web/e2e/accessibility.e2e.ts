// Every page and dialog: accessible in every theme, large enough for touch, no horizontal scrolling.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { hosted, newGame, visit } from './harness.ts'

const { host, browser } = hosted()

/** Buttons, links and fields that are too small for touch. */
const tooSmall = (page: Page) =>
  page.$$eval('button, a.button, nav a, select, input, summary, .mine a', (targets) =>
    targets
      .filter((target) => !target.matches(':disabled, .unseen *, .skip, input[type=checkbox], input[type=radio]'))
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
      .map(({ target, box }) => `${target.outerHTML.slice(0, 90)} ${Math.round(box.width)}x${Math.round(box.height)}`),
  )

test.concurrent.each([
  ['light', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['more contrast', { contrast: 'more' as const }],
])('every page and dialog is accessible and fits: %s', async (look, options) => {
  const { page, errors, close } = await visit(browser(), host, '/', options)
  const fine = async (what: string, page: Page) => {
    // These themes differ only in their colors, so only contrast is checked.
    const rule = look === 'dark' || look === 'more contrast' ? 'color-contrast' : undefined
    expect([what, ...(await violations(page, rule))]).toEqual([what])
    expect([what, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([what, page.viewportSize()?.width])
    if (look === 'phone') expect([what, ...(await tooSmall(page))]).toEqual([what])
  }
  const { invitations, game: waiting } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'open' }], listed: true })
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }], seed: '4', listed: true })
  const pages = [
    ['/', '.mine li'],
    ['/new', 'form'],
    ['/lobby', 'main li'],
    ['/learn', '.table'],
    ['/replay', 'form'],
    ['/settings', 'form'],
    ['/privacy', 'main .actions'],
    [`/game/${waiting.id}`, '.waiting'],
    ['/nowhere', 'h1'],
    [`/game/${game.id}`, '.table'],
  ] as const
  for (const [path, ready] of pages) {
    await page.goto(host.url + path)
    await page.waitForSelector(ready)
    await fine(path, page)
  }
  // At the table: a choice, a hint, and the dialogs.
  const factory = page.locator('button.factory:not(:disabled)')
  if (look === 'phone') await factory.first().click()
  await page.locator('[data-pile] button:not(:disabled)').first().click()
  await fine('choosing a line', page)
  await page.keyboard.press('Escape')
  if (look === 'phone') {
    await page.getByRole('button', { name: /Show .+’s board/ }).click()
    await fine('the board of another player', page)
    await page.getByRole('button', { name: 'Close' }).click()
  }
  for (const name of ['Resign', 'Keys', 'Table in words', 'Settings']) {
    if (look === 'phone' && name !== 'Settings') await page.getByRole('button', { name: 'Moves and more' }).click()
    await page.getByRole('button', { name, exact: true }).click()
    await page.waitForSelector('dialog[open]')
    await fine(`dialog ${name}`, page)
    while ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
  }
  const guest = await visit(browser(), host, invitations[0]?.link ?? '', options)
  await guest.page.waitForSelector('h2:has-text("Play with")')
  await fine('/join', guest.page)
  expect(guest.errors).toEqual([])
  await guest.close()
  // The missing page answers 404, which the console of the browser reports.
  expect(errors.filter((text) => !text.includes('404'))).toEqual([])
  await close()
})
