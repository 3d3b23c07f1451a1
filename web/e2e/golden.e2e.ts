// The module in Chromium gives the same answers as the native program, and is compared with its speed.
// `cargo xtask web --browser` makes the file of answers and names it in AZULEJO_GOLDEN.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './harness.ts'

let browser: Browser
beforeAll(async () => void (browser = await openBrowser()))
afterAll(() => browser?.close())

interface Counts {
  searches: number
  games: number
  calls: number
  speed: number[]
}

const TYPES: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' }

test('the module in Chromium agrees with the native program', async () => {
  const golden = process.env.AZULEJO_GOLDEN
  if (!golden) throw new Error('AZULEJO_GOLDEN names no file: run `cargo xtask web --browser`')
  const page = await browser.newPage()
  // All requests are answered here, without a network.
  await page.route('**', (route) => {
    const path = new URL(route.request().url()).pathname
    if (path === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
    const file = path === '/golden.jsonl' ? golden : join(import.meta.dirname, '..', path)
    return route.fulfill({ contentType: TYPES[path.split('.').pop() ?? ''] ?? 'text/plain', body: readFileSync(file) })
  })
  await page.goto('http://127.0.0.1:9/')
  // As text, because the test runner rewrites imports.
  const { searches, games, calls, speed } = (await page.evaluate("import('/golden/browser.mjs').then(({ counts }) => counts)")) as Counts
  const percent = speed.map((ratio) => `${Math.round(100 * ratio)} %`).join(', ')
  console.log(`Chromium agrees with native in ${searches} searches and ${calls} calls of ${games} games; speed compared with native, 2, 3 and 4 players: ${percent}`)
  expect(searches).toBeGreaterThanOrEqual(1_000)
  expect(games).toBe(12)
  // The native program ran at another time of a machine that may be busy, so the mean is compared.
  expect(speed.reduce((sum, ratio) => sum + ratio, 0) / speed.length).toBeGreaterThan(0.5)
})
