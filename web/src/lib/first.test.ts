// Unit tests of first games: answers of lessons, the level that follows the player, faces, the daily deal.

import { expect, test } from 'vitest'
import { outcome, score, streak, today, untilNext } from './daily.ts'
import { FACES } from './faces.ts'
import { noteResult, offeredLevel } from './ladder.ts'
import { answerToDraft, answerToPile } from './lessonAnswers.ts'
import { Picker } from './picker.svelte.ts'
import type { Draft, Summary } from './types.ts'

function draft(move: string): Draft {
  const [, source, pick = '', to = ''] = /^(\d)(J?[BYRKW]|J)([1-5F])/.exec(move) ?? []
  const step = { type: 'drafted', seat: 1, source: Number(source), pick, to, into_line: pick, to_floor: '', to_lid: '', to_center: '', takes_marker: false } as const
  return { move, step, completes_line: false, line_points: null, score: 0, change: 0 }
}

test('a lesson answers choices that it does not ask for', () => {
  const wanted = ['1Y2', '1Y4'].map(draft)
  expect(answerToPile(wanted, 1, 'Y')).toBe('')
  expect(answerToPile(wanted, 1, 'B')).toContain('take 1 yellow from factory 1')
  expect(answerToPile(wanted, 2, 'Y')).toContain('take 1 yellow from factory 1')
  expect(answerToDraft(wanted, draft('1Y4'))).toBe('')
  expect(answerToDraft(wanted, draft('1YF'))).toContain('choose line 2 or line 4')
  // With jokers, the color alone is a good beginning, but not the whole pick.
  const jokers = [draft('1JB3')]
  expect(answerToPile(jokers, 1, 'B')).toBe('')
  expect(answerToDraft(jokers, draft('1B3'))).toContain('take 1 blue and 1 joker')
})

test('the level follows the player after three wins or losses in a row', () => {
  localStorage.clear()
  expect(offeredLevel(3, 10)).toBeNull()
  for (const game of ['a', 'b']) noteResult(game, 3, true)
  // A game counts once.
  noteResult('b', 3, true)
  expect(offeredLevel(3, 10)).toBeNull()
  noteResult('c', 3, true)
  expect(offeredLevel(3, 10)).toBe(4)
  expect(offeredLevel(3, 3)).toBeNull()
  for (const game of ['d', 'e', 'f']) noteResult(game, 4, false)
  expect(offeredLevel(4, 10)).toBe(3)
  for (const game of ['g', 'h', 'i']) noteResult(game, 1, false)
  expect(offeredLevel(1, 10)).toBeNull()
})

test('there are ten different faces', () => {
  expect(new Set(FACES.map((face) => JSON.stringify(face))).size).toBe(10)
})

test('days of the daily deal', () => {
  const noon_ms = Date.UTC(2026, 10, 18, 12)
  expect(today(noon_ms)).toBe('2026-11-18')
  expect(today(Date.UTC(2026, 10, 18, 23, 59, 59))).toBe('2026-11-18')
  expect(untilNext(noon_ms)).toBe('12 h 0 min')
  const deal = (daily: string, winners: number[] | null): Summary =>
    ({ id: daily, daily, result: winners && { winners, ranks: [], scores: [40, 31], ended_by: 'row' } }) as unknown as Summary
  const deals = [deal('2026-11-17', [1]), deal('2026-11-16', [2]), deal('2026-11-14', [1])]
  expect(streak(deals, noon_ms)).toBe(2)
  expect(streak([deal('2026-11-18', [1]), ...deals], noon_ms)).toBe(3)
  expect(streak([deal('2026-11-18', null), ...deals], noon_ms)).toBe(2)
  expect(streak([], noon_ms)).toBe(0)
  expect([[1], [2], [1, 2], []].map((winners) => outcome(deal('2026-11-18', winners)))).toEqual(['Won', 'Lost', 'Tied', null])
  expect(score(deal('2026-11-18', [1]))).toBe('40–31')
})

test('a move on its way is shown until the next state, and Escape does not hide it', () => {
  const picker = new Picker()
  const move = draft('1B2')
  picker.load([move], [])
  picker.load([], [])
  picker.pending = move
  picker.cancel()
  expect(picker.preview).toBe(move)
  expect([picker.isLeaving(1, 'B'), picker.isLeaving(1, 'Y'), picker.isLeaving(2, 'B')]).toEqual([true, false, false])
  picker.load([move], [])
  expect(picker.preview).toBeNull()
})
