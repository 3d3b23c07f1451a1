// What the table says: hints on the board, the last move, looking back, prepared moves, notices of a turn.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask, draft, gameOf, hosted, myTurn, newGame, sensible, shownAfter, visit } from './harness.ts'

const { host, browser } = hosted()

/** A game of two people in two browsers: `ana` is the one to move. */
async function twoPeople(prepare: (page: Page) => Promise<void> = async () => {}) {
  const ana = await visit(browser(), host, '/')
  await prepare(ana.page)
  const { game, invitations } = await newGame(ana.page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'open' }] })
  const bruno = await visit(browser(), host, '/')
  await prepare(bruno.page)
  await ask(bruno.page, 'POST', '/people', { name: 'Bruno', cookie: true })
  await bruno.page.evaluate(() => localStorage.setItem('azulejo.person', 'yes'))
  await bruno.page.goto(host.url + invitations[0]?.link)
  await bruno.page.getByRole('button', { name: 'Sit down' }).click()
  await bruno.page.waitForSelector('.table')
  await ana.page.goto(`${host.url}/game/${game.id}`)
  await ana.page.waitForSelector('.table')
  return (await gameOf(ana.page)).your_turn ? { ana, bruno } : { ana: bruno, bruno: ana }
}

test('a hint shows on the board, comes into view and has the focus', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'engine', level: 1 }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  await page.keyboard.press('h')
  await page.waitForSelector('.hint li', { timeout: 60_000 })
  expect(await page.evaluate(() => document.activeElement?.classList.contains('hint'))).toBe(true)
  expect(await page.locator('.offer .pile.advised').count()).toBe(1)
  expect(await page.locator('.mine button.advised').count()).toBe(1)
  expect(await page.locator('.table > svg .line').getAttribute('d')).toMatch(/^M\d/)
  // The best move comes first.
  const chances = (await page.locator('.hint li').allTextContents()).map((text) => Number(/(\d+)% chance/.exec(text)?.[1]))
  expect(chances).toEqual([...chances].sort((a, b) => b - a))
  expect(errors).toEqual([])
  await close()
})

test('the last move is marked, can be shown again, and earlier moves can be looked at', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  const moves: string[] = []
  for (let i = 0; i < 3; i++) {
    const now = await gameOf(page)
    moves.push(sensible({ ...now, moves: now.moves.filter(({ move }) => !move.startsWith('0')) })?.move ?? '')
    await draft(page, moves[i] ?? '')
    await shownAfter(page, now.number)
  }
  const tiles = () => page.locator('.factory .tile').count()
  const now = await tiles()
  expect(await page.locator('.factory.last').getAttribute('data-source')).toBe(moves[2]?.[0])
  expect(await page.locator('.status-lines').textContent()).toMatch(/ takes /)
  // R shows the position before the move, then the move.
  await page.keyboard.press('r')
  await expect.poll(tiles).toBe(now + 4)
  await expect.poll(tiles).toBe(now)
  // Comma goes back one move at a time; no move can be made there; Escape returns to the game.
  await page.keyboard.press(',')
  await page.getByText('Looking back').waitFor()
  expect(await tiles()).toBe(now + 4)
  expect(await page.locator('[data-pile] button:not(:disabled)').count()).toBe(0)
  await page.keyboard.press(',')
  expect(await tiles()).toBe(now + 8)
  await page.keyboard.press('Escape')
  expect(await tiles()).toBe(now)
  // A click on a move looks at it.
  await page.locator('.moves li button').first().click()
  expect(await tiles()).toBe(now + 8)
  await page.getByRole('button', { name: 'Back to the game' }).first().click()
  expect(await tiles()).toBe(now)
  expect(errors).toEqual([])
  await close()
})

test('a prepared move is played when the turn comes, or canceled if it is no longer possible', async () => {
  const { ana, bruno } = await twoPeople()
  const first = await gameOf(ana.page)
  const wanted = sensible(first)?.move ?? ''
  const source = wanted[0] === '1' ? 2 : 1
  // Bruno prepares a move with another factory, changes his mind, and prepares it again.
  const prepare = async (factory: number) => {
    await bruno.page.locator(`[data-source="${factory}"] [data-pile] button:not(:disabled)`).first().click()
    await bruno.page.locator('.mine [data-to="5"].open').click()
    await bruno.page.getByText('Your next move').waitFor()
  }
  await prepare(source)
  await bruno.page.keyboard.press('Escape')
  expect(await bruno.page.getByText('Your next move').count()).toBe(0)
  await prepare(source)
  await draft(ana.page, wanted)
  await expect.poll(async () => (await gameOf(ana.page)).n_moves).toBe(2)
  expect((await gameOf(ana.page)).last_move).toMatch(new RegExp(`^${source}.5$`))
  // Now Ana takes the factory that Bruno wants.
  await myTurn(ana.page)
  const next = (await gameOf(ana.page)).moves.map(({ move }) => move).find((move) => !move.startsWith('0')) ?? ''
  await prepare(Number(next[0]))
  await draft(ana.page, next)
  await bruno.page.getByText('Your prepared move is no longer possible.').first().waitFor()
  expect((await gameOf(ana.page)).n_moves).toBe(3)
  for (const { errors, close } of [ana, bruno]) {
    expect(errors).toEqual([])
    await close()
  }
})

test('a turn is announced in a tab in the background', async () => {
  const { ana, bruno } = await twoPeople(async (page) => {
    await page.context().grantPermissions(['notifications'])
    await page.context().addInitScript(() => {
      const calls = { notices: [] as string[], sounds: 0, vibrations: 0 }
      Object.assign(window, { calls })
      Object.assign(window, {
        Notification: class {
          static permission = 'granted'
          static async requestPermission(): Promise<string> {
            return 'granted'
          }
          constructor(title: string) {
            calls.notices.push(title)
          }
        },
      })
      const start = AudioScheduledSourceNode.prototype.start
      AudioScheduledSourceNode.prototype.start = function (...args) {
        calls.sounds += 1
        return start.apply(this, args)
      }
      navigator.vibrate = () => ((calls.vibrations += 1), true)
    })
  })
  // Allowed in the settings at the table.
  await bruno.page.getByRole('button', { name: 'Settings' }).click()
  await bruno.page.getByLabel('Notify me when it is my turn').check()
  await bruno.page.keyboard.press('Escape')
  const icon = () => bruno.page.locator('link[rel="icon"]').getAttribute('href')
  expect([await bruno.page.title(), await icon()]).toEqual([expect.not.stringContaining('Your turn'), expect.stringContaining('icon.svg')])
  await bruno.page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }))
  await draft(ana.page, sensible(await gameOf(ana.page))?.move ?? '')
  await expect.poll(() => bruno.page.title()).toContain('● Your turn')
  await expect.poll(icon).toMatch(/^data:image\/svg/)
  expect(await bruno.page.evaluate('calls')).toEqual({ notices: ['Your turn'], sounds: 1, vibrations: 1 })
  // When the turn is over, the notices are too.
  await bruno.page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => false }))
  await draft(bruno.page, sensible(await gameOf(bruno.page))?.move ?? '')
  await expect.poll(() => bruno.page.title()).not.toContain('Your turn')
  await expect.poll(icon).toContain('icon.svg')
  for (const { errors, close } of [ana, bruno]) {
    expect(errors).toEqual([])
    await close()
  }
})

test('the settings at the table apply at once', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  expect(await page.locator('.factory .lettered').count()).toBe(0)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Letters on the tiles').check()
  await page.getByLabel('Ask before every move').check()
  await page.keyboard.press('Escape')
  expect(await page.locator('.factory .lettered').count()).toBe(20)
  await draft(page, sensible(await gameOf(page))?.move ?? '')
  await page.getByRole('button', { name: 'Undo' }).click()
  // A wrong typed move is explained in the dialog in which it was typed.
  await page.getByRole('button', { name: 'Keys' }).click()
  await page.getByLabel('Type a move').fill('9Z9')
  await page.getByRole('dialog').getByRole('button', { name: 'Play' }).click()
  await page.getByRole('dialog').getByText('This is not a move.').waitFor()
  await page.keyboard.press('Escape')
  // Resigning asks first, and Enter does no harm.
  await page.getByRole('button', { name: 'Resign' }).click()
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog[open]', { state: 'detached' })
  expect((await gameOf(page)).status).toBe('playing')
  expect(errors).toEqual([])
  await close()
})

test('a game that does not exist is not asked for again and again', async () => {
  const { page, close } = await visit(browser(), host, '/')
  let sockets = 0
  page.on('websocket', () => (sockets += 1))
  await page.goto(`${host.url}/game/nonsense`)
  await page.getByText('Page not found').waitFor()
  const opened = sockets
  await page.waitForTimeout(2_500)
  expect(sockets).toBe(opened)
  await close()
})
