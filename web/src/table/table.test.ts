// Components of the table, mounted one by one with a recorded state: Ana is to move, and her second line is
// full.

import { readFileSync } from 'node:fs'
import { flushSync, mount, unmount, type Component } from 'svelte'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { legalMoves } from '../lib/moves.ts'
import { Picker } from '../lib/picker.svelte.ts'
import type { Game } from '../lib/types.ts'
import BoardView from './Board.svelte'
import Offer from './Offer.svelte'

const game: Game = JSON.parse(readFileSync('testdata/game.json', 'utf8'))
const { position } = game
const picker = new Picker()
let mounted: Record<string, unknown>[] = []

/** Mounts a component and returns the element around it. */
function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): HTMLElement {
  const target = document.body.appendChild(document.createElement('div'))
  mounted.push(mount(component, { target, props }))
  flushSync()
  return target
}

function element(within: HTMLElement, selector: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`${selector} not found`)
  return found
}

function click(within: HTMLElement, selector: string): void {
  element(within, selector).click()
  flushSync()
}

/** The board of a seat; with a picker it is the player's own. */
function board(seat: number, others: { picker?: Picker } = {}): HTMLElement {
  return show(BoardView, { position, board: position.boards[seat - 1]!, name: game.seats[seat - 1]!.name ?? '', ...others })
}

beforeEach(() => picker.load(legalMoves(game), game.blocked))

afterEach(() => {
  mounted.forEach((component) => unmount(component))
  mounted = []
  document.body.replaceChildren()
})

test('every pile is one button with an accessible name', () => {
  const offer = show(Offer, { position, picker })
  const names = [...offer.querySelectorAll('[data-source="4"] button')].map((button) => button.getAttribute('aria-label'))
  expect(names).toEqual(['1 blue from factory 4', '1 red from factory 4', '2 black from factory 4'])
  expect(offer.querySelectorAll('[data-source="1"] button')).toHaveLength(0)
  expect(element(offer, '[data-source="1"]').getAttribute('aria-label')).toMatch(/empty/)
})

test('the tiles of a pick are highlighted together, and a second click cancels', () => {
  const offer = show(Offer, { position, picker })
  click(offer, '[data-pile="4K"] button')
  expect([picker.source, picker.pick]).toEqual([4, 'K'])
  expect(element(offer, '[data-pile="4K"]').className).toMatch(/chosen/)
  expect(element(offer, '[data-pile="4K"] button').getAttribute('aria-pressed')).toBe('true')
  expect(element(offer, '[data-pile="4B"]').className).toMatch(/dimmed/)
  click(offer, '[data-pile="4K"] button')
  expect(picker.pick).toBeNull()
  expect(offer.querySelectorAll('.chosen, .dimmed')).toHaveLength(0)
})

test('arrow keys move the focus from pile to pile', () => {
  const offer = show(Offer, { position, picker })
  const piles = [...offer.querySelectorAll<HTMLElement>('[data-pile] button')]
  piles[0]?.focus()
  const press = (key: string) => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  press('ArrowRight')
  expect(document.activeElement).toBe(piles[1])
  press('ArrowLeft')
  press('ArrowLeft')
  expect(document.activeElement).toBe(piles.at(-1))
})

test('possible lines are open, and blocked lines say why', () => {
  const mine = board(1, { picker })
  expect(mine.querySelectorAll('.open, .blocked')).toHaveLength(0)
  picker.choose(4, 'K')
  flushSync()
  expect([...mine.querySelectorAll<HTMLElement>('.open')].map((line) => line.dataset.to)).toEqual(['1', '3', '4', '5', 'F'])
  const full = element(mine, '[data-to="2"]')
  expect([full.getAttribute('aria-disabled'), full.title]).toEqual(['true', 'This line is full.'])
})

test('a focused line previews the move, and a click chooses it', () => {
  const chosen: string[] = []
  picker.onplace = (to) => chosen.push(to)
  const mine = board(1, { picker })
  picker.choose(4, 'K')
  flushSync()
  const line = element(mine, '[data-to="1"]')
  line.focus()
  flushSync()
  expect(line.querySelectorAll('.ghost[data-tile="K"]')).toHaveLength(1)
  // One of the two tiles falls to the floor.
  expect(picker.preview?.step.to_floor).toBe('K')
  expect(element(mine, '[data-to="F"]').querySelectorAll('.ghost[data-tile="K"]')).toHaveLength(1)
  click(mine, '[data-to="1"]')
  expect(chosen).toEqual(['1'])
})

test('the board of another player is an image', () => {
  const other = board(2)
  expect(other.querySelectorAll('button')).toHaveLength(0)
  expect(element(other, 'section').getAttribute('aria-label')).toMatch(/Bruno/)
  expect(other.querySelectorAll('[data-spot^="s2-l1"] .solid[data-tile="B"]')).toHaveLength(1)
})

test('with the preset duel the marker shows F in the center and on the floor', () => {
  const duel = { ...position, marker: 'center' as const, rules: { ...position.rules, preset: 'duel' } }
  expect(element(show(Offer, { position: duel, picker: null }), '.marker').dataset.tile).toBe('F')
  const holder = { ...position.boards[0]!, has_marker: true }
  expect(element(show(BoardView, { position: duel, board: holder, name: 'Ana' }), '.floor .marker').dataset.tile).toBe('F')
  expect(element(show(BoardView, { position, board: holder, name: 'Ana' }), '.floor .marker').dataset.tile).toBe('1')
})
