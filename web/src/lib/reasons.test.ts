// Reasons of hints: each one appears if and only if the numbers support it.

import { expect, test } from 'vitest'
import { comparison, moveInWords, reasons } from './reasons.ts'
import type { Drafted, HintMove, Move } from './types.ts'

function draft(move: string, change: number, more: Partial<Drafted> = {}, line_points: number | null = null): Move {
  const [, source, pick, to] = /^(\d)([BYRKW])([1-5F])$/.exec(move) ?? []
  const step: Drafted = { type: 'drafted', seat: 1, source: Number(source), pick: pick ?? '', to: to ?? '', into_line: pick ?? '', to_floor: '', to_lid: '', to_center: '', takes_marker: false, ...more }
  return { move, step, completes_line: line_points !== null, line_points, score: 10 + change, change }
}

const hint = (preview: Move, difference: number, more: Partial<HintMove> = {}): HintMove => ({
  preview,
  win: 0.5,
  difference,
  line: [preview.move],
  completes: { rows: 0, columns: 0, colors: 0 },
  reply: null,
  ...more,
})

const name = (seat: number) => ['Ana', 'Bruno'][seat - 1] ?? ''
const reply = (change: number) => draft('2R3', change, { seat: 2, into_line: 'RR' })

test('reasons for a move', () => {
  const filling = hint(draft('1B1', 3, {}, 3), 2, { completes: { rows: 1, columns: 1, colors: 0 }, reply: reply(2) })
  expect(reasons(filling, name)).toEqual([
    'fills line 1 for 3 points',
    'completes a row, which makes this the last round',
    'completes a column',
    'drops nothing',
    'then Bruno would take 2 red from factory 2 → line 3 (+2)',
  ])
  const falling = hint(draft('0Y2', -2, { into_line: 'Y', to_floor: 'YY', takes_marker: true }), 0)
  expect(reasons(falling, name)).toEqual(['puts 1 yellow on line 2', 'takes the marker and starts the next round', '2 tiles fall to the floor'])
  expect(reasons(hint(draft('0YF', -2, { into_line: '', to_floor: 'YY' }), 0), name)).toEqual(['drops the tiles on the floor'])
  expect(moveInWords(filling.preview)).toBe('1 blue from factory 1 → line 1')
})

test.each([
  ['points', hint(draft('1B1', 3, {}, 3), 2), hint(draft('2R2', 1), 0), 'it scores 2 points more this round'],
  ['a bonus', hint(draft('1B1', 1), 2, { completes: { rows: 0, columns: 1, colors: 0 } }), hint(draft('2R2', 1), 0), 'it completes more of the wall'],
  ['the floor', hint(draft('1B1', 1), 2), hint(draft('2R2', 1, { to_floor: 'RR' }), 0), '2 fewer tiles fall to the floor'],
  ['what it leaves', hint(draft('1B1', 1), 2, { reply: reply(1) }), hint(draft('2R2', 1), 0, { reply: reply(5) }), 'it leaves Bruno 4 points less'],
  ['the marker', hint(draft('0B1', 1, { takes_marker: true }), 2), hint(draft('2R2', 1), 0), 'you start the next round'],
  ['later rounds', hint(draft('1B1', 1), 2), hint(draft('2R2', 1), 0), 'it is better for later rounds'],
  ['fewer points now', hint(draft('1B1', 0), 2), hint(draft('2R2', 1), 0), 'it costs 1 point now and pays off later'],
])('why the best move is better: %s', (_, best, next, expected) => {
  const words = comparison(best, next, name)
  expect(words).toContain(expected)
  expect(words).toContain('red from factory 2 → line 2')
  expect(words).toContain('2.0 points')
})

test('moves of nearly equal value are called nearly as good', () => {
  expect(comparison(hint(draft('1B1', 3), 2), hint(draft('2R2', 1), 1.9), name)).toBe('1 red from factory 2 → line 2 is nearly as good.')
})
