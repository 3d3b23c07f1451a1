// What the browser keeps of local games, on the static site: crashes, two tabs, full and missing storage, old
// and damaged entries, copies; and browsers that cannot run the module.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { anyMove, gameId, myTurn, visit, type Visitor } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

/** A visitor at the table of a new game, with all seats on this device unless an engine plays. */
async function atTable(kind: 'here' | 'engine1' = 'here', before = async (_: Page) => {}): Promise<Visitor & { id: string }> {
  const visitor = await visit(browser(), site, '/')
  const { page } = visitor
  await page.getByRole('link', { name: 'New game' }).click()
  await page.getByLabel('Who plays seat 2').selectOption(kind)
  await before(page)
  await page.getByRole('button', { name: 'Start the game' }).click()
  await page.waitForURL(/\/game\/local-/)
  return { ...visitor, id: gameId(page) }
}

const number = (page: Page) => page.evaluate(() => Number(document.querySelector<HTMLElement>('main')?.dataset.number))

/** Another tab of the same browser. */
async function tab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.url + path)
  return page
}

/** Puts entries into the database, past the app. */
const put = (page: Page, entries: unknown[]) =>
  page.evaluate(
    (entries) =>
      new Promise<void>((over, failed) => {
        const open = indexedDB.open('azulejo')
        open.onerror = () => failed(open.error)
        open.onsuccess = () => {
          const { transaction } = ((store) => (entries.forEach((entry) => store.put(entry)), store))(
            open.result.transaction('games', 'readwrite').objectStore('games'),
          )
          transaction.oncomplete = () => (open.result.close(), over())
        }
      }),
    entries,
  )

/** Changes how the worker of the games starts, as a browser would that forbids something. */
function cripple(how: string | null): void {
  site.change = (path, content) => {
    if (!/assets\/worker-/.test(path)) return content
    return how === null ? null : Buffer.concat([Buffer.from(how), content])
  }
}

afterEach(() => {
  site.change = (_, content) => content
})

test('a game continues after a crash of its tab', async () => {
  const { page, id, close } = await atTable('engine1')
  for (let i = 0; i < 3; i++) await anyMove(page)
  await myTurn(page)
  const before = await number(page)
  const cdp = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void cdp.send('Page.crash').catch(() => {})
  await crashed
  const next = await tab(page.context(), '/')
  await next.locator('.mine li a').first().click()
  await next.waitForURL(new RegExp(id))
  await myTurn(next)
  expect(await number(next)).toBe(before)
  await anyMove(next)
  // In the middle of the engine's turn, too: it thinks again.
  await next.reload()
  await myTurn(next)
  expect(await number(next)).toBeGreaterThan(before + 1)
  await close()
})

test('a worker that crashes is started again, and the game goes on', async () => {
  const { page, close } = await atTable('engine1')
  await anyMove(page)
  await myTurn(page)
  const before = await number(page)
  const crash = () => page.workers().find((worker) => /\/worker-/.test(worker.url()))?.evaluate(() => void setTimeout(() => { throw new Error('crash') }))
  const next = page.waitForEvent('worker', (worker) => /\/worker-/.test(worker.url()))
  await crash()
  await next
  await anyMove(page)
  expect(await number(page)).toBeGreaterThan(before)
  await close()
})

test('one tab plays, the other follows, and takes over', async () => {
  const { page, id, errors, close } = await atTable()
  await anyMove(page)
  const other = await tab(page.context(), `/game/${id}`)
  await other.waitForSelector('.connection:has-text("Played in another tab")')
  await expect.poll(() => number(other)).toBe(await number(page))
  await anyMove(page)
  await expect.poll(() => number(other)).toBe(await number(page))
  expect(await other.locator('[data-pile] button:not(:disabled)').count()).toBe(0)
  // The other tab takes over, and now the first one follows.
  await other.getByRole('button', { name: 'Play here' }).click()
  await page.waitForSelector('.connection:has-text("Played in another tab")')
  await anyMove(other)
  await expect.poll(() => number(page)).toBe(await number(other))
  // A tab that is closed leaves the game to the other one.
  await other.close()
  await page.waitForSelector('.connection', { state: 'detached' })
  await anyMove(page)
  expect(errors).toEqual([])
  await close()
})

test('a full storage is reported, the game goes on, and is kept as soon as there is room', async () => {
  // The browser remembers how much room there was for half a minute, so this is the first write.
  const { page, id, close } = await atTable('here', async (page) => {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin, quotaSize: 1 })
  })
  await anyMove(page)
  await page.waitForSelector('.notices:has-text("There is no room left")')
  await anyMove(page)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(site.url).origin })
  await anyMove(page)
  await page.waitForSelector('.notices:has-text("There is no room left")', { state: 'detached' })
  const before = await number(page)
  await page.goto(`${site.url}/game/${id}`)
  await expect.poll(() => number(page)).toBe(before)
  await close()
})

test('the browser is asked to keep the games', async () => {
  const { page, close } = await visit(browser(), site, '/')
  await page.evaluate(() => {
    const storage = Object.getPrototypeOf(navigator.storage)
    storage.persist = async () => (sessionStorage.setItem('asked', 'yes'), true)
  })
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.waitForURL(/\/game\/local-/)
  expect(await page.evaluate(() => sessionStorage.getItem('asked'))).toBe('yes')
  await close()
})

test('without IndexedDB a game can be played, and the page says that nothing is kept', async () => {
  cripple('Object.defineProperty(self, "indexedDB", { get() { throw new DOMException("denied", "SecurityError") } });')
  const { page, errors, close } = await atTable()
  await page.waitForSelector('.notices:has-text("This browser stores nothing")')
  for (let i = 0; i < 4; i++) await anyMove(page)
  expect(errors).toEqual([])
  await close()
})

test.each([
  ['a blocked worker', () => cripple(null)],
  ['missing WebAssembly', (page: Page) => page.addInitScript('delete self.WebAssembly')],
  ['a missing module', () => (site.change = (path, content) => (path.endsWith('.wasm') ? null : content))],
])('%s: the page says what to do', async (_, forbid) => {
  const { page, close } = await visit(browser(), { url: 'about:blank' }, '')
  await forbid(page)
  await page.goto(`${site.url}/`)
  await page.waitForSelector('[role=alert]:has-text("This browser cannot run the game")')
  expect(await page.getByRole('button', { name: 'Play now' }).isDisabled()).toBe(true)
  await page.goto(`${site.url}/learn`)
  await page.waitForSelector('[role=alert]:has-text("This browser cannot run the game")')
  await page.goto(`${site.url}/game/local-abc`)
  await page.waitForSelector('main:has-text("This browser cannot run the game")')
  await close()
})

test('an entry of version 1 is read, a damaged one is set aside and can be saved', async () => {
  const { page, errors, close } = await visit(browser(), site, '/')
  await page.waitForSelector('.mine p:has-text("No games yet")')
  const old = JSON.parse(readFileSync(join(import.meta.dirname, 'local-1.json'), 'utf8'))
  const stored = JSON.parse(old.game)
  const torn = { ...old, id: 'local-torn', game: old.game.slice(0, 300) }
  const strange = { ...old, id: 'local-strange', version: 2, summary: 'none' }
  const forged = { ...old, id: 'local-forged', game: JSON.stringify({ ...stored, events: stored.events.toReversed() }) }
  const later = { ...old, id: 'local-later', version: 99 }
  await put(page, [old, torn, strange, forged, later])
  await page.reload()
  await page.waitForSelector('.mine [role=alert]:has-text("3 stored games cannot be read")')
  expect(await page.locator('.mine li').count()).toBe(1)
  await page.locator('.mine li a').click()
  await anyMove(page)
  // Before the service worker serves it, a static host answers an address of a page with status 404.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
  // The page of a damaged game is not blank.
  await page.goto(`${site.url}/game/local-later`)
  await page.waitForSelector('main:has-text("This game was stored by a later version")')
  // A copy has all of them; after everything is deleted, it brings the good ones back.
  await page.goto(`${site.url}/privacy`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a copy of all games' }).click()
  const file = await (await download).path()
  expect(readFileSync(file, 'utf8').trim().split('\n').length).toBe(5)
  await page.getByRole('button', { name: 'Delete all games here…' }).click()
  await page.getByRole('button', { name: 'Yes, delete everything for good' }).click()
  await page.getByText('All games on this device are deleted.').waitFor()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('1 game added. 4 entries could not be read.').waitFor()
  await page.goto(`${site.url}/game/${old.id}`)
  await anyMove(page)
  expect(errors).toEqual([])
  await close()
})
