// The reasons for a hint: what the move scores this round, completes and drops, what it leaves the next
// player, and why it is better than the second-best move. Everything is computed from the hint's numbers.

import type { HintMove, Move } from './types.ts'
import { destinationInWords, fromInWords, list, signed, t, tilesInWords } from './words.svelte.ts'

/** Moves whose expected results differ by less than this many points are called equal. */
const NEARLY_EQUAL = 0.3

/** A move as a title: “2 blue from factory 1 → line 2”. */
export function moveInWords({ event, move }: Move): string {
  if (event.event === 'placed') return t('say.space', { row: event.row, column: event.column, n: event.points })
  if (event.event !== 'drafted') return move
  const tiles = tilesInWords(event.into_line + event.to_floor + event.to_lid)
  return `${t('say.pile', { tiles, from: fromInWords(event.source) })} → ${destinationInWords(event.to)}`
}

/** What a move does. */
export function reasons({ preview, completes, reply }: HintMove, name: (seat: number) => string): string[] {
  const { event } = preview
  const words: string[] = []
  if (event.event === 'drafted') {
    if (event.to === 'F') words.push(t('hint.toFloor'))
    else if (preview.completes_line) words.push(t('hint.fills', { n: event.to, points: t('points', { n: preview.line_points ?? 0 }) }))
    else words.push(t('hint.adds', { n: event.to, tiles: tilesInWords(event.into_line) }))
  }
  if (completes.rows > 0) words.push(t('hint.row'))
  if (completes.columns > 0) words.push(t('hint.column'))
  if (completes.colors > 0) words.push(t('hint.color'))
  if (event.event === 'drafted') {
    if (event.takes_marker) words.push(t('hint.marker'))
    if (event.to !== 'F') words.push(fallen(preview) > 0 ? t('hint.falls', { n: fallen(preview) }) : t('hint.none'))
  }
  if (reply && reply.event.event === 'drafted') {
    words.push(t('hint.reply', { name: name(reply.event.seat), move: moveInWords(reply), n: signed(reply.change) }))
  }
  return words
}

/** Why the best move is better than the second-best one. */
export function comparison(best: HintMove, next: HintMove, name: (seat: number) => string): string {
  const other = moveInWords(next.preview)
  const gain = best.difference - next.difference
  if (gain < NEARLY_EQUAL) return t('hint.equal', { move: other })
  const points = best.preview.change - next.preview.change
  const words: string[] = []
  if (points > 0) words.push(t('hint.more', { n: points }))
  const bonuses = (move: HintMove) => move.completes.rows + move.completes.columns + move.completes.colors
  if (bonuses(best) > bonuses(next)) words.push(t('hint.completesMore'))
  const saved = fallen(next.preview) - fallen(best.preview)
  if (saved > 0) words.push(t('hint.fallsLess', { n: saved }))
  const left = (next.reply?.change ?? 0) - (best.reply?.change ?? 0)
  const seat = best.reply?.event.event === 'drafted' && next.reply ? best.reply.event.seat : null
  if (seat !== null && left > 0) words.push(t('hint.leavesLess', { name: name(seat), n: left }))
  if (takesMarker(best.preview) && !takesMarker(next.preview)) words.push(t('hint.startsNext'))
  if (points < 0) words.push(t('hint.fewer', { n: -points }))
  if (words.length === 0) words.push(t('hint.later'))
  return t('hint.better', { move: other, reasons: list(words), n: gain.toFixed(1) })
}

function fallen({ event }: Move): number {
  return event.event === 'drafted' ? event.to_floor.length + event.to_lid.length : 0
}

const takesMarker = ({ event }: Move) => event.event === 'drafted' && event.takes_marker
