// The list of moves while it is loaded: moves that arrive meanwhile are neither lost nor doubled.

import { expect, test } from 'vitest'
import { History } from './history.svelte.ts'
import type { Position, Replay, Step } from './types.ts'

const position = { boards: [] } as unknown as Position
const report = (n: number): Step[] => [{ type: 'drafted', seat: 1, source: n, pick: 'B', to: '1', into_line: 'B', to_floor: '', to_lid: '', to_center: '', takes_marker: false }]
const step = (n: number) => ({ move: `${n}B1`, report: report(n), position })
const sources = (history: History) => history.entries.map((entry) => entry.step?.source)

test('moves that arrive while the list is loaded stand in it once', async () => {
  const history = new History(() => 'Ana')
  let answer: (replay: Replay) => void = () => {}
  const loaded = history.load(() => new Promise((found) => (answer = found)))
  // Two moves are played while the replay is on its way; it knows the first of them.
  history.add({ report: report(2), position, n_moves: 2 })
  history.add({ report: report(3), position, n_moves: 3 })
  answer({ steps: [step(1), step(2)] } as unknown as Replay)
  expect(await loaded).toBe(true)
  expect(sources(history)).toEqual([1, 2, 3])
  history.add({ report: report(4), position, n_moves: 4 })
  expect(sources(history)).toEqual([1, 2, 3, 4])
  expect(history.moments.length).toBe(4)
})

test('a list that cannot be loaded says so and goes on', async () => {
  const history = new History(() => 'Ana')
  const loaded = history.load(() => Promise.reject(new Error('gone')))
  history.add({ report: report(1), position, n_moves: 1 })
  expect(await loaded).toBe(false)
  history.add({ report: report(2), position, n_moves: 2 })
  expect(sources(history)).toEqual([1, 2])
})
