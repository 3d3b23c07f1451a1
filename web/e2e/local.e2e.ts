// Games in the browser on a page that has a server, too: the server hears nothing of them, and answers for
// browsers that cannot run the module.

import { expect, test } from 'vitest'
import { anyMove, ask, gameId, hosted, myTurn, visit } from './harness.ts'

const { host, browser } = hosted()

test('a game alone and a lesson ask the server for nothing', async () => {
  const { page, errors, close } = await visit(browser(), host, '/')
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname))
  page.on('websocket', (socket) => asked.push(socket.url()))
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.waitForURL(/\/game\/local-/)
  await anyMove(page)
  await myTurn(page)
  await page.keyboard.press('h')
  await page.waitForSelector('.hint li', { timeout: 60_000 })
  await page.getByRole('link', { name: /Home$/ }).first().click()
  await page.waitForSelector('.mine li')
  await page.goto(`${host.url}/learn`)
  await page.click('[data-pile="1B"] button:not(:disabled)')
  await page.click('.mine [data-to="2"]')
  await page.waitForSelector('.task.done')
  expect(asked.filter((path) => path !== '/api/v1/options')).toEqual([])
  expect(errors).toEqual([])
  await close()
})

test('without the module the server plays', async () => {
  const { page, close } = await visit(browser(), host, '/', { serviceWorkers: 'block' })
  await page.route(/assets\/worker-/, (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Play now' }).click()
  await page.waitForURL(/\/game\/[a-z2-9]{16}$/)
  await anyMove(page)
  expect((await ask<{ n_moves: number }>(page, 'GET', `/games/${gameId(page)}`)).n_moves).toBeGreaterThan(0)
  await page.goto(`${host.url}/learn`)
  await page.click('[data-pile="1B"] button:not(:disabled)')
  await page.click('.mine [data-to="2"]')
  await page.waitForSelector('.task.done')
  // Lessons on the server are not listed.
  await page.goto(host.url)
  await page.waitForSelector('.mine li')
  expect(await page.locator('.mine li').count()).toBe(1)
  await close()
})
