// Unit tests of small modules: tiles, runs on a wall, typed moves, choices, texts, pages, QR codes.

import { flushSync, mount, unmount } from 'svelte'
import { describe, expect, test } from 'vitest'
import QrCode from '../parts/QrCode.svelte'
import { en } from '../text/en.ts'
import { es } from '../text/es.ts'
import { preferred } from '../text/languages.ts'
import { pt } from '../text/pt.ts'
import { allPages } from './api.ts'
import { lines, run } from './flight.ts'
import { PAGES, route } from './pages.ts'
import { Picker } from './picker.svelte.ts'
import { settings } from './settings.svelte.ts'
import { groups, markerFace, printed } from './tiles.ts'
import { Typing } from './typing.svelte.ts'
import type { Move, Position, Replay } from './types.ts'
import { either, fromInWords, list, loadLanguage, signed, t, tilesInWords } from './words.svelte.ts'

test('strings of tiles', () => {
  expect(groups('RBBJ')).toEqual([{ tile: 'B', n: 2 }, { tile: 'R', n: 1 }, { tile: 'J', n: 1 }])
})

test('the printed wall follows the rules', () => {
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

test('spaces of full rows, columns and colors', () => {
  const { rows, columns, colors } = lines(['BYRKW', 'WB...', 'K.B..', 'R..B.', 'Y...B'])
  expect([...rows]).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5'])
  expect([...columns]).toEqual(['1.1', '2.1', '3.1', '4.1', '5.1'])
  expect([...colors]).toEqual(['1.1', '2.2', '3.3', '4.4', '5.5'])
  expect(lines(['JJJJJ', '.....', '.....', '.....', '.....']).colors.size).toBe(0)
})

function draft(move: string): Move {
  const [, source, pick, to] = /^(\d)(J?[BYRKW]|J)([1-5F])/.exec(move) ?? []
  const step = { type: 'drafted', seat: 1, source: Number(source), pick: pick ?? '', to: to ?? '', into_line: '', to_floor: '', to_lid: '', to_center: '', takes_marker: false } as const
  return { move, step, completes_line: false, line_points: null, score: 0, change: 0 }
}

describe('choosing a move', () => {
  const moves = ['1B1', '1B2', '1JB1', '1JB1j1', '1J2', '0RF'].map(draft)

  test('piles, lines and reasons come from the server', () => {
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
    picker.onmove = ({ move }) => played.push(move)
    const typing = new Typing(picker)
    for (const key of keys) typing.key(key)
    expect(played).toEqual(expected)
  })

  test('Enter plays a move that is also the start of a longer one', () => {
    const picker = new Picker()
    picker.load(moves, [])
    const played: string[] = []
    picker.onmove = ({ move }) => played.push(move)
    const typing = new Typing(picker)
    for (const key of ['1', 'j', 'b', '1', 'Enter']) typing.key(key)
    expect(played).toEqual(['1JB1'])
  })
})

describe('texts', () => {
  test.each([['pt', pt], ['es', es]] as const)('%s has the keys and the placeholders of English', (_, catalog) => {
    expect(Object.keys(catalog).sort()).toEqual(Object.keys(en).sort())
    const blanks = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, ...blanks(catalog[key])]).toEqual([key, ...blanks(en[key])])
      expect(catalog[key], key).not.toBe('')
    }
  })

  test('the language follows the browser', () => {
    expect(preferred(['es-MX', 'en-US'])).toBe('es')
    expect(preferred(['fr-FR', 'pt-BR', 'en'])).toBe('pt')
    expect(preferred(['fr', 'de'])).toBe('en')
    expect(preferred([])).toBe('en')
  })

  test('Spanish has its own plurals, lists, contractions and word order', async () => {
    settings.language = 'es'
    await loadLanguage('es')
    expect([0, 1, 2].map((n) => t('points', { n }))).toEqual(['0 puntos', '1 punto', '2 puntos'])
    expect(t('say.pile', { tiles: tilesInWords('BBK'), from: fromInWords(0) })).toBe('2 azules y 1 negro del centro')
    expect(t('end.lost', { name: 'Ana' })).toBe('Gana Ana.')
    expect(either(['a', 'b', 'c'])).toBe('a, b o c')
    settings.language = 'en'
  })

  test('numbers and lists', () => {
    expect(t('points', { n: 1 })).toBe('1 point')
    expect(t('points', { n: 4 })).toBe('4 points')
    expect(tilesInWords('RBB')).toBe('2 blue and 1 red')
    expect(list(['a', 'b', 'c'])).toBe('a, b, and c')
    expect([signed(3), signed(-2), signed(0)]).toEqual(['+3', '−2', '±0'])
  })

  test('a name is not a placeholder', () => {
    expect(t('log.joined', { name: '{n}' })).toBe('{n} joins.')
  })

  test('Portuguese has its own plurals, lists and contractions', async () => {
    settings.language = 'pt'
    await loadLanguage('pt')
    expect([0, 1, 2].map((n) => t('points', { n }))).toEqual(['0 pontos', '1 ponto', '2 pontos'])
    expect(list(['a', 'b', 'c'])).toBe('a, b e c')
    expect(t('say.pile', { tiles: tilesInWords('BBK'), from: fromInWords(0) })).toBe('2 azuis e 1 preto do centro')
    expect(fromInWords(5)).toBe('da fábrica 5')
    settings.language = 'en'
  })
})

test('only the preset duel labels the marker F', () => {
  const face = (preset: string | null) => markerFace({ rules: { preset } } as unknown as Position)
  expect([face('official'), face(null), face('duel')]).toEqual(['1', '1', 'F'])
})

test('the pages of a replay are loaded one after another', async () => {
  const steps = Array.from({ length: 450 }, (_, i) => ({ round: i }))
  const asked: number[] = []
  const page = async (from: number) => {
    asked.push(from)
    return { n_steps: steps.length, from, steps: steps.slice(from, from + 200) } as unknown as Replay
  }
  expect((await allPages(page)).steps).toEqual(steps)
  expect(asked).toEqual([0, 200, 400])
  // A game that has got shorter meanwhile, by a take-back, is not asked for again and again.
  const shrunk = async (from: number) => ({ n_steps: 3, from, steps: steps.slice(from, 2) }) as unknown as Replay
  expect((await allPages(shrunk)).n_steps).toBe(2)
})

test.each([
  ['/', 'Home', {}],
  ['/new/', 'NewGame', {}],
  ['/game/abc', 'Game', { id: 'abc' }],
  ['/learn', 'Learn', {}],
  ['/learn/3', 'Learn', { id: '3' }],
])('the page at %s', (path, component, params) => {
  expect(route(path)).toEqual({ component, params })
})

test('every page has a component, and other paths have none', () => {
  const files = Object.keys(import.meta.glob('../pages/*.svelte')).map((path) => path.slice('../pages/'.length, -'.svelte'.length))
  expect([...new Set(Object.values(PAGES))].sort()).toEqual(files.sort())
  expect(['/nowhere', '/game', '/game/abc/def', '/settings/x'].map(route)).toEqual([null, null, null, null])
})

test.each([
  [1, 21],
  [14, 21],
  [15, 25],
  [110, 45],
  [287, 65],
  [288, 69],
])('a QR code of %i bytes has %i modules and a quiet zone of 4', (n, modules) => {
  const target = document.createElement('div')
  const code = mount(QrCode, { target, props: { text: 'x'.repeat(n), label: 'code' } })
  flushSync()
  expect(target.querySelector('svg')?.getAttribute('viewBox')).toBe(`0 0 ${modules + 8} ${modules + 8}`)
  void unmount(code)
})
