// Pages: lessons, replays, both languages, weight and speed.

import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { ask, firstFiles, hosted, newGame, sensible, visit } from './harness.ts'
import type { Game, Options } from '../src/lib/types.ts'
import { fromServer as spanish } from '../src/text/es.ts'
import { fromServer as portuguese } from '../src/text/pt.ts'

const { host, browser } = hosted()

test('the lessons can be played through', async () => {
  const { page, errors, close } = await visit(browser(), host, '/learn')
  const answers = ['1B2', '1Y2', '1R2', '0R3', '0K1', '0RF', '0W3', '0W1', '0W1', '1JB3']
  for (const [i, answer] of answers.entries()) {
    await page.waitForSelector(`h2:has-text("${i + 1}. ")`)
    const [, source, pick, to] = /^(\d)(J?[BYRKW])([1-5F])$/.exec(answer) ?? []
    await page.click(`[data-pile="${source}${pick?.replace('J', '')}"] button:not(:disabled)`)
    if (pick?.length === 2 && (await page.getByRole('button', { name: 'with jokers' }).count()) > 0) await page.getByRole('button', { name: 'with jokers' }).click()
    await page.click(`.mine [data-to="${to}"]`)
    if (i === 8) await page.locator('.mine button.space').first().click()
    await page.waitForSelector('.task.done')
    if (i + 1 < answers.length) await page.getByRole('link', { name: i === 7 ? 'Extra lessons' : 'Next lesson' }).click()
  }
  await page.getByRole('button', { name: 'Play your first game' }).click()
  await page.waitForURL(/\/game\//)
  await page.goto(host.url)
  await page.waitForSelector('h1:has-text("Azulejo")')
  // The first game is listed; the lessons are not.
  await page.waitForSelector('.mine li')
  expect(await page.locator('.mine li').count()).toBe(1)
  expect(errors).toEqual([])
  await close()
})

test('the replay of a finished game', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  let { game } = await newGame(page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }], seed: '5' })
  while (game.status === 'playing') {
    const move = sensible(game)?.move
    game = (await ask<{ game: Game }>(page, 'POST', `/games/${game.id}/commands`, { type: 'move', move })).game
  }
  await page.goto(`${host.url}/replay/${game.id}`)
  await page.waitForSelector('.table')
  await page.keyboard.press('End')
  expect(await page.locator('[data-spot="s1-score"] strong').textContent()).toBe(String(game.position.boards[0]?.score))
  await page.keyboard.press('PageUp')
  expect(new URL(page.url()).searchParams.get('step')).not.toBeNull()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  const there = await page.locator('.sentence').textContent()
  // A link to this moment opens this moment.
  await page.goto(page.url())
  await page.waitForSelector('.table')
  expect(await page.locator('.sentence').textContent()).toBe(there)
  expect(await violations(page)).toEqual([])

  // The record, pasted, is the same game.
  const record = await page.evaluate(async (id) => (await fetch(`/api/v1/games/${id}/record`)).text(), game.id)
  await page.goto(`${host.url}/replay`)
  await page.getByLabel('Paste a record').fill(record)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.waitForSelector('.table')
  await page.keyboard.press('End')
  expect(await page.locator('[data-spot="s1-score"] strong').textContent()).toBe(String(game.position.boards[0]?.score))
  // The game can be continued from the middle.
  await page.getByRole('button', { name: 'Round 2' }).click()
  await page.getByRole('button', { name: 'Play on from here against the computer' }).click()
  await page.waitForURL(/\/game\//)
  expect(errors).toEqual([])
  await page.goto(`${host.url}/replay`)
  await page.getByLabel('Paste a record').fill('nonsense')
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.waitForSelector('[role=alert]')
  await close()
})

test('English, Portuguese and Spanish', async () => {
  const options = (await (await fetch(`${host.url}/api/v1/options`)).json()) as Options
  const sentences = [...options.levels, ...options.presets].map(({ summary }) => summary)
  const untranslated = [...options.levels.map(({ name }) => name), ...sentences].filter((text) => !(text in portuguese) || !(text in spanish))
  expect(untranslated).toEqual([])
  const { page, errors, close } = await visit(browser(), host, '/', { locale: 'pt-PT' })
  await page.getByRole('button', { name: 'Jogar já' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('pt')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Play now' }).waitFor()
  await page.getByRole('button', { name: 'Español' }).click()
  await page.getByRole('button', { name: 'Jugar ahora' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('es')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Play now' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Play now' }).waitFor()
  expect(errors).toEqual([])
  await close()
})

test('the first load is small, and previews are fast', async () => {
  const { page, close } = await visit(browser(), host, '/')
  await page.getByRole('button', { name: 'Play now' }).waitFor()
  // `speed.e2e.ts` shows that the page paints with these files.
  const bytes = await page.evaluate((first) => {
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as PerformanceResourceTiming[]
    const isFirst = ({ entryType, name }: PerformanceEntry) => entryType === 'navigation' || /\.woff2$/.test(name) || first.includes(name.split('/').pop() ?? '')
    return entries.filter(isFirst).reduce((sum, entry) => sum + entry.transferSize, 0)
  }, await firstFiles(host.url))
  console.log(`first load: ${bytes} bytes`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(120_000)
  const { game } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'here' }], seed: '3' })
  await page.goto(`${host.url}/game/${game.id}`)
  await page.waitForSelector('[data-pile] button:not(:disabled)')
  const ready = await page.evaluate(() => performance.now())
  console.log(`a first move can be made after ${Math.round(ready)} ms`)
  const times = await page.evaluate(async () => {
    const frame = () => new Promise((next) => requestAnimationFrame(() => next(null)))
    document.querySelector<HTMLElement>('[data-pile] button:not(:disabled)')?.click()
    await frame()
    const times: number[] = []
    for (const line of document.querySelectorAll('.mine button.open')) {
      const start = performance.now()
      line.dispatchEvent(new PointerEvent('pointerenter'))
      await Promise.resolve()
      if (!document.querySelector('.mine .ghost')) await new Promise((over) => setTimeout(over, 0))
      times.push(performance.now() - start)
      line.dispatchEvent(new PointerEvent('pointerleave'))
      await frame()
    }
    return times
  })
  console.log(`previews: ${times.map((ms) => ms.toFixed(1)).join(' ')} ms`)
  // The fastest one shows the cost; the others include the load of the machine.
  expect(Math.min(...times)).toBeLessThan(50)
  await close()
})
