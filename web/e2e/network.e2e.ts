// Bad connections: slow, cut during moves, half-open, missing, and background tabs. No move is lost or
// played twice, and the app shows the state of the connection.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, draft, gameOf, hosted, myTurn, newGame, sensible, shownAfter, visit } from './harness.ts'
import { Wire } from './wire.ts'

const { host, browser } = hosted()
const wire = new Wire(() => host.port)

beforeAll(() => wire.open())
afterAll(() => wire.close())

const TWO = [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }]

/** A two-player game on one device, through the proxy. */
async function table(options = {}) {
  const visitor = await visit(browser(), wire, '/', options)
  const { game } = await newGame(visitor.page, { seats: TWO, seed: '3' })
  await visitor.page.goto(`${wire.url}/game/${game.id}`)
  await myTurn(visitor.page)
  return { ...visitor, id: game.id }
}

/** Plays a sensible move. */
const choose = async (page: Page) => draft(page, sensible(await gameOf(page))?.move ?? '')

/** The number of the last event on display. */
const number = (page: Page) => page.evaluate(() => Number(document.querySelector<HTMLElement>('main')?.dataset.number))

test('a slow connection that breaks at every move plays every move once', async () => {
  const { page, close } = await table()
  wire.delay_ms = 150
  for (let i = 0; i < 5; i++) {
    await myTurn(page)
    const before = await number(page)
    await choose(page)
    // Break the connection before or after the move has reached the server.
    await page.waitForTimeout(60 * i)
    wire.cut()
    await shownAfter(page, before)
    expect(await number(page)).toBe(before + 1)
  }
  wire.delay_ms = 0
  await page.waitForSelector('.connection', { state: 'detached' })
  expect((await gameOf(page)).n_moves).toBe(5)
  await close()
})

test('a half-open connection is detected, reported and replaced, and the move is played once', async () => {
  const { page, close } = await table()
  const before = await number(page)
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  const move = sensible(await gameOf(page))?.move ?? ''
  await page.click(`[data-pile="${move.slice(0, 2)}"] button`)
  wire.dropsAnswers = true
  await page.click(`.mine [data-to="${move[2]}"]`)
  await page.waitForSelector('.connection:has-text("Slow connection")')
  await page.waitForSelector('.connection:has-text("Connection lost")', { timeout: 30_000 })
  wire.dropsAnswers = false
  // Connections opened in the meantime are half-open too.
  wire.cut()
  await shownAfter(page, before)
  await page.waitForSelector('.connection', { state: 'detached', timeout: 30_000 })
  // The move was resent, because its answer never arrived.
  expect(sent.filter((text) => text.includes('"move"')).length).toBeGreaterThan(0)
  const game = await gameOf(page)
  expect([game.n_moves, game.last_move]).toEqual([1, move])
  await close()
})

test('only moves are resent: a second take-back would take back too much', async () => {
  const { page, id, close } = await table()
  for (let i = 0; i < 2; i++) {
    const before = await number(page)
    await choose(page)
    await shownAfter(page, before)
  }
  wire.dropsAnswers = true
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.waitForTimeout(300)
  wire.dropsAnswers = false
  wire.cut()
  await page.waitForSelector('.connection', { state: 'detached', timeout: 30_000 })
  await expect.poll(async () => (await gameOf(page)).n_moves).toBe(1)
  await myTurn(page)
  expect((await ask<{ n_moves: number }>(page, 'GET', `/games/${id}`)).n_moves).toBe(1)
  await close()
})

test('a background tab shows the newest position at once, without animations', async () => {
  const { page, id, errors, close } = await table({ reducedMotion: 'no-preference' })
  await page.evaluate(() => {
    Object.assign(window, { flown: 0 })
    const count = (node: Node) => (node as Element).classList?.contains('flying') && Object.assign(window, { flown: (window as never as { flown: number }).flown + 1 })
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(count))).observe(document.body, { childList: true })
    // Browsers report this when another tab is in front.
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const other = await page.context().newPage()
  await other.goto(`${wire.url}/settings`)
  for (let i = 0; i < 12; i++) {
    const game = await ask<Parameters<typeof sensible>[0]>(other, 'GET', `/games/${id}`)
    await ask(other, 'POST', `/games/${id}/commands`, { type: 'move', move: sensible(game)?.move })
  }
  const { number: newest, n_moves } = await ask<{ number: number; n_moves: number }>(other, 'GET', `/games/${id}`)
  await expect.poll(() => number(page), { timeout: 5_000 }).toBe(newest)
  expect(n_moves).toBe(12)
  expect(await page.evaluate('flown')).toBe(0)
  // In front again: old moves are not animated.
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hidden')
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await myTurn(page)
  expect(await page.evaluate('flown')).toBe(0)
  // The same for a frozen tab: a long queue of reports is not animated.
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
  for (let i = 0; i < 6; i++) {
    const game = await ask<Parameters<typeof sensible>[0]>(other, 'GET', `/games/${id}`)
    await ask(other, 'POST', `/games/${id}/commands`, { type: 'move', move: sensible(game)?.move })
  }
  const last = (await ask<{ number: number }>(other, 'GET', `/games/${id}`)).number
  await cdp.send('Page.setWebLifecycleState', { state: 'active' })
  await expect.poll(() => number(page), { timeout: 15_000 }).toBe(last)
  expect(await page.locator('.flying, .bubble').count()).toBe(0)
  expect(errors).toEqual([])
  await close()
})

test('the app opens offline, says so, and continues when the server is back', async () => {
  const { page, close } = await visit(browser(), host, '/')
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller) await new Promise((over) => navigator.serviceWorker.addEventListener('controllerchange', over, { once: true }))
  })
  const { game } = await newGame(page, { seats: TWO, seed: '3' })
  host.kill()
  // One visit is enough: pages that were never opened work too.
  for (const path of ['/', '/lobby']) {
    await page.goto(host.url + path)
    await page.waitForSelector('[role=alert]:has-text("The server cannot be reached")')
  }
  // What needs no server goes on: a lesson, and a new game.
  await page.goto(`${host.url}/learn`)
  await page.waitForSelector('[data-pile="1B"] button:not(:disabled)')
  await page.goto(host.url)
  await page.getByRole('button', { name: 'Play now' }).click()
  await myTurn(page)
  await page.goto(`${host.url}/game/${game.id}`)
  await page.waitForSelector('.connection:has-text("Connection lost")')
  await host.start()
  await myTurn(page)
  await page.waitForSelector('.connection', { state: 'detached', timeout: 30_000 })
  await close()
})
