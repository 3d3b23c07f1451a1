// One player: hints with reasons, evaluation, take-backs, confirmation, dragging, clocks, sounds.

import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { gameOf, hosted, myTurn, newGame, shownAfter, visit } from './harness.ts'

const { host, browser } = hosted()

test.concurrent('hints, evaluation and take-back', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'engine', level: 1 }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  await page.keyboard.press('h')
  await page.waitForSelector('.hint li', { timeout: 60_000 })
  expect(await page.locator('.hint li').first().textContent()).toMatch(/line \d|floor/)
  expect(await page.locator('.hint .why').textContent()).toMatch(/^About .+ points better than .+: .+\.$|is nearly as good\.$/)
  expect(await violations(page)).toEqual([])
  const before = (await gameOf(page)).n_moves
  await page.getByRole('button', { name: 'Play this move' }).first().click()
  await expect.poll(async () => (await gameOf(page)).n_moves, { timeout: 30_000 }).toBeGreaterThan(before + 1)
  await page.getByRole('button', { name: 'Evaluation' }).click()
  await page.waitForSelector('meter', { timeout: 60_000 })
  await myTurn(page)
  await page.getByRole('button', { name: 'Take back' }).click()
  await expect.poll(async () => (await gameOf(page)).n_moves).toBe(before)
  expect(errors).toEqual([])
  await close()
})

test.concurrent('a move can be confirmed or canceled', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  await page.evaluate(() => localStorage.setItem('azulejo.settings', JSON.stringify({ confirm: true, sound: false })))
  const seats = [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }]
  const { game } = await newGame(page, { seats, seed: '4', clock: { kind: 'total', seconds: 300, increment: 5 } })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  expect(await page.getByRole('timer').first().textContent()).toMatch(/^[45]:\d\d$/)
  const pile = page.locator('[data-pile] button:not(:disabled)').first()
  const line = page.locator('.mine button.open').first()
  await pile.click()
  await line.click()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect((await gameOf(page)).n_moves).toBe(0)
  await pile.click()
  await line.click()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(async () => (await gameOf(page)).n_moves).toBe(1)
  expect(errors).toEqual([])
  await close()
})

test.concurrent('a pile is dragged to a line', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  const from = await page.locator('[data-pile] button:not(:disabled)').first().boundingBox()
  const to = await page.locator('.mine [data-to="5"]').boundingBox()
  if (!from || !to) throw new Error('there is no pile to drag')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 30, { steps: 4 })
  expect(await page.locator('.dragged .tile').count()).toBeGreaterThan(0)
  await page.mouse.move(to.x + to.width - 20, to.y + to.height / 2, { steps: 8 })
  expect(await page.locator('.mine .ghost').count()).toBeGreaterThan(0)
  await page.mouse.up()
  await expect.poll(async () => (await gameOf(page)).n_moves).toBe(1)
  expect(await page.locator('.dragged').count()).toBe(0)
  expect(errors).toEqual([])
  await close()
})

test.concurrent('a clock that runs out ends the game, and both boards show it', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const seats = [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }]
  const { game } = await newGame(page, { seats, seed: '4', clock: { kind: 'total', seconds: 4, increment: 0 } })
  await page.goto(`${host.url}/game/${game.id}`)
  await page.waitForSelector('.end', { timeout: 30_000 })
  expect(await page.locator('.end').textContent()).toContain('Time ran out.')
  expect(await page.locator('.end h2').textContent()).toMatch(/wins\.$/)
  expect(await page.getByRole('timer').allTextContents()).toContain('0:00')
  expect(await page.locator('.board').getByText('out of time').count()).toBe(1)
  expect(errors).toEqual([])
  await close()
})

test.concurrent('sounds play and can be turned off', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  // Counts what is played; the browser makes the sounds itself.
  await page.context().addInitScript(() => {
    Object.assign(window, { sounds: 0 })
    const start = AudioScheduledSourceNode.prototype.start
    AudioScheduledSourceNode.prototype.start = function (...args) {
      Object.assign(window, { sounds: (window as never as { sounds: number }).sounds + 1 })
      return start.apply(this, args)
    }
    const begin = AudioBufferSourceNode.prototype.start
    AudioBufferSourceNode.prototype.start = function (...args) {
      Object.assign(window, { sounds: (window as never as { sounds: number }).sounds + 1 })
      return begin.apply(this, args)
    }
  })
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  const move = async (number: number) => {
    await myTurn(page)
    await page.locator('[data-pile] button:not(:disabled)').first().click()
    await page.locator('.mine button.open').first().click()
    await shownAfter(page, number)
  }
  await move(game.number)
  const made = (await page.evaluate('sounds')) as number
  expect(made).toBeGreaterThan(0)
  await page.keyboard.press('m')
  await move(game.number + 1)
  expect(await page.evaluate('sounds')).toBe(made)
  // The setting survives a reload.
  await page.goto(`${host.url}/settings`)
  expect(await page.getByLabel('Sounds').isChecked()).toBe(false)
  // Everything about this person can be taken along, and deleted.
  await page.getByRole('link', { name: 'Privacy' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  expect((await download).suggestedFilename()).toBe('azulejo-my-data.jsonl')
  await page.getByRole('button', { name: 'Delete my data…' }).click()
  await page.getByRole('button', { name: 'Yes, delete everything for good' }).click()
  await page.getByText('Everything about you is deleted.').waitFor()
  await page.goto(host.url)
  expect(await page.locator('.mine li').count()).toBe(0)
  expect(errors).toEqual([])
  await close()
})
