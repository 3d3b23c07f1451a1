// The looks of the table: sizes, players, themes and moments of a game, and what must hold in all of them.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Game } from '../src/lib/types.ts'
import { ask, type Host, sensible, visit, type Visitor } from './harness.ts'

export interface Size {
  width: number
  height: number
  isTouch: boolean
}

/** Windows of computers, tablets and phones; a phone's browser shows its bars. */
export const SIZES: Size[] = [
  ...[[320, 568], [360, 640], [390, 664], [844, 390], [768, 1024], [1024, 768]].map(([width = 0, height = 0]) => ({ width, height, isTouch: true })),
  ...[[1280, 720], [1366, 768], [1440, 900], [1920, 1080], [2560, 1080], [3440, 1440]].map(([width = 0, height = 0]) => ({ width, height, isTouch: false })),
]

export const MOMENTS = ['draft', 'preview', 'tiling', 'end'] as const
export type Moment = (typeof MOMENTS)[number]

export const NAMES = ['Ana', 'Bruno', 'Catarina', 'Duarte']
export const people = (n: number) => NAMES.slice(0, n).map((name, i) => (i === 0 ? { kind: 'me', name } : { kind: 'here', name }))

/** A game of this page's person on one device, played until something holds. */
export async function playUntil(page: Page, n: number, holds: (game: Game) => boolean, more: object = {}): Promise<Game> {
  let { game } = await ask<{ game: Game }>(page, 'POST', '/games', { seats: people(n), seed: '7', ...more })
  while (game.status === 'playing' && !holds(game)) {
    const open = game.moves.filter(({ move }) => !/F/.test(move))
    const move = sensible({ ...game, moves: open.length > 0 ? open : game.moves })?.move
    game = (await ask<{ game: Game }>(page, 'POST', `/games/${game.id}/commands`, { type: 'move', move })).game
  }
  return game
}

/** Games for every moment and number of players, and the browser state of the person who plays them. */
export async function prepare(browser: Browser, host: Host, players: number[]) {
  const { page, close } = await visit(browser, host, '/')
  await page.evaluate(() => localStorage.setItem('azulejo.settings', JSON.stringify({ sound: false })))
  await ask(page, 'POST', '/people', { name: 'Ana', cookie: true })
  const games = new Map<string, string>()
  for (const n of players) {
    const draft = await playUntil(page, n, (game) => game.position.round === 3 && game.n_moves % 9 === 6)
    const tiling = await playUntil(page, n, (game) => game.position.phase === 'tiling' && game.position.round > 1, { wall: 'grey' })
    const end = await playUntil(page, n, () => false)
    for (const [moment, game] of Object.entries({ draft, preview: draft, tiling, end })) games.set(`${moment}${n}`, game.id)
  }
  const storageState = await page.context().storageState()
  await close()
  return { games, storageState }
}

export type Prepared = Awaited<ReturnType<typeof prepare>>

/** Opens the table at a moment. */
export async function look(browser: Browser, host: Host, { games, storageState }: Prepared, size: Size, n: number, moment: Moment, more: BrowserContextOptions = {}): Promise<Visitor> {
  const { width, height, isTouch } = size
  const options = { viewport: { width, height }, storageState, ...(isTouch ? { hasTouch: true, isMobile: true } : {}), ...more }
  const visitor = await visit(browser, host, `/game/${games.get(`${moment}${n}`)}`, options)
  const { page } = visitor
  page.setDefaultTimeout(10_000)
  await page.waitForSelector('.table')
  if (moment === 'preview') await choose(page)
  if (moment === 'tiling') await page.waitForSelector('.mine button.space')
  if (moment === 'end') await page.waitForSelector('.end tbody td:not(:has-text("…"))')
  await page.evaluate(() => document.fonts.ready)
  return visitor
}

/** Chooses a pile and previews a line, as a finger or a mouse does. */
async function choose(page: Page): Promise<void> {
  const factory = page.locator('button.factory:not(:disabled)')
  if ((await factory.count()) > 0) await factory.first().click()
  await page.locator('.offer [data-pile] button:not(:disabled)').first().click()
  await page.locator('.mine button.open').last().hover()
}

/** What is wrong with a page, in words; nothing if all is well. */
export async function faults(page: Page, size: Size, moment: Moment): Promise<string[]> {
  return page.evaluate(
    ({ isTouch, moment, mayScroll }) => {
      const found: string[] = []
      const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.getClientRects().length > 0)
      const name = (element: Element) => `${element.tagName.toLowerCase()}.${[...element.classList].filter((word) => !word.startsWith('svelte')).join('.')} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`

      if (document.documentElement.scrollWidth > innerWidth) found.push(`sideways: ${document.documentElement.scrollWidth} > ${innerWidth}`)

      // Nothing that a move needs is out of view.
      const needed = moment === 'end' ? '.end h2, .end .next .button' : '.factory, .center .stack, .slot, .mine [data-to], .mine .wall .cell, .status-lines'
      for (const element of all(needed)) {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + (mayScroll ? 50 : 1)) found.push(`out of view: ${name(element)} ${Math.round(left)},${Math.round(top)} ${Math.round(right)},${Math.round(bottom)}`)
      }

      // No text is cut off. Lists that scroll are not cut.
      for (const element of all('main *, header *, .end *')) {
        if (element.closest('.unseen, svg, dialog:not([open])') || element.matches('.unseen, .layer, .spot')) continue
        const style = getComputedStyle(element)
        // One pixel is the size of texts for screen readers.
        const clips = (style.overflowX === 'hidden' || style.overflowX === 'clip') && element.clientWidth > 1
        if (clips && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2)) {
          found.push(`cut: ${name(element)} ${element.scrollWidth}x${element.scrollHeight} in ${element.clientWidth}x${element.clientHeight}`)
        }
      }

      // Nothing lies on something else.
      const boxes = all('.mine .board, .other, .mine-summary, .status-lines, .factory, .center, .slot, .panel-area, .top, .below').map((element) => ({ element, box: element.getBoundingClientRect() }))
      boxes.forEach(({ element, box }, i) => {
        for (const { element: other, box: its } of boxes.slice(i + 1)) {
          if (element.contains(other) || other.contains(element)) continue
          const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left)
          const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top)
          if (wide <= 1 || high <= 1) continue
          const isRound = (a: Element) => a.classList.contains('factory')
          const distance = Math.hypot(box.x + box.width / 2 - its.x - its.width / 2, box.y + box.height / 2 - its.y - its.height / 2)
          if (isRound(element) && isRound(other) && distance >= (box.width + its.width) / 2 - 1) continue
          // The corner of a box around a factory is empty.
          if (isRound(element) !== isRound(other) && Math.min(wide, high) < 0.15 * Math.min(box.width, its.width)) continue
          found.push(`overlap: ${name(element)} and ${name(other)} by ${Math.round(wide)}x${Math.round(high)}`)
        }
      })

      if (isTouch) {
        for (const element of all('button, a, select, input')) {
          if (element.matches(':disabled, .skip:not(button), input[type=checkbox], input[type=radio], .unseen *') || element.closest('dialog:not([open])')) continue
          const { width, height } = element.getBoundingClientRect()
          // A space of the wall is as large as its tile; it is chosen once a round.
          const least = element.matches('.space') ? 24 : 43.5
          if (width < least || height < least) found.push(`small target: ${name(element)} ${Math.round(width)}x${Math.round(height)}`)
        }
      }
      return found
    },
    { isTouch: size.isTouch, moment, mayScroll: size.width === 320 },
  )
}
