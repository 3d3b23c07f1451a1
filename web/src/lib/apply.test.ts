// Compares `apply` with the server over recorded games: applying the steps of each report must lead to the
// server's next position.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apply } from './apply.ts'
import { sorted } from './tiles.ts'
import type { Position, Step } from './types.ts'

interface Recorded {
  start: Position
  steps: { move: string | null; report: Step[]; position: Position }[]
}

/** The displayed part of a position, without zero counts and with sorted tiles. */
function look(position: Position) {
  const counts = (of: Record<string, number>) => Object.entries(of).filter(([, n]) => n !== 0).sort()
  return {
    round: position.round,
    factories: position.factories.map(sorted),
    center: sorted(position.center),
    bag: counts(position.bag),
    lid: counts(position.lid),
    boards: position.boards.map((board) => ({
      score: board.score,
      wall: board.wall,
      floor: sorted(board.floor),
      lines: board.lines.map((line) => ({ color: line.color, tiles: sorted(line.tiles), room: line.room })),
    })),
  }
}

/** Adds a projection, which the recorded positions do not contain. */
function whole(position: Position): Position {
  const projection = { rows: [null, null, null, null, null], points: 0, loss: 0, score: 0 }
  return { ...position, boards: position.boards.map((board) => ({ ...board, projection })) }
}

test.each(['colored', 'grey-jokers'])('applying the steps of a report gives the next position: %s', (name) => {
  const { start, steps }: Recorded = JSON.parse(readFileSync(`testdata/${name}.json`, 'utf8'))
  let shown = whole(start)
  expect(steps.length).toBeGreaterThan(20)
  for (const { move, report, position } of steps) {
    for (const step of report) shown = apply(shown, step)
    // Between rounds the server already counts the next round; the app still shows the last one.
    const expected = { ...look(position), round: position.phase === 'deal' ? shown.round : position.round }
    expect({ move, ...look(shown) }).toEqual({ move, ...expected })
  }
})
