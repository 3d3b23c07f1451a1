// Screenshots of every main page for review: phone, laptop and wide; light and dark; two to four players;
// during a game, while tiling, and at its end. They go to `web/screenshots`, which is not committed; the
// three of the README go to `docs/`.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import type { Game } from '../src/lib/types.ts'
import { ask, hosted, newGame, sensible, visit } from './harness.ts'

const { host, browser } = hosted()
const folder = join(import.meta.dirname, '../screenshots')

beforeAll(() => mkdirSync(folder, { recursive: true }))

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const LAPTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
const WIDE: BrowserContextOptions = { viewport: { width: 1920, height: 1080 } }
const DARK: BrowserContextOptions = { colorScheme: 'dark' }

const people = (n: number) => ['Ana', 'Bruno', 'Catarina', 'Duarte'].slice(0, n).map((name, i) => (i === 0 ? { kind: 'me', name } : { kind: 'here', name }))

/** A game on one device after the given number of moves. */
async function middle(page: Page, n: number, moves: number, more: object = {}): Promise<Game> {
  let { game } = await newGame(page, { seats: people(n), seed: '7', ...more })
  for (let i = 0; i < moves && game.status === 'playing'; i++) {
    const open = game.moves.filter(({ move }) => !/F/.test(move))
    const move = sensible({ ...game, moves: open.length > 0 ? open : game.moves })?.move
    game = (await ask<{ game: Game }>(page, 'POST', `/games/${game.id}/commands`, { type: 'move', move })).game
  }
  return game
}

const shots: [string, BrowserContextOptions, (page: Page) => Promise<void>][] = []

for (const [size, options] of [['phone', PHONE], ['laptop', LAPTOP], ['wide', WIDE]] as const) {
  for (const [look, colors] of [['light', {}], ['dark', DARK]] as const) {
    shots.push([`home-${size}-${look}`, { ...options, ...colors }, async () => {}])
    for (const n of [2, 3, 4]) {
      shots.push([`game${n}-${size}-${look}`, { ...options, ...colors }, async (page) => {
        const game = await middle(page, n, 12 * n + 2)
        await page.goto(`${host.url}/game/${game.id}`)
        await page.waitForSelector('.table')
      }])
    }
  }
  shots.push([`preview-${size}`, options, async (page) => {
    const game = await middle(page, 2, 22)
    await page.goto(`${host.url}/game/${game.id}`)
    await page.locator('[data-pile] button:not(:disabled)').first().click()
    await page.locator('.mine button.open').first().hover()
  }])
  shots.push([`end-${size}`, options, async (page) => {
    const game = await middle(page, 2, 300)
    await page.goto(`${host.url}/game/${game.id}`)
    await page.waitForSelector('.end tbody td:not(:has-text("…"))')
  }])
  shots.push([`new-${size}`, options, async (page) => void (await page.goto(`${host.url}/new`))])
  shots.push([`learn-${size}`, options, async (page) => {
    await page.goto(`${host.url}/learn`)
    await page.waitForSelector('.table')
  }])
}
shots.push(['tiling-laptop', { ...LAPTOP, reducedMotion: 'no-preference' }, async (page) => {
  await page.goto(`${host.url}/learn/5`)
  await page.click('[data-pile="0K"] button')
  await page.click('.mine [data-to="1"]')
  await page.waitForTimeout(1_500)
}])
shots.push(['grey-laptop', LAPTOP, async (page) => {
  await page.goto(`${host.url}/learn/9`)
  await page.click('[data-pile="0W"] button')
  await page.click('.mine [data-to="1"]')
  await page.waitForSelector('.mine button.space')
}])
shots.push(['duel-laptop', LAPTOP, async (page) => {
  const game = await middle(page, 2, 4, { preset: 'duel' })
  await page.goto(`${host.url}/game/${game.id}`)
  await page.waitForSelector('.table')
}])
shots.push(['contrast-laptop', { ...LAPTOP, contrast: 'more' }, async (page) => {
  const game = await middle(page, 2, 24)
  await page.goto(`${host.url}/game/${game.id}`)
  await page.waitForSelector('.table')
}])
for (const [size, options] of [['phone', PHONE], ['laptop', LAPTOP]] as const) {
  shots.push([`hint-${size}`, options, async (page) => {
    const game = await middle(page, 2, 20)
    await page.goto(`${host.url}/game/${game.id}`)
    await page.getByRole('button', { name: 'Hint' }).click()
    await page.waitForSelector('.hint li')
  }])
  shots.push([`lobby-${size}`, options, async (page) => {
    await newGame(page, { seats: [{ kind: 'me' }, { kind: 'open' }], listed: true })
    await newGame(page, { seats: people(4), listed: true })
    await page.goto(`${host.url}/lobby`)
    await page.waitForSelector('li')
  }])
  shots.push([`join-${size}`, options, async (page) => {
    const { invitations } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'open' }] })
    await page.context().clearCookies()
    await page.goto(host.url + invitations[0]?.link)
    await page.waitForSelector('form')
  }])
  shots.push([`replay-${size}`, options, async (page) => {
    const game = await middle(page, 2, 300)
    await page.goto(`${host.url}/replay/${game.id}?step=30`)
    await page.waitForSelector('.table')
  }])
  shots.push([`settings-${size}`, options, async (page) => void (await page.goto(`${host.url}/settings`))])
}
shots.push(['invite-laptop', LAPTOP, async (page) => {
  await page.goto(`${host.url}/new`)
  await page.getByRole('button', { name: 'Create and invite' }).click()
  await page.waitForSelector('.waiting')
}])

/** The screenshots of the README, small enough to be committed. */
const README: Record<string, string> = { 'game2-laptop-light': 'web-table', 'preview-phone': 'web-phone', 'game4-laptop-dark': 'web-four' }

test.each(shots)('%s', async (name, options, prepare) => {
  const { page, close } = await visit(browser(), host, '/', options)
  await prepare(page)
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: name.includes('phone') })
  const kept = README[name]
  if (kept) await page.screenshot({ path: join(folder, `../../docs/${kept}.jpg`), type: 'jpeg', quality: 62, scale: 'css' })
  await close()
})
