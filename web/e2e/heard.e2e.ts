// What a screen reader hears: the accessibility trees of the main pages as text, compared with
// `testdata/heard.txt`, which is meant to be read. `AZULEJO_BLESS=1` writes it again.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { hosted, myTurn, newGame, take, visit } from './harness.ts'
import { playUntil } from './looks.ts'

const { host, browser } = hosted()
const isBlessing = Boolean(process.env.AZULEJO_BLESS)
const FILE = join(import.meta.dirname, '../testdata/heard.txt')

/** Without what differs between two runs: ids, days, times. */
const steady = (text: string) =>
  text
    .replace(/\/(game|replay|review)\/\w+/g, '/$1/ID')
    .replace(/(January|February|March|April|May|June|July|August|September|October|November|December|[A-Z][a-z]{2}) \d+, \d{4}/g, 'DAY')
    .replace(/\d+ h \d+ min|\d+ min/g, 'TIME')

/** The expected texts by title. */
const expected = new Map(readFileSync(FILE, 'utf8').split(/^## /m).slice(1).map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]))

test('pages read aloud as they should', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const heard: string[] = []
  const listen = async (title: string, part: Locator = page.locator('main')) => {
    const text = async () => steady(await part.ariaSnapshot())
    // Lists and figures arrive after the page.
    if (isBlessing) await page.waitForTimeout(1_000)
    else await expect.poll(text, { timeout: 10_000 }).toBe(expected.get(title))
    heard.push(`## ${title}\n\n${await text()}\n`)
  }
  const open = async (path: string, ready: string) => {
    await page.goto(host.url + path)
    await page.waitForSelector(ready)
  }

  await page.waitForSelector('.scene .table')
  await page.getByRole('slider').waitFor()
  await listen('Home, first visit')
  await open('/learn/1', '.lesson')
  await page.waitForSelector('.offer .pile.advised')
  await listen('Lesson', page.getByRole('region', { name: 'Taking tiles' }))

  const { game } = await newGame(page, { seats: [{ kind: 'me', name: 'Ana' }, { kind: 'here', name: 'Bruno' }], seed: '4' })
  await open(`/game/${game.id}`, '.table')
  await myTurn(page)
  await listen('Table')
  await take(page, `1${game.position.factories[0]?.[0]}`)
  await listen('Table, tiles chosen: the lines', page.locator('div.mine'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Settings' }).click()
  await listen('Settings at the table', page.locator('dialog[open]'))
  await page.keyboard.press('Escape')

  const over = await playUntil(page, 2, () => false)
  await open(`/game/${over.id}`, '.end tbody td:not(:has-text("…"))')
  await listen('End', page.locator('.end'))
  await open('/profile', '.list li')
  await listen('Profile')
  await open('/take', 'form')
  await listen('Take a profile')
  await open('/daily', '.panel .button')
  await listen('Daily deal')
  await open('/watch', 'aside h2')
  await listen('Watch, beside the table', page.locator('aside'))
  expect(errors).toEqual([])
  await close()

  if (isBlessing) writeFileSync(FILE, heard.join('\n'))
  else expect(heard.length).toBe(expected.size)
})
