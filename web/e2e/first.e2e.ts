// The first game and the reasons to come back: the guided game, lessons that answer, the level that follows the
// player, the daily deal, and moves that wait for a connection.

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { anyMove, draft, gameOf, hosted, myTurn, newGame, press, program, sensible, visit } from './harness.ts'
import { onSite } from './site.ts'

const { host, browser } = hosted()
const { site } = onSite()

test('a first-time visitor is offered a guided game, which points and explains', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  await page.getByRole('heading', { name: 'New here?' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Play a guided first game' }).click()
  await page.waitForURL(/\/game\//)
  expect(await myTurn(page)).toBe('move')
  // The pile and the line that the guide talks about glow, and an arrow leads from one to the other.
  await page.getByText('Try the glowing ones').waitFor({ timeout: 60_000 })
  expect(await page.locator('.offer .pile.advised').count()).toBe(1)
  const line = await page.locator('.mine button.advised').getAttribute('data-to')
  expect(await page.locator('.table > svg .line').getAttribute('d')).toMatch(/^M\d/)
  await page.locator('.offer .pile.advised button').click()
  await page.getByText('A line holds one color').waitFor()
  // The line still glows when the tiles are chosen.
  await page.locator(`.mine button.advised[data-to="${line}"]`).click()
  await page.getByText('A good move:').waitFor({ timeout: 60_000 })
  expect(await violations(page)).toEqual([])
  // Other games have no guide, and the offer is gone.
  for (let i = 0; i < 3; i++) await anyMove(page)
  await page.goto(host.url)
  await page.getByRole('heading', { name: 'My games' }).waitFor()
  await page.waitForSelector('.mine li')
  expect(await page.getByRole('heading', { name: 'New here?' }).count()).toBe(0)
  expect(errors).toEqual([])
  await close()
})

test('a lesson points, and answers wrong clicks', async () => {
  const { page, errors, close } = await visit(browser(), host, '/learn/1')
  await page.waitForSelector('.offer .pile.advised')
  const status = page.locator('.status-lines')
  // Another pile, then a line before any tiles.
  await page.click('[data-pile="2Y"] button')
  await expect.poll(() => status.textContent()).toContain('For this lesson, take 2 blue from factory 1.')
  await press(page, '.mine [data-to="3"]')
  await expect.poll(() => status.textContent()).toContain('Choose tiles first')
  // The right tiles on another line.
  await page.click('[data-pile="1B"] button')
  await expect.poll(() => status.textContent()).toContain('Choose a line for 2 blue')
  await page.click('.mine [data-to="5"]')
  await expect.poll(() => status.textContent()).toContain('For this lesson, choose line 2.')
  // Nothing has an empty tooltip or an empty name.
  expect(await page.locator('[title=""], [aria-label=""]').count()).toBe(0)
  await page.click('.mine [data-to="2"]')
  await page.waitForSelector('.task.done')

  // Forbidden lines look forbidden and say why.
  await page.goto(`${host.url}/learn/2`)
  await page.click('[data-pile="1Y"] button')
  const first = page.locator('.mine [data-to="1"]')
  expect(await first.evaluate((line) => line.classList.contains('blocked'))).toBe(true)
  expect(await first.getAttribute('aria-label')).toContain('Row 1 of the wall already has this color.')
  await press(page, '.mine [data-to="1"]')
  await expect.poll(() => status.textContent()).toContain('Row 1 of the wall already has this color.')

  // After the last lesson about the basic game there is a game.
  await page.goto(`${host.url}/learn/8`)
  await page.click('[data-pile="0W"] button')
  await page.click('.mine [data-to="1"]')
  await page.getByRole('link', { name: 'Extra lessons' }).waitFor()
  await page.getByRole('button', { name: 'Play your first game' }).click()
  await page.getByText('Try the glowing ones').waitFor({ timeout: 60_000 })
  expect(errors).toEqual([])
  await close()
})

test('the evaluation shows on the board and in words', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }], seed: '4', hints: true })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  await page.getByRole('button', { name: 'Evaluation' }).click()
  await page.waitForSelector('.evaluation', { timeout: 60_000 })
  expect(await page.evaluate(() => document.activeElement?.classList.contains('evaluation'))).toBe(true)
  expect(await page.locator('.offer .pile.advised').count()).toBe(1)
  expect(await page.locator('.mine button.advised').count()).toBe(1)
  await page.getByText(/Best for (Ana|Bruno): \d/).waitFor()
  const chances = (await page.locator('.evaluation .side .number').allTextContents()).map(Number.parseFloat)
  expect(chances).toEqual([...chances].sort((a, b) => b - a))
  // The next position has another best move, and the one before is no longer pointed at.
  const before = await gameOf(page)
  await draft(page, sensible(before)?.move ?? '')
  await page.waitForFunction((number) => Number(document.querySelector<HTMLElement>('main')?.dataset.number) > number, before.number)
  await page.waitForSelector('.offer .pile.advised', { timeout: 60_000 })
  expect(errors).toEqual([])
  await close()
})

test('a move made while disconnected is shown as pending', async () => {
  const { page, close } = await visit(browser(), host, '/')
  const { game } = await newGame(page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }], seed: '4' })
  await page.goto(`${host.url}/game/${game.id}`)
  await myTurn(page)
  const { move = '', into_line = '' } = sensible(await gameOf(page)) ?? {}
  await page.context().setOffline(true)
  host.kill()
  await page.getByText('Connection lost').waitFor({ timeout: 30_000 })
  await draft(page, move)
  // Ghosts lie on the line, the pile fades, and the words say why.
  await page.getByText('Your move is sent as soon as you are connected again').waitFor()
  expect(await page.locator(`.mine [data-to="${move[2]}"] .ghost`).count()).toBe(into_line.length)
  expect(await page.locator(`[data-pile="${move.slice(0, 2)}"].leaving`).count()).toBe(1)
  await page.keyboard.press('Escape')
  expect(await page.locator(`.mine [data-to="${move[2]}"] .ghost`).count()).toBe(into_line.length)
  await host.start()
  await page.context().setOffline(false)
  await page.waitForFunction((number) => Number(document.querySelector<HTMLElement>('main')?.dataset.number) > number, game.number, { timeout: 60_000 })
  expect(await page.locator('.leaving').count()).toBe(0)
  expect((await gameOf(page)).last_move).toBe(move)
  await close()
})

test('the daily deal is the same in the page and in the program, is played once, and is shared without spoilers', async () => {
  const { page, errors, close } = await visit(browser(), site, '/', { permissions: ['clipboard-read', 'clipboard-write'] })
  const toDaily = async () => {
    await page.goto(`${site.url}/`)
    await page.getByRole('link', { name: 'Daily deal' }).first().click()
  }
  await toDaily()
  // The static site has no server: the deal comes from the module.
  await page.getByRole('button', { name: 'Play today’s deal' }).click({ timeout: 60_000 })
  await page.waitForURL(/\/game\/local-/)
  const date = new Date().toISOString().slice(0, 10)
  const first = execFileSync(program(), ['new', '--daily', date, '--json'], { encoding: 'utf8' })
  const factories = () => page.locator('.factory').evaluateAll((all) => all.map((factory) => [...factory.querySelectorAll<HTMLElement>('.tile')].map((tile) => tile.dataset.tile).join('')))
  // Before the first move of anybody all factories are full; the engine may have moved already.
  await page.waitForSelector('.table')
  const dealt: string[] = JSON.parse(first).factories
  const same = (await factories()).filter((tiles, i) => tiles === '' || tiles === dealt[i]).length
  expect(same).toBe(5)
  // No hints and no take-backs.
  expect(await page.getByRole('button', { name: 'Hint' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0)
  await anyMove(page)

  // The same game again, not a second one.
  const address = page.url()
  await toDaily()
  await page.getByRole('button', { name: 'Continue today’s deal' }).click()
  await page.waitForURL(address)
  while ((await anyMove(page)) === 'move') {
    // To the end.
  }
  await page.getByRole('button', { name: 'Share the result' }).click()
  await page.getByText('Copied').waitFor()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain(`daily deal ${date}`)
  expect(text).toMatch(/I (won|lost|tied) \d+–\d+ (against|with) Tiler \(level 5\)/)
  expect(text).toMatch(/^v\d+\.\d+\.\d+ · .*\/daily$/m)
  expect(text).not.toMatch(/blue|yellow|red|black|white|[1-9][BYRKW][1-5F]|az1/)
  expect(text.match(/[⬜🟦]{5}/gu)?.length).toBe(5)

  // The history, without a network.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
  await page.context().setOffline(true)
  await toDaily()
  await page.getByText(/^(Won|Lost|Tied) \d+–\d+$/).first().waitFor()
  expect(await page.getByRole('button', { name: /today’s deal/ }).count()).toBe(0)
  expect(await page.locator('main li').count()).toBe(1)
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
  await close()
})
