// Accessible names of a board's lines, rows and floor: what they hold and what the chosen tiles would do there.

import type { Picker } from './picker.svelte.ts'
import { taken } from './tiles.ts'
import type { Board, Draft } from './types.ts'
import { signed, t, tilesInWords, tMaybe } from './words.svelte.ts'

/** What a pattern line holds. */
function lineInWords(board: Board, row: number): string {
  const line = board.lines[row - 1]
  if (!line || line.tiles === '') return t('say.lineEmpty', { n: row })
  const tiles = tilesInWords(line.tiles)
  return t('say.line', { n: row, tiles: line.room === 0 ? t('say.lineFull', { tiles }) : t('say.lineHolds', { tiles, room: line.room }) })
}

/** What a row of the wall holds. */
export function rowInWords(board: Board, row: number): string {
  const tiles = [...(board.wall[row - 1] ?? '')].map((tile) => (tile === '.' ? t('say.free') : (tMaybe(`color.${tile}`) ?? tile)))
  return t('say.row', { n: row, tiles: tiles.join(', ') })
}

/** Why the chosen tiles cannot go on a line. */
export function whyNot(picker: Picker | null, row: number): string {
  const blocked = picker?.whyNot(row)
  if (!blocked) return ''
  return tMaybe(`why.${blocked.code}`, { n: row }) ?? t('why.other')
}

/** The name of a line or of the floor (`F`), with what the chosen tiles would do there. */
export function destinationLabel(board: Board, to: string, picker: Picker | null, move: Draft | null): string {
  const words = to === 'F' ? t('say.floor', { n: board.floor_spaces, loss: board.projection.loss }) : lineInWords(board, Number(to))
  if (!picker?.isChoosing) return words
  if (!move) return `${words}. ${whyNot(picker, Number(to))}`
  const { step } = move
  const parts = [words, t('say.place', { tiles: tilesInWords(taken(step)) })]
  const fall = step.to_floor.length + step.to_lid.length + (step.takes_marker ? 1 : 0)
  if (move.line_points != null && move.completes_line) parts.push(t('points', { n: move.line_points }))
  if (to !== 'F' && fall > 0) parts.push(t('table.overflow', { n: fall }))
  parts.push(t('say.change', { n: signed(move.change) }))
  return parts.join('. ')
}
