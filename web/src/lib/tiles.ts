// Small questions about texts of tile letters. Nothing here knows a rule.

import type { Position, TileLetter } from './types.ts'
import { COLORS } from './types.ts'

/** A text of tiles as groups of equal ones, in the order of the colors, jokers last. */
export function groups(tiles: string): { tile: TileLetter; n: number }[] {
  const order: TileLetter[] = [...COLORS, 'J']
  return order
    .map((tile) => ({ tile, n: tiles.split(tile).length - 1 }))
    .filter((group) => group.n > 0)
}

/** Takes tiles out of a text; those that are not there are ignored. */
export function without(tiles: string, taken: string): string {
  let left = tiles
  for (const tile of taken) left = left.replace(tile, '')
  return left
}

/** The tiles of a text in the order of the colors. */
export const sorted = (tiles: string) => groups(tiles).map(({ tile, n }) => tile.repeat(n)).join('')

/** Whether a tile of a source is taken by a pick: `B`, `J`, or `JB` for both. */
export const isInPick = (tile: string, pick: string | null) => pick !== null && pick.includes(tile)

/** What is printed on a space of the colored wall. */
export function printed(row: number, column: number): TileLetter {
  return COLORS[(column - row + 5) % 5] ?? 'B'
}

export const isColored = (position: Position) => position.rules.wall !== 'grey'

/** What the spaces of the floor cost, from the rule set. */
export function penalties(position: Position): number[] {
  return (position.rules.floor_penalties ?? '').split(',').map(Number)
}
