// The player's games: results, filters, statistics.

import { expect, test } from 'vitest'
import { byLevel, filtered, movingAverage, type Played, played, ratedGames, ratingPeriods } from './profile.ts'
import { readRules } from './terms.ts'
import type { Summary } from './types.ts'

function summary(more: Partial<Summary>): Summary {
  const seats = [
    { seat: 1, kind: 'person', name: 'Ana', level: null, left: null },
    { seat: 2, kind: 'engine', name: 'Level 3', level: 3, left: null },
  ] as Summary['seats']
  return {
    id: 'a', status: 'over', rules: '2c', seats, your_seats: [1], clock: { kind: 'none' }, turn: null, round: 5, scores: [40, 30],
    result: { ended_by: 'row', scores: [40, 30], ranks: [1, 2], winners: [1] }, number: 60, created_ms: 0, updated_ms: 5, ...more,
  } as Summary
}
const result = (winners: number[]) => ({ ended_by: 'row', scores: [1, 1], ranks: [1, 1], winners }) as Summary['result']

test('the result of a game for its player', () => {
  const of = (more: Partial<Summary>) => played(summary(more), ['Ana', 'Level 3'], true)
  expect(of({})).toMatchObject({ outcome: 'win', level: 3, seat: 1, isOver: true })
  expect(of({ result: result([2]) }).outcome).toBe('loss')
  expect(of({ result: result([1, 2]) }).outcome).toBe('draw')
  expect(of({ result: result([]) }).outcome).toBeNull()
  expect(of({ status: 'playing', result: null, turn: 1 })).toMatchObject({ outcome: null, isOver: false, isMyTurn: true })
  // Around one screen nobody in particular has won.
  expect(of({ your_seats: [1, 2] })).toMatchObject({ outcome: null, level: null, seat: null })
})

const game = (more: Partial<Played>): Played => ({
  id: 'a', at_ms: 0, names: ['Ana', 'Bruno'], level: 3, isOver: true, isMyTurn: false, outcome: 'win', seat: 1, scores: [1, 0], isLocal: true, ...more,
})

test('filters', () => {
  const games = [game({ id: '1' }), game({ id: '2', names: ['Ana', 'Zé'], outcome: 'loss', isLocal: false }), game({ id: '3', isOver: false, outcome: null })]
  const ids = (filter: Partial<Parameters<typeof filtered>[1]>) =>
    filtered(games, { text: '', outcome: 'all', where: 'all', ...filter }).map(({ id }) => id).join('')
  expect(ids({})).toBe('123')
  expect(ids({ text: 'zé ANA' })).toBe('2')
  expect(ids({ outcome: 'win' })).toBe('1')
  expect(ids({ outcome: 'running' })).toBe('3')
  expect(ids({ where: 'server' })).toBe('2')
  expect(ids({ where: 'local', outcome: 'loss' })).toBe('')
})

test('statistics', () => {
  const games = [game({ at_ms: 3, outcome: 'loss' }), game({ at_ms: 1 }), game({ level: 5, outcome: 'draw', at_ms: 2 }), game({ level: null }), game({ outcome: null })]
  expect(ratedGames(games).map(({ at_ms }) => at_ms)).toEqual([1, 2, 3])
  expect(byLevel(games)).toEqual([{ level: 3, n: 2, share: 0.5 }, { level: 5, n: 1, share: 0.5 }])
  expect(ratingPeriods(ratedGames(games), (level) => level * 100)[1]).toEqual([{ rating: 500, deviation: 50, outcome: 'draw' }])
  expect(movingAverage([1, 3, 5], 2)).toEqual([1, 2, 4])
})

test('rule sets', () => {
  expect(readRules('2c')).toEqual({ isGrey: false, hasJokers: false, preset: '' })
  expect(readRules('3gj-quick-guide')).toEqual({ isGrey: true, hasJokers: true, preset: 'quick-guide' })
})
