// Small parts: tiles as text, runs on a wall, typed moves, choices, texts, codes to scan.

import { describe, expect, test } from 'vitest'
import { en } from '../text/en.ts'
import { pt } from '../text/pt.ts'
import { lines, run } from './flight.ts'
import { Picker } from './picker.svelte.ts'
import { qr } from './qr.ts'
import { groups, printed, sorted, without } from './tiles.ts'
import { Typing } from './typing.svelte.ts'
import type { Move } from './types.ts'
import { list, signed, t, tilesInWords } from './words.svelte.ts'

test('tiles as text', () => {
  expect(groups('RBBJ')).toEqual([{ tile: 'B', n: 2 }, { tile: 'R', n: 1 }, { tile: 'J', n: 1 }])
  expect(without('BBRK', 'BK')).toBe('BR')
  expect(without('R', 'B')).toBe('R')
  expect(sorted('JWKRYB')).toBe('BYRKWJ')
})

test('the printed wall is the one of the rules', () => {
  const rows = [1, 2, 3, 4, 5].map((row) => [1, 2, 3, 4, 5].map((column) => printed(row, column)).join(''))
  expect(rows).toEqual(['BYRKW', 'WBYRK', 'KWBYR', 'RKWBY', 'YRKWB'])
})

test.each([
  [['.....', '.....', '.....', '.....', '.....'], 3, 3, ['3.3']],
  [['B.R..', '.....', '.....', '.....', '.....'], 1, 2, ['1.1', '1.2', '1.3']],
  [['.Y...', '.B...', '.....', '.K...', '.....'], 3, 2, ['1.2', '2.2', '3.2', '4.2']],
])('runs through a space', (wall, row, column, expected) => {
  expect([...run(wall, row, column)].sort()).toEqual(expected)
})

test('what the bonuses are for', () => {
  const { rows, columns, colors } = lines(['BYRKW', 'WB...', 'K.B..', 'R..B.', 'Y...B'])
  expect([...rows]).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5'])
  expect([...columns]).toEqual(['1.1', '2.1', '3.1', '4.1', '5.1'])
  expect([...colors]).toEqual(['1.1', '2.2', '3.3', '4.4', '5.5'])
  expect(lines(['JJJJJ', '.....', '.....', '.....', '.....']).colors.size).toBe(0)
})

function draft(move: string): Move {
  const [, source, pick, to] = /^(\d)(J?[BYRKW]|J)([1-5F])/.exec(move) ?? []
  const event = { event: 'drafted', seat: 1, source: Number(source), pick: pick ?? '', to: to ?? '', into_line: '', to_floor: '', to_lid: '', to_center: '', takes_marker: false } as const
  return { move, event, completes_line: false, line_points: null, score: 0, change: 0 }
}

describe('choosing a move', () => {
  const moves = ['1B1', '1B2', '1JB1', '1JB1j1', '1J2', '0RF'].map(draft)

  test('piles, lines and reasons are found in what the server sent', () => {
    const picker = new Picker()
    picker.load(moves, [{ pick: 'B', line: 3, code: 'line_full', reason: 'line 3 is full' }])
    expect(picker.picks(1)).toEqual(['B', 'JB', 'J'])
    picker.choose(1, 'B')
    expect(picker.movesTo('2').map(({ move }) => move)).toEqual(['1B2'])
    expect(picker.movesTo('3')).toEqual([])
    expect(picker.whyNot(3)?.code).toBe('line_full')
    picker.choose(1, 'B')
    expect(picker.pick).toBeNull()
    picker.choose(2, 'B')
    expect(picker.source).toBeNull()
  })

  test.each([
    ['1b2', ['1B2']],
    ['0rf', ['0RF']],
    ['9', []],
    ['1jb1', []],
    ['1jb1j1', ['1JB1j1']],
  ])('typing %s', (keys, expected) => {
    const picker = new Picker()
    picker.load(moves, [])
    const played: string[] = []
    const typing = new Typing(picker, ({ move }) => played.push(move))
    for (const key of keys) typing.key(key)
    expect(played).toEqual(expected)
  })

  test('Enter plays what could go on', () => {
    const picker = new Picker()
    picker.load(moves, [])
    const played: string[] = []
    const typing = new Typing(picker, ({ move }) => played.push(move))
    for (const key of ['1', 'j', 'b', '1', 'Enter']) typing.key(key)
    expect(played).toEqual(['1JB1'])
  })
})

describe('texts', () => {
  test('both languages fill in the same blanks', () => {
    const blanks = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, ...blanks(pt[key])]).toEqual([key, ...blanks(en[key])])
      expect(pt[key], key).not.toBe('')
    }
  })

  test('numbers and lists', () => {
    expect(t('points', { n: 1 })).toBe('1 point')
    expect(t('points', { n: 4 })).toBe('4 points')
    expect(tilesInWords('RBB')).toBe('2 blue and 1 red')
    expect(list(['a', 'b', 'c'])).toBe('a, b and c')
    expect([signed(3), signed(-2), signed(0)]).toEqual(['+3', '−2', '±0'])
  })

  test('a name is not a blank', () => {
    expect(t('log.joined', { name: '{n}' })).toBe('{n} sits down.')
  })
})

test('codes grow with their text, and say when it is too long', () => {
  const side = (n: number) => qr('x'.repeat(n))?.length
  expect([side(1), side(14), side(15), side(110), side(287), side(288)]).toEqual([21, 21, 25, 45, 65, undefined])
})
