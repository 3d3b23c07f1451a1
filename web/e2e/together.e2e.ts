// Several players: by link, with a spectator, across a crash of the server, on one device, by the lobby.

import { expect, test } from 'vitest'
import { draft, gameOf, hosted, myTurn, newGame, press, sensible, shownAfter, visit, type Visitor } from './harness.ts'
import { legalMoves } from '../src/lib/moves.ts'

const { host, browser } = hosted()

/** A two-player game joined by link, before the first move. */
async function twoPeople(): Promise<{ ana: Visitor; bruno: Visitor; id: string }> {
  const ana = await visit(browser(), host, '/new')
  await ana.page.getByLabel('Your name').fill('Ana')
  await ana.page.getByRole('button', { name: 'Create and invite' }).click()
  const link = await ana.page.getByRole('textbox', { name: 'Invitation link for seat 2' }).inputValue()
  const bruno = await visit(browser(), host, '/')
  await bruno.page.goto(link)
  await bruno.page.getByLabel('Your name').fill('Bruno')
  await bruno.page.getByRole('button', { name: 'Sit down' }).click()
  await bruno.page.waitForSelector('.table')
  await ana.page.waitForSelector('.table')
  return { ana, bruno, id: new URL(ana.page.url()).pathname.split('/')[2] ?? '' }
}

/** The player to move plays a sensible move with the mouse. */
async function turn(people: Visitor[]): Promise<void> {
  for (const { page } of people) {
    const game = await gameOf(page)
    if (!game.your_turn) continue
    await myTurn(page)
    const move = sensible(game)?.move ?? ''
    await draft(page, move)
    await shownAfter(page, game.number)
    return
  }
}

/** The tiles on the boards of a page. */
const shown = (visitor: Visitor) =>
  visitor.page.$$eval('.board', (boards) =>
    boards
      .map((board) => `${(board as HTMLElement).dataset.seat} ${[...board.querySelectorAll('.tile.solid')].map((tile) => `${tile.closest('[data-spot]')?.getAttribute('data-spot')}${(tile as HTMLElement).dataset.tile}`).join(' ')}`)
      .sort(),
  )

/** Waits until two pages show the same boards. */
const same = (one: Visitor, other: Visitor) => expect.poll(async () => JSON.stringify(await shown(one)) === JSON.stringify(await shown(other)), { timeout: 20_000 }).toBe(true)

test('two browsers play by link, and a third one watches', async () => {
  const { ana, bruno, id } = await twoPeople()
  const watcher = await visit(browser(), host, `/game/${id}`)
  await watcher.page.waitForSelector('.table')
  for (let i = 0; i < 8; i++) await turn([ana, bruno])
  await same(ana, bruno)
  await same(ana, watcher)
  expect(await watcher.page.locator('[data-pile] button:not(:disabled)').count()).toBe(0)
  expect(await watcher.page.getByText('You are watching').count()).toBe(1)

  // A phrase, an agreed take-back, and a resignation.
  await ana.page.getByRole('button', { name: 'Say', exact: true }).click()
  await ana.page.getByRole('button', { name: 'Good luck!' }).click()
  await bruno.page.waitForSelector('.said:has-text("Good luck!")')
  const before = (await gameOf(ana.page)).n_moves
  await ana.page.getByRole('button', { name: 'Take back' }).click()
  await bruno.page.getByRole('button', { name: 'Agree' }).click()
  await expect.poll(async () => (await gameOf(ana.page)).n_moves).toBeLessThan(before)
  await bruno.page.getByRole('button', { name: 'Resign' }).click()
  await bruno.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click()
  await ana.page.waitForSelector('.end:has-text("You win!")')
  await bruno.page.waitForSelector('.end:has-text("Ana wins.")')

  // The rematch: one player creates it, the other follows.
  await ana.page.getByRole('button', { name: 'Rematch' }).click()
  await ana.page.waitForURL((url) => !url.pathname.includes(id))
  await bruno.page.getByRole('link', { name: 'Go to the rematch' }).click()
  await bruno.page.waitForSelector('.waiting, .table')
  for (const visitor of [ana, bruno, watcher]) {
    expect(visitor.errors).toEqual([])
    await visitor.close()
  }
})

test('nothing is lost when the server is killed and restarted', async () => {
  const { ana, bruno } = await twoPeople()
  for (let i = 0; i < 3; i++) await turn([ana, bruno])
  const before = await gameOf(ana.page)
  host.kill()
  await ana.page.waitForSelector('.connection')
  await host.start()
  await ana.page.waitForSelector('.connection', { state: 'detached', timeout: 30_000 })
  await bruno.page.waitForSelector('.connection', { state: 'detached', timeout: 30_000 })
  expect((await gameOf(ana.page)).position.position).toBe(before.position.position)
  for (let i = 0; i < 4; i++) await turn([ana, bruno])
  await same(ana, bruno)
  await ana.close()
  await bruno.close()
})

test('a connection that drops and returns', async () => {
  const { ana, bruno } = await twoPeople()
  await ana.page.context().setOffline(true)
  // Events in the gap are resent; a move made in the gap is played once.
  await turn([bruno])
  await ana.page.context().setOffline(false)
  await turn([ana, bruno])
  await turn([ana, bruno])
  await same(ana, bruno)
  await ana.close()
  await bruno.close()
})

test('two tabs of one seat, double clicks and the back button', async () => {
  const one = await visit(browser(), host, '/')
  const { game } = await newGame(one.page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }], seed: '3' })
  await one.page.goto(`${host.url}/game/${game.id}`)
  const two = await one.page.context().newPage()
  await two.goto(`${host.url}/game/${game.id}`)
  await two.waitForSelector('.table')
  await one.page.waitForSelector('.table')
  const pile = one.page.locator('[data-pile] button:not(:disabled)').first()
  await pile.click()
  await one.page.locator('.mine button.open').first().dblclick()
  await shownAfter(one.page, game.number)
  await shownAfter(two, game.number)
  expect(await two.locator('.center .tile').count()).toBe(await one.page.locator('.center .tile').count())
  // The second click had no effect, and the other tab can continue.
  expect((await gameOf(two)).n_moves).toBe(1)
  await two.locator('[data-pile] button:not(:disabled)').first().click()
  await two.locator('.mine button.open').first().click()
  await shownAfter(one.page, game.number + 1)
  expect((await gameOf(one.page)).n_moves).toBe(2)
  await one.page.goBack()
  await one.page.waitForSelector('h1:has-text("Azulejo")')
  await one.page.goForward()
  await one.page.waitForSelector('.table')
  expect(one.errors).toEqual([])
  await one.close()
})

test('strange and long names are shown as text', async () => {
  const name = '<img src=x onerror=alert(1)>"&\'ÆØÅ 漢字漢字'
  const { page, errors, close } = await visit(browser(), host, '/', { viewport: { width: 360, height: 740 } })
  const { game } = await newGame(page, { seats: [{ kind: 'me', name }, { kind: 'here', name: 'W'.repeat(40) }], seed: '3' }, name)
  await page.goto(`${host.url}/game/${game.id}`)
  await page.waitForSelector('.table')
  expect(await page.locator('.mine .name, .other .name').allTextContents()).toContain(name)
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(errors).toEqual([])
  await close()
})

// Positions near the end of a round, so that every kind of choice comes up early.
const EMPTY = '0~.-..-...-....-.....~.....-.....-.....-.....-.....~.'
const TABLES = [
  [3, 'az1_3gj_d1_2s1_BBRJ-.-.-.-.-.-._1WW_rest_._' + [EMPTY, EMPTY, EMPTY].join('_')],
  [4, 'az1_4cj_d1_2s1_BBRJ-YYKJ-.-.-.-.-.-.-._1W_rest_._' + [EMPTY, EMPTY, EMPTY, EMPTY].join('_')],
] as const

test.each(TABLES)('%i players on one device, with wall and joker choices', async (n, position) => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const seats = [{ kind: 'me', name: 'Ana' }, ...['Bruno', 'Carla', 'Davi'].slice(0, n - 1).map((name) => ({ kind: 'here', name }))]
  const { game } = await newGame(page, { seats, position, seed: '11' })
  await page.goto(`${host.url}/game/${game.id}`)
  expect(await page.waitForSelector('.table').then((table) => table.getAttribute('data-seats'))).toBe(String(n))
  expect(await page.locator('.board').count()).toBe(n)
  const met = { spaces: 0, mixed: 0, variants: 0 }
  for (let i = 0; i < 9 && (await myTurn(page)) === 'move'; i++) {
    const state = await gameOf(page)
    // Prefer moves with jokers: overflowing ones, then mixed picks, then moves that fill a line.
    const moves = legalMoves(state)
    const wanted = sensible(state)?.move
    const move =
      moves.find(({ move }) => /j\d$/.test(move)) ?? moves.find(({ move }) => /^\dJ[BYRKW][2-5]$/.test(move)) ?? moves.find(({ completes_line }) => completes_line) ?? moves.find(({ move }) => move === wanted)
    if (!move) break
    if (move.step.type === 'placed') {
      met.spaces += 1
      await press(page, `.mine [data-spot="s${state.position.turn}-w${move.step.row}-${move.step.column}"]`)
    } else if (move.step.type === 'drafted') {
      const { source, pick, to } = move.step
      await press(page, `[data-pile="${source}${pick.replace('J', '') || 'J'}"] button:not(:disabled)`)
      if (pick.length > 1) {
        met.mixed += 1
        await page.getByRole('button', { name: 'with jokers' }).click()
      }
      await press(page, `.mine [data-to="${to}"].open`)
      const variants = page.getByRole('group', { name: 'Which tiles go into the line?' }).getByRole('button')
      if (moves.filter(({ step }) => step.type === 'drafted' && step.source === source && step.pick === pick && step.to === to).length > 1) {
        met.variants += 1
        await variants.last().click()
      }
    }
    await shownAfter(page, state.number)
  }
  expect(met.mixed).toBeGreaterThan(0)
  expect(met.variants).toBeGreaterThan(0)
  if (position.startsWith('az1_3g')) expect(met.spaces).toBeGreaterThan(0)
  expect(errors).toEqual([])
  await close()
})

test('a listed game is joined and watched through the lobby', async () => {
  const ana = await visit(browser(), host, '/new')
  await ana.page.getByLabel('Your name').fill('Ana')
  await ana.page.getByLabel('Show in the lobby').check()
  await ana.page.getByLabel('Wall').selectOption('grey')
  await ana.page.getByRole('button', { name: 'Create and invite' }).click()
  await ana.page.waitForSelector('.waiting')
  const bruno = await visit(browser(), host, '/')
  await bruno.page.getByRole('link', { name: 'Lobby' }).click()
  const entry = bruno.page.getByRole('listitem').filter({ hasText: 'Ana' }).filter({ hasText: 'grey wall' })
  await entry.getByRole('link', { name: 'Join' }).click()
  await bruno.page.getByLabel('Your name').fill('Bruno')
  await bruno.page.getByRole('button', { name: 'Sit down' }).click()
  await bruno.page.waitForSelector('.table')
  await ana.page.waitForSelector('.table')
  await turn([ana, bruno])
  const carla = await visit(browser(), host, '/lobby')
  await carla.page.getByRole('listitem').filter({ hasText: 'Ana – Bruno' }).getByRole('link', { name: 'Watch' }).click()
  await carla.page.waitForSelector('.table')
  await carla.page.getByText('You are watching').waitFor()
  for (const visitor of [ana, bruno, carla]) {
    expect(visitor.errors).toEqual([])
    await visitor.close()
  }
})
