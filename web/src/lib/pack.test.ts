// @vitest-environment node

import { expect, test } from 'vitest'
import { pack, unpack } from './pack.ts'

const line = (n: number) => JSON.stringify({ id: `local-${n}`, summary: { updated_ms: n }, game: `${Math.sin(n)}`.repeat(20) })

test('packed games come out as they went in', async () => {
  const lines = [1, 2, 3].map(line)
  const { games, n, left } = await pack(lines)
  expect([n, left]).toEqual([3, 0])
  expect((await unpack(games)).split('\n')).toEqual([...lines].reverse())
  expect(await unpack('')).toBe('')
})

test('if not all games fit, the latest go', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => line(n))
  const { games, n, left } = await pack(lines, 4_000)
  expect(games.length).toBeLessThanOrEqual(4_000)
  expect(n).toBeGreaterThan(10)
  expect(n + left).toBe(300)
  expect((await unpack(games)).split('\n')[0]).toBe(lines[299])
})
