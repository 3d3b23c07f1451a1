// Animations: tiles land where the host says, step by step, can be skipped, and leave no elements behind.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

/** A visitor at the fifth lesson, whose table is shown. The address itself would be an error 404 on a static host. */
async function atLesson(options: BrowserContextOptions = {}) {
  const visitor = await visit(browser(), site, '/', options)
  await visitor.page.getByRole('link', { name: 'Learn' }).first().click()
  await visitor.page.click('a[href$="/learn/5"]')
  await visitor.page.waitForSelector('[data-pile="0K"] button:not(:disabled)')
  return visitor
}

/** Ends the round of the fifth lesson: a draft, three placements, two floors, and a new deal. */
async function endRound(page: Page) {
  await page.click('[data-pile="0K"] button')
  await page.click('.mine [data-to="1"]')
}

/** Checks the table after all animations. */
async function rest(page: Page) {
  await page.waitForSelector('.task.done', { timeout: 60_000 })
  expect(await page.locator('.flying, .bubble').count()).toBe(0)
  expect(await page.locator('[style*="visibility"]').count()).toBe(0)
  expect(await page.locator('[data-spot="s1-score"] strong').textContent()).toBe('12')
  expect(await page.locator('.mine .wall .tile.solid').count()).toBe(7)
  expect(await page.locator('.factory .tile').count()).toBe(20)
}

test('the end of a round is animated tile by tile at a sufficient frame rate', async () => {
  const { page, errors, close } = await atLesson({ reducedMotion: 'no-preference' })
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let last = performance.now()
    const frame = (now: number) => {
      if (document.querySelector('.flying, .bubble')) frames.push(now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    // What the table shows between two steps: the score and the tiles on the wall.
    const shown: string[] = []
    Object.assign(window, { shown })
    new MutationObserver(() => {
      const now = `${document.querySelector('[data-spot="s1-score"] strong')?.textContent} ${document.querySelectorAll('.mine .wall .tile.solid').length}`
      if (shown.at(-1) !== now) shown.push(now)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await endRound(page)
  await page.waitForSelector('.lit')
  await page.waitForSelector('.bubble')
  await rest(page)
  expect(await page.evaluate('shown')).toEqual(['6 4', '10 5', '12 6', '13 7', '12 7'])
  const frames = (await page.evaluate('frames')) as number[]
  frames.sort((a, b) => a - b)
  const at = (share: number) => frames[Math.floor(frames.length * share)]?.toFixed(1)
  // Frame times on a loaded machine vary, so they are only reported; no frames at all is an error.
  console.log(`${frames.length} frames while tiles fly: median ${at(0.5)} ms, 95 % under ${at(0.95)} ms`)
  expect(frames.length).toBeGreaterThan(20)
  expect(errors).toEqual([])
  await close()
})

test('the skip button ends the animation', async () => {
  const { page, errors, close } = await atLesson({ reducedMotion: 'no-preference' })
  await endRound(page)
  await page.getByRole('button', { name: 'Skip' }).click()
  await rest(page)
  expect(errors).toEqual([])
  await close()
})

test('with reduced motion the result is shown at once', async () => {
  const { page, errors, close } = await atLesson()
  await page.evaluate(() => new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => (node as Element).classList?.contains('flying') && console.error('a tile flew')))).observe(document.body, { childList: true }))
  await endRound(page)
  await rest(page)
  expect(errors).toEqual([])
  await close()
})
