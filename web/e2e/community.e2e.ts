// The site around the games: profile, devices, watching, quick pairing, boards in frames, keyboard.

import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { violations } from './axe.ts'
import { ask, hosted, newGame, sensible, visit } from './harness.ts'
import type { Game } from '../src/lib/types.ts'

const { host, browser } = hosted()

/** Plays a game on the server to its end. */
async function finished(page: Parameters<typeof ask>[0], body: object): Promise<Game> {
  let { game } = await newGame(page, body)
  while (game.status === 'playing') {
    const move = sensible(game)?.move
    game = (await ask<{ game: Game }>(page, 'POST', `/games/${game.id}/commands`, { type: 'move', move })).game
  }
  return game
}

test('a profile goes to another device with its games, and can be revoked there', async () => {
  const phone = await visit(browser(), host, '/')
  // A game of this browser, and one on the server.
  await phone.page.getByRole('button', { name: 'Play now' }).click()
  await phone.page.waitForURL(/\/game\/local-/)
  await phone.page.waitForSelector('.table')
  await newGame(phone.page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }] }, 'Ana')
  await phone.page.goto(`${host.url}/profile`)
  await phone.page.getByText('2 games', { exact: true }).waitFor()
  expect(await violations(phone.page)).toEqual([])
  await phone.page.getByRole('button', { name: 'Take my profile to another device' }).click()
  const code = (await phone.page.locator('output').textContent()) ?? ''
  expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/)
  expect(await violations(phone.page)).toEqual([])

  // The other device opens the link of the QR code.
  const laptop = await visit(browser(), host, `/take#${code}`)
  await laptop.page.getByRole('button', { name: 'Take it to this device' }).click()
  await laptop.page.getByText('Welcome, Ana. 1 game was added.').waitFor()
  await laptop.page.waitForURL(/\/profile/)
  await laptop.page.getByText('2 games', { exact: true }).waitFor()
  expect(await laptop.page.locator('.list li').count()).toBe(2)

  // The code works once.
  const third = await visit(browser(), host, `/take#${code}`)
  await third.page.getByRole('button', { name: 'Take it to this device' }).click()
  await third.page.getByRole('alert').getByText('There is no such code').waitFor()
  expect(await violations(third.page)).toEqual([])
  await third.close()

  await phone.page.reload()
  await phone.page.getByRole('button', { name: 'Sign out' }).click()
  await phone.page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' })
  expect(await laptop.page.evaluate(async () => (await fetch('/api/v1/me')).status)).toBe(401)
  expect(phone.errors).toEqual([])
  await phone.close()
  await laptop.close()
})

test('the profile lists and filters games, and rates the player against levels', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const game = await finished(page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Zé' }], seed: '5' })
  // As the same person: `newGame` would make another one.
  await ask(page, 'POST', '/games', { seats: [{ kind: 'me' }, { kind: 'here', name: 'Carla' }] })
  // Two losses against a weak level.
  for (let i = 0; i < 2; i++) {
    const lost = (await ask<{ game: Game }>(page, 'POST', '/games', { seats: [{ kind: 'me' }, { kind: 'engine', level: 2 }] })).game
    await ask(page, 'POST', `/games/${lost.id}/commands`, { type: 'resign', seat: 1 })
  }
  await page.goto(`${host.url}/profile`)
  await page.locator('.list li').nth(3).waitFor()
  const [rating = '', deviation = ''] = (await page.locator('.figures dd:has-text("±")').textContent())?.split('? ± ') ?? []
  expect([Number(rating) < 1_500, Number(deviation) < 700]).toEqual([true, true])
  await page.getByRole('img', { name: `Your rating over 2 games: from` }).waitFor()
  expect(await page.getByRole('region', { name: 'Won against each level' }).getByRole('listitem').textContent()).toMatch(/Novice.*0 %.*2 games/s)
  await page.getByRole('searchbox').fill('zé')
  await page.getByText('1 game', { exact: true }).waitFor()
  expect(await page.locator('.list a').getAttribute('href')).toBe(`/game/${game.id}`)
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Result').selectOption('loss')
  await page.getByRole('status').getByText('2 games', { exact: true }).waitFor()
  await page.getByLabel('Result').selectOption('running')
  await page.getByText('1 game', { exact: true }).waitFor()
  expect(errors).toEqual([])
  await close()
})

test('deleting my data empties the profile', async () => {
  const { page, close } = await visit(browser(), host, '/')
  await newGame(page, { seats: [{ kind: 'me' }, { kind: 'here', name: 'Bruno' }] })
  await page.goto(`${host.url}/profile`)
  await page.locator('.list li').waitFor()
  await page.getByRole('link', { name: 'Download or delete my data' }).click()
  await page.getByRole('button', { name: 'Delete my data…' }).click()
  await page.getByRole('button', { name: 'Yes, delete everything for good' }).click()
  await page.getByText('Everything about you is deleted.').waitFor()
  await page.goto(`${host.url}/profile`)
  await page.getByText('No games yet').waitFor()
  await close()
})

test.each([
  ['light', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }],
])('TV is on, and the pages of the site are accessible: %s', async (_, options) => {
  const { page, errors, close } = await visit(browser(), host, '/watch', options)
  await page.waitForSelector('.table')
  await page.getByText('The engine plays against itself').waitFor()
  const fits = async (what: string) => {
    expect([what, ...(await violations(page))]).toEqual([what])
    expect([what, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([what, page.viewportSize()?.width])
  }
  await fits('watch')
  for (const [path, ready] of [['/', '.scene .table'], ['/profile', 'main .panel'], ['/take', 'form'], ['/lobby', '.pair'], ['/new', '.pair'], ['/nowhere', 'h1']] as const) {
    await page.goto(host.url + path)
    await page.waitForSelector(ready)
    await fits(path)
  }
  expect(errors.filter((text) => !text.includes('404'))).toEqual([])
  await close()
})

test('two strangers find each other, by keyboard', async () => {
  const ana = await visit(browser(), host, '/lobby')
  const bob = await visit(browser(), host, '/new')
  for (const { page } of [ana, bob]) {
    await page.getByRole('button', { name: 'Find an opponent' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/game\//)
  }
  await ana.page.waitForSelector('.table')
  await bob.page.waitForSelector('.table')
  expect(ana.page.url()).toBe(bob.page.url())
  expect(await ana.page.getByRole('button', { name: 'Hint' }).count()).toBe(0)
  await ana.close()
  await bob.close()
})

test('an invitation shows what was agreed', async () => {
  const { page, close } = await visit(browser(), host, '/')
  const { invitations } = await newGame(page, { seats: [{ kind: 'me' }, { kind: 'open' }], wall: 'grey', jokers: true, clock: { kind: 'total', seconds: 600, increment: 10 } })
  const guest = await visit(browser(), host, invitations[0]?.link ?? '')
  const terms = guest.page.getByRole('list', { name: 'What is agreed' })
  await terms.waitFor()
  expect(await terms.textContent()).toContain('grey wall')
  expect(await terms.textContent()).toContain('jokers')
  expect(await terms.textContent()).toContain('official rules')
  await guest.close()
  await close()
})

test('another site can show a board, and nothing else', async () => {
  const { page, close } = await visit(browser(), host, '/')
  const game = await finished(page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }], seed: '5' })
  // Another origin: the same machine under another name and port.
  const other = createServer((request, response) => {
    const path = request.url === '/board' ? `/embed/${game.id}` : `/replay/${game.id}`
    response.setHeader('content-type', 'text/html').end(`<iframe src="${host.url}${path}" width="720" height="560" title="board"></iframe>`)
  })
  await new Promise<void>((ready) => other.listen(0, '127.0.0.1', () => ready()))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await page.goto(`http://localhost:${port}/board`)
  const frame = page.frameLocator('iframe')
  await frame.locator('.table').waitFor()
  await frame.getByRole('button', { name: '‹' }).or(frame.locator('footer button').nth(1)).first().click()
  expect(await frame.locator('footer .number').textContent()).toMatch(/^\d+ \/ \d+$/)
  expect(await frame.locator('a:not([target=_blank])').count()).toBe(1)
  // A record in the address needs no game on the server.
  const record = await page.request.get(`${host.url}/api/v1/games/${game.id}/record`)
  await page.goto(`${host.url}/embed#${Buffer.from(await record.text()).toString('base64url')}`)
  await page.waitForSelector('.table')
  expect(await page.locator('[data-spot="s1-score"] strong').textContent()).toBe(String(game.position.boards[0]?.score))
  await page.goto(`${host.url}/embed#nonsense`)
  await page.reload()
  await page.getByRole('alert').getByText('This game cannot be shown').waitFor()
  await page.goto(`http://localhost:${port}/page`)
  await page.waitForTimeout(500)
  expect(await page.frameLocator('iframe').locator('.table').count()).toBe(0)
  other.close()
  await close()
})

test('a link to a game has a preview with players and score', async () => {
  const { page, close } = await visit(browser(), host, '/')
  const hostile = '"><img src=x onerror=alert(1)>'
  const { game } = await newGame(page, { seats: [{ kind: 'me', name: hostile }, { kind: 'here', name: 'Bruno' }] })
  await page.goto(`${host.url}/game/${game.id}`)
  const tag = (property: string) => page.getAttribute(`meta[property="${property}"]`, 'content')
  expect(await tag('og:title')).toBe(`${hostile} – Bruno, 0 : 0 · Azulejo`)
  expect(await tag('og:image')).toBe(`${host.url}/social.png`)
  expect(await page.locator('head img').count()).toBe(0)
  await close()
})
