// The module in Chromium gives the same answers as the native program, and is compared with its speed.
// `cargo xtask test` makes the file of answers, names it in AZULEJO_GOLDEN, and a native engine to
// compare with in AZULEJO_NATIVE.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './harness.ts'

let browser: Browser
beforeAll(async () => void (browser = await openBrowser()))
afterAll(() => browser?.close())

const TYPES: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' }

/** A file or program of the environment. */
function named(variable: string): string {
  const name = process.env[variable]
  if (!name) throw new Error(`${variable} is not set: run \`cargo xtask test\``)
  return name
}

/** A page that has loaded the module; all its requests are answered here, without a network. */
async function open(): Promise<Page> {
  const page = await browser.newPage()
  await page.route('**', (route) => {
    const path = new URL(route.request().url()).pathname
    if (path === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
    const file = path === '/golden.jsonl' ? named('AZULEJO_GOLDEN') : join(import.meta.dirname, '..', path)
    return route.fulfill({ contentType: TYPES[path.split('.').pop() ?? ''] ?? 'text/plain', body: readFileSync(file) })
  })
  await page.goto('http://127.0.0.1:9/')
  return page
}

// The calls are text, because the test runner rewrites imports.
test('the module in Chromium agrees with the native program', async () => {
  const page = await open()
  const compared = await page.evaluate("import('/golden/browser.mjs').then(({ compare }) => compare())")
  console.log(`Chromium agrees with native in ${compared}`)
})

test('the module in Chromium has half the speed of the native program', async () => {
  const page = await open()
  const native = JSON.parse(execFileSync(named('AZULEJO_NATIVE'), { encoding: 'utf8' })) as { ms: number }[]
  const times = (await page.evaluate(`import('/golden/browser.mjs').then(({ times }) => times(${JSON.stringify(native)}))`)) as number[]
  const speed = native.map(({ ms }, i) => ms / (times[i] ?? Infinity))
  console.log(`speed compared with native, 2, 3 and 4 players: ${speed.map((ratio) => `${Math.round(100 * ratio)} %`).join(', ')}`)
  expect(Math.min(...speed)).toBeGreaterThan(0.5)
})
