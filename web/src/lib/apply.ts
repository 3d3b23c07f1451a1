// Moves the tiles on the screen as the server's report says, one event at a time, so that a round's
// end can be shown step by step. This is bookkeeping: what happens and what it is worth is in the
// events. After the last event the screen shows the server's own position.

import { sorted, without } from './tiles.ts'
import type { Board, Counts, Position, TableEvent, TileLetter } from './types.ts'

/** The position as it looks after an event. */
export function apply(position: Position, event: TableEvent): Position {
  switch (event.event) {
    case 'dealt': {
      const dealt = event.deal.split('-').map((tiles) => tiles.replaceAll('.', ''))
      const factories = position.factories.map((_, i) => sorted(dealt[i] ?? ''))
      const bag = event.poured ? add(position.bag, event.poured) : position.bag
      return {
        ...position,
        phase: 'draft',
        round: event.round,
        starter: event.starter,
        turn: event.starter,
        marker: 'center',
        factories,
        center: '',
        bag: take(bag, factories.join('')),
        lid: event.poured ? {} : position.lid,
        boards: position.boards.map((board) => ({ ...board, has_marker: false })),
      }
    }
    case 'drafted': {
      const { source, seat } = event
      const taken = event.into_line + event.to_floor + event.to_lid
      const factories = position.factories.map((tiles, i) => (i + 1 === source ? '' : tiles))
      const center = source === 0 ? without(position.center, taken) : sorted(position.center + event.to_center)
      const row = Number(event.to)
      const boards = change(position, seat, (board) => ({
        ...board,
        has_marker: board.has_marker || event.takes_marker,
        floor: board.floor + event.to_floor,
        lines: board.lines.map((line, i) =>
          i + 1 === row
            ? {
                color: line.color ?? colorOf(event.into_line),
                tiles: sorted(line.tiles + event.into_line),
                room: line.room - event.into_line.length,
              }
            : line,
        ),
      }))
      const marker = event.takes_marker ? seat : position.marker
      return { ...position, factories, center, marker, boards, lid: add(position.lid, count(event.to_lid)) }
    }
    case 'placed':
      return {
        ...position,
        lid: add(position.lid, count(event.to_lid)),
        boards: change(position, event.seat, (board) => ({
          ...board,
          score: board.score + event.points,
          lines: emptied(board, event.row),
          projection: { ...board.projection, rows: board.projection.rows.map((row, i) => (i + 1 === event.row ? null : row)) },
          wall: board.wall.map((tiles, i) =>
            i + 1 === event.row ? tiles.slice(0, event.column - 1) + event.tile + tiles.slice(event.column) : tiles,
          ),
        })),
      }
    case 'spilled':
      return {
        ...position,
        lid: add(position.lid, count(event.to_lid)),
        boards: change(position, event.seat, (board) => ({
          ...board,
          floor: board.floor + event.to_floor,
          lines: emptied(board, event.row),
        })),
      }
    case 'floor_cleared':
      return {
        ...position,
        lid: add(position.lid, count(event.to_lid)),
        boards: change(position, event.seat, (board) => ({
          ...board,
          floor: '',
          floor_spaces: 0,
          score: event.score,
          projection: { rows: [null, null, null, null, null], points: 0, loss: 0, score: event.score },
        })),
      }
    case 'bonuses_scored':
      return { ...position, boards: change(position, event.seat, (board) => ({ ...board, score: event.score })) }
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

function colorOf(tiles: string): TileLetter | null {
  return ([...tiles].find((tile) => tile !== 'J') as TileLetter | undefined) ?? null
}

function count(tiles: string): Counts {
  return take({}, tiles, 1)
}

function add(a: Counts, b: Counts): Counts {
  const sum: Counts = { ...a }
  for (const [tile, n] of Object.entries(b) as [TileLetter, number][]) sum[tile] = (sum[tile] ?? 0) + n
  return sum
}

function take(counts: Counts, tiles: string, sign = -1): Counts {
  const left: Counts = { ...counts }
  for (const tile of tiles as Iterable<TileLetter>) left[tile] = (left[tile] ?? 0) + sign
  return left
}
