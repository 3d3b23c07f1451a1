// The legal moves of a state, which the server sends in short. What a move takes from where to where is read
// from its notation; what it does comes from the server.

import type { Game, LegalMove, Move } from './types.ts'

/** A draft: source, pick, destination. The rest says which jokers enter the line. */
const DRAFT = /^(\d)(J?[BYRKW]?)([1-5F])/

/** The legal moves with their effects. */
export function legalMoves({ moves, position }: Pick<Game, 'moves' | 'position'>): Move[] {
  const seat = position.turn
  const now = position.boards[seat - 1]?.projection.score ?? 0
  return moves.map((move) => whole(move, seat, now))
}

/** What the notation of a draft says; null for a choice on the wall. */
export function draftOf(move: string, seat: number) {
  const [, source, pick = '', to = ''] = DRAFT.exec(move) ?? []
  return source === undefined ? null : { seat, source: Number(source), pick, to }
}

function whole(legal: LegalMove, seat: number, now: number): Move {
  const { move, change, line_points = null, placed } = legal
  const [, source = '', pick = '', to = ''] = DRAFT.exec(move) ?? []
  const { into_line = '', to_floor = '', to_lid = '', to_center = '', takes_marker = false } = legal
  const draft = { type: 'drafted' as const, seat, source: Number(source), pick, to, into_line, to_floor, to_lid, to_center, takes_marker }
  return { move, change, step: placed ?? draft, line_points, completes_line: line_points !== null, score: now + change }
}
