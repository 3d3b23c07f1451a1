// Helpers for strings of tile letters. Nothing here knows the rules.

import type { Drafted, Position, TileLetter } from './types.ts'
import { COLORS } from './types.ts'

/** Groups equal tiles, in the order of the colors, jokers last. */
export function groups(tiles: string): { tile: TileLetter; n: number }[] {
  const order: TileLetter[] = [...COLORS, 'J']
  return order
    .map((tile) => ({ tile, n: tiles.split(tile).length - 1 }))
    .filter((group) => group.n > 0)
}

/** All tiles that a draft takes. */
export const taken = ({ into_line, to_floor, to_lid }: Drafted) => into_line + to_floor + to_lid

/** The color printed on a space of the colored wall. */
export function printed(row: number, column: number): TileLetter {
  return COLORS[(column - row + 5) % 5] ?? 'B'
}

export const isColored = (position: Position) => position.rules.wall !== 'grey'

/** What is printed on the starting player marker: the source document of the preset `duel` labels it F. */
export const markerFace = (position: Position) => (position.rules.preset === 'duel' ? 'F' : '1')

/** The cost of each floor space, from the rule set. */
export function penalties(position: Position): number[] {
  return (position.rules.floor_penalties ?? '').split(',').map(Number)
}
