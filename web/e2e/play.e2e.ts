// Whole games against the engine of a server: by mouse and by keyboard alone. One by touch is in `layout.e2e.ts`,
// games in the browser alone are in `site.e2e.ts`.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { draft, gameOf, hosted, myTurn, newGame, sensible, shownAfter, visit } from './harness.ts'

const { host, browser } = hosted()

/** Opens a game on the server, against the weakest level. */
async function playNow(page: Page) {
  await page.evaluate(() => localStorage.setItem('azulejo.settings', JSON.stringify({ level: 1, sound: false })))
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'engine', level: 1 }] })
  await page.goto(`${host.url}/game/${game.id}`)
}

/** Plays to the end; `how` performs a legal move. */
async function playOut(page: Page, how: (move: string) => Promise<void>): Promise<number> {
  let moves = 0
  while ((await myTurn(page)) === 'move') {
    const game = await gameOf(page)
    const move = sensible(game)
    if (!game.your_turn || !move) continue
    await how(move.move)
    moves += 1
    await shownAfter(page, game.number)
    expect(moves).toBeLessThan(200)
  }
  return moves
}

const parts = (move: string) => /^(\d)([BYRKW])([1-5F])$/.exec(move)?.slice(1) as [string, string, string]

test.concurrent('a whole game by mouse', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  await playNow(page)
  let isFirst = true
  const moves = await playOut(page, async (move) => {
    if (isFirst) {
      isFirst = false
      const [source, color, to] = parts(move)
      await page.click(`[data-pile="${source}${color}"] button`)
      await page.hover(`.mine [data-to="${to}"]`)
      expect(await page.locator('.mine .ghost').count()).toBeGreaterThan(0)
      expect(await violations(page)).toEqual([])
      await page.click(`.mine [data-to="${to}"]`)
    } else await draft(page, move)
  })
  expect(moves).toBeGreaterThan(10)
  const game = await gameOf(page)
  expect(game.status).toBe('over')
  // The page shows the final state of the server.
  for (const board of game.position.boards) {
    expect(await page.locator(`[data-spot="s${board.seat}-score"] strong`).textContent()).toBe(String(board.score))
    const placed = board.wall.join('').replaceAll('.', '').length
    expect(await page.locator(`[data-seat="${board.seat}"] .wall .tile.solid`).count()).toBe(placed)
  }
  await page.waitForSelector('.end tbody td:not(:has-text("…"))')
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
  await close()
})

test.concurrent('a whole game by keyboard alone', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  await playNow(page)
  let n = 0
  const moves = await playOut(page, async (move) => {
    const [source, color, to] = parts(move)
    n += 1
    if (n % 2 === 0) {
      // Type the move in the notation.
      for (const key of move) await page.keyboard.press(key)
      return
    }
    // Tab to the table, arrows to the pile, Enter, arrows to the line, Enter.
    const isOnPile = () => page.evaluate(() => Boolean(document.activeElement?.closest('[data-pile]')))
    for (let i = 0; i < 40 && !(await isOnPile()); i++) await page.keyboard.press('Tab')
    const pile = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pile]')?.dataset.pile)
    for (let i = 0; i < 60 && (await pile()) !== source + color; i++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const line = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.to)
    await page.waitForFunction(() => (document.activeElement as HTMLElement | null)?.dataset.to)
    for (let i = 0; i < 12 && (await line()) !== to; i++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  })
  expect(moves).toBeGreaterThan(10)
  expect((await gameOf(page)).status).toBe('over')
  expect(errors).toEqual([])
  await close()
})
