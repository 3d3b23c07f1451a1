// Applies one step of a report to the displayed position, so that the end of a round can be animated.
// This is bookkeeping without rules: a step says what moves and what it scores. After the last step the
// server's own position is shown.

import { sorted, without } from './tiles.ts'
import type { Board, Counts, Position, Step } from './types.ts'

/** The position after a step. */
export function apply(position: Position, step: Step): Position {
  switch (step.type) {
    case 'dealt': {
      const dealt = step.deal.split('-').map((tiles) => tiles.replaceAll('.', ''))
      const factories = position.factories.map((_, i) => sorted(dealt[i] ?? ''))
      const bag = step.poured ? add(position.bag, step.poured) : position.bag
      return {
        ...position,
        phase: 'draft',
        round: step.round,
        starter: step.starter,
        turn: step.starter,
        marker: 'center',
        factories,
        center: '',
        bag: take(bag, factories.join('')),
        lid: step.poured ? {} : position.lid,
        boards: position.boards.map((board) => ({ ...board, has_marker: false })),
      }
    }
    case 'drafted': {
      const { source, seat } = step
      const taken = step.into_line + step.to_floor + step.to_lid
      const factories = position.factories.map((tiles, i) => (i + 1 === source ? '' : tiles))
      const center = source === 0 ? without(position.center, taken) : sorted(position.center + step.to_center)
      const row = Number(step.to)
      const boards = change(position, seat, (board) => ({
        ...board,
        has_marker: board.has_marker || step.takes_marker,
        floor: board.floor + step.to_floor,
        lines: board.lines.map((line, i) =>
          i + 1 === row
            ? {
                color: line.color ?? colorOf(step.into_line),
                tiles: sorted(line.tiles + step.into_line),
                room: line.room - step.into_line.length,
              }
            : line,
        ),
      }))
      const marker = step.takes_marker ? seat : position.marker
      return { ...position, factories, center, marker, boards, lid: add(position.lid, count(step.to_lid)) }
    }
    case 'placed':
      return {
        ...position,
        lid: add(position.lid, count(step.to_lid)),
        boards: change(position, step.seat, (board) => ({
          ...board,
          score: board.score + step.points,
          lines: emptied(board, step.row),
          projection: { ...board.projection, rows: board.projection.rows.map((row, i) => (i + 1 === step.row ? null : row)) },
          wall: board.wall.map((tiles, i) =>
            i + 1 === step.row ? tiles.slice(0, step.column - 1) + step.tile + tiles.slice(step.column) : tiles,
          ),
        })),
      }
    case 'spilled':
      return {
        ...position,
        lid: add(position.lid, count(step.to_lid)),
        boards: change(position, step.seat, (board) => ({
          ...board,
          floor: board.floor + step.to_floor,
          lines: emptied(board, step.row),
        })),
      }
    case 'floor_cleared':
      return {
        ...position,
        lid: add(position.lid, count(step.to_lid)),
        boards: change(position, step.seat, (board) => ({
          ...board,
          floor: '',
          floor_spaces: 0,
          score: step.score,
          projection: { rows: [null, null, null, null, null], points: 0, loss: 0, score: step.score },
        })),
      }
    case 'bonuses_scored':
      return { ...position, boards: change(position, step.seat, (board) => ({ ...board, score: step.score })) }
    case 'game_ended':
      return { ...position, phase: 'over' }
    case 'round_ended':
      return position
  }
}

function change(position: Position, seat: number, how: (board: Board) => Board): Board[] {
  return position.boards.map((board) => (board.seat === seat ? how(board) : board))
}

function emptied(board: Board, row: number) {
  return board.lines.map((line, i) => (i + 1 === row ? { color: null, tiles: '', room: row } : line))
}

function colorOf(tiles: string): string | null {
  return [...tiles].find((tile) => tile !== 'J') ?? null
}

function count(tiles: string): Counts {
  return take({}, tiles, 1)
}

function add(a: Counts, b: Counts): Counts {
  const sum: Counts = { ...a }
  for (const [tile, n] of Object.entries(b)) sum[tile] = (sum[tile] ?? 0) + n
  return sum
}

function take(counts: Counts, tiles: string, sign = -1): Counts {
  const left: Counts = { ...counts }
  for (const tile of tiles) left[tile] = (left[tile] ?? 0) + sign
  return left
}
