// Applies one step of a report to the displayed position, so that the end of a round can be animated.
// This is bookkeeping without rules: a step says what moves and what it scores. After the last step the
// server's own position is shown.

import { sorted, taken, without } from './tiles.ts'
import type { Board, Counts, Position, Step } from './types.ts'

/** The position after a step. */
export function apply(position: Position, step: Step): Position {
  const lid = 'to_lid' in step ? tally(position.lid, step.to_lid) : position.lid
  /** The boards after a change to the board of the step's seat. */
  const boards = (seat: number, change: (board: Board) => Partial<Board>) =>
    position.boards.map((board) => (board.seat === seat ? { ...board, ...change(board) } : board))

  switch (step.type) {
    case 'dealt': {
      const dealt = step.deal.split('-').map((tiles) => tiles.replaceAll('.', ''))
      const factories = position.factories.map((_, i) => sorted(dealt[i] ?? ''))
      const poured = Object.entries(step.poured ?? {}).map(([tile, n]) => tile.repeat(n))
      return {
        ...position,
        phase: 'draft',
        round: step.round,
        starter: step.starter,
        turn: step.starter,
        marker: 'center',
        factories,
        center: '',
        bag: tally(tally(position.bag, poured.join('')), factories.join(''), -1),
        lid: step.poured ? {} : lid,
        boards: position.boards.map((board) => ({ ...board, has_marker: false })),
      }
    }
    case 'drafted': {
      const { source, seat, into_line } = step
      return {
        ...position,
        lid,
        factories: position.factories.map((tiles, i) => (i + 1 === source ? '' : tiles)),
        center: source === 0 ? without(position.center, taken(step)) : sorted(position.center + step.to_center),
        marker: step.takes_marker ? seat : position.marker,
        boards: boards(seat, ({ has_marker, floor, lines }) => ({
          has_marker: has_marker || step.takes_marker,
          floor: floor + step.to_floor,
          lines: replaced(lines, Number(step.to), ({ color, tiles, room }) => ({
            color: color ?? [...into_line].find((tile) => tile !== 'J') ?? null,
            tiles: sorted(tiles + into_line),
            room: room - into_line.length,
          })),
        })),
      }
    }
    case 'placed': {
      const { row, column, tile } = step
      return {
        ...position,
        lid,
        boards: boards(step.seat, ({ score, lines, projection, wall }) => ({
          score: score + step.points,
          lines: emptied(lines, row),
          projection: { ...projection, rows: replaced(projection.rows, row, () => null) },
          wall: replaced(wall, row, (tiles) => tiles.slice(0, column - 1) + tile + tiles.slice(column)),
        })),
      }
    }
    case 'spilled':
      return {
        ...position,
        lid,
        boards: boards(step.seat, ({ floor, lines }) => ({ floor: floor + step.to_floor, lines: emptied(lines, step.row) })),
      }
    case 'floor_cleared': {
      const projection = { rows: [null, null, null, null, null], points: 0, loss: 0, score: step.score }
      return { ...position, lid, boards: boards(step.seat, () => ({ floor: '', floor_spaces: 0, score: step.score, projection })) }
    }
    case 'bonuses_scored':
      return { ...position, boards: boards(step.seat, () => ({ score: step.score })) }
    case 'game_ended':
      return { ...position, phase: 'over' }
    case 'round_ended':
      return position
  }
}

/** A list in which one row, counted from 1, is replaced. */
const replaced = <T>(rows: T[], row: number, how: (old: T) => T) => rows.map((old, i) => (i + 1 === row ? how(old) : old))

const emptied = (lines: Board['lines'], row: number) => replaced(lines, row, () => ({ color: null, tiles: '', room: row }))

/** Adds tiles to the counts, or subtracts them. */
function tally(counts: Counts, tiles: string, sign = 1): Counts {
  const sum: Counts = { ...counts }
  for (const tile of tiles) sum[tile] = (sum[tile] ?? 0) + sign
  return sum
}
