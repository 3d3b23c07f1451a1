// The screen's bookkeeping, compared with the server's positions over recorded games: applying the
// reported events one by one leads to what the server says the table looks like.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apply } from './apply.ts'
import { sorted } from './tiles.ts'
import type { Position, TableEvent } from './types.ts'

interface Recorded {
  start: Position
  steps: { move: string | null; report: TableEvent[]; position: Position }[]
}

/** What a screen shows of a position; zeros in counts and the order of tiles do not matter. */
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

/** A recorded position has only what is compared; the rest is not looked at. */
function whole(position: Position): Position {
  const projection = { rows: [null, null, null, null, null], points: 0, loss: 0, score: 0 }
  return { ...position, boards: position.boards.map((board) => ({ ...board, projection })) }
}

test.each(['colored', 'grey-jokers'])('events lead from position to position: %s', (name) => {
  const { start, steps }: Recorded = JSON.parse(readFileSync(`testdata/${name}.json`, 'utf8'))
  let shown = whole(start)
  expect(steps.length).toBeGreaterThan(20)
  for (const { move, report, position } of steps) {
    for (const event of report) shown = apply(shown, event)
    // Between rounds the server counts the round to come; the screen still shows the one that ended.
    const expected = { ...look(position), round: position.phase === 'deal' ? shown.round : position.round }
    expect({ move, ...look(shown) }).toEqual({ move, ...expected })
  }
})
