// The static site without a network and in a new version: the service worker.

import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { anyMove, myTurn, playToEnd, visit } from './harness.ts'
import { onSite } from './site.ts'

const { site, browser } = onSite()

afterEach(() => {
  site.change = (_, content) => content
})

/** Waits until the service worker has everything and answers for this page. */
const installed = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller) await new Promise((over) => navigator.serviceWorker.addEventListener('controllerchange', over, { once: true }))
  })

async function playNow(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('azulejo.settings', JSON.stringify({ level: 1, sound: false })))
  await page.goto(`${site.url}/`)
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.waitForURL(/\/game\/local-/)
}

test('after one visit a whole game, a hint and a lesson work without a network', async () => {
  const { page, errors, close } = await visit(browser(), site, '/')
  await installed(page)
  await site.stop()
  try {
    await playNow(page)
    await myTurn(page)
    await page.keyboard.press('h')
    await page.waitForSelector('.hint li', { timeout: 60_000 })
    expect(await playToEnd(page)).toBeGreaterThan(10)
    await page.getByRole('link', { name: 'Replay' }).click()
    await page.waitForSelector('.sentence')
    await page.goto(`${site.url}/learn/2`)
    await page.click('[data-pile="1Y"] button:not(:disabled)')
    await page.click('.mine [data-to="2"]')
    await page.waitForSelector('.task.done')
    // Lessons are not listed.
    await page.goto(`${site.url}/`)
    await page.waitForSelector('.mine li')
    expect(await page.locator('.mine li').count()).toBe(1)
  } finally {
    await site.listen()
  }
  expect(errors).toEqual([])
  await close()
})

test('a new version is announced and taken over without losing a game', async () => {
  const { page, errors, close } = await visit(browser(), site, '/')
  await installed(page)
  await playNow(page)
  await anyMove(page)
  const description = () => page.getAttribute('meta[name=description]', 'content')
  // The same files with another document and another cache are a new version.
  const replace = (content: Buffer, from: string, to: string) => Buffer.from(content.toString().replace(from, to))
  site.change = (path, content) => {
    if (path === 'index.html' || path === '404.html') return replace(content, 'name="description" content="', 'name="description" content="New. ')
    return path === 'sw.js' ? replace(content, '`azulejo ', '`azulejo next ') : content
  }
  await page.reload()
  await page.waitForSelector('.notices:has-text("A new version of Azulejo is ready")')
  // Until then everything is of the old version.
  expect(await description()).not.toContain('New.')
  await anyMove(page)
  await myTurn(page)
  const before = await page.getAttribute('main', 'data-number')
  await page.getByRole('button', { name: 'Use it now' }).click()
  await expect.poll(description).toContain('New.')
  await myTurn(page)
  expect(await page.getAttribute('main', 'data-number')).toBe(before)
  await anyMove(page)
  expect(await page.locator('.notices:has-text("A new version")').count()).toBe(0)
  expect(errors).toEqual([])
  await close()
})
