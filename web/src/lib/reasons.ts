// The reasons for a hint: what the move scores this round, completes and drops, what it leaves the next
// player, and why it is better than the second-best move. Everything is computed from the hint's numbers.

import { taken } from './tiles.ts'
import type { HintMove, Move } from './types.ts'
import { destinationInWords, fromInWords, list, signed, t, tilesInWords } from './words.svelte.ts'

/** Moves whose expected results differ by less than this many points are called equal. */
const NEARLY_EQUAL = 0.3

/** A move as a title: “2 blue from factory 1 → line 2”. */
export function moveInWords({ step, move }: Move): string {
  if (step.type === 'placed') return t('say.space', { row: step.row, column: step.column, n: step.points })
  if (step.type !== 'drafted') return move
  const tiles = tilesInWords(taken(step))
  return `${t('say.pile', { tiles, from: fromInWords(step.source) })} → ${destinationInWords(step.to)}`
}

/** What a move does. */
export function reasons({ preview, completes, reply }: HintMove, name: (seat: number) => string): string[] {
  const { step } = preview
  const words: string[] = []
  if (step.type === 'drafted') {
    if (step.to === 'F') words.push(t('hint.toFloor'))
    else if (preview.completes_line) words.push(t('hint.fills', { n: step.to, points: t('points', { n: preview.line_points ?? 0 }) }))
    else words.push(t('hint.adds', { n: step.to, tiles: tilesInWords(step.into_line) }))
  }
  if (completes.rows > 0) words.push(t('hint.row'))
  if (completes.columns > 0) words.push(t('hint.column'))
  if (completes.colors > 0) words.push(t('hint.color'))
  if (step.type === 'drafted') {
    if (step.takes_marker) words.push(t('hint.marker'))
    if (step.to !== 'F') words.push(fallen(preview) > 0 ? t('hint.falls', { n: fallen(preview) }) : t('hint.none'))
  }
  if (reply && reply.step.type === 'drafted') {
    words.push(t('hint.reply', { name: name(reply.step.seat), move: moveInWords(reply), n: signed(reply.change) }))
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
  const seat = best.reply?.step.type === 'drafted' && next.reply ? best.reply.step.seat : null
  if (seat !== null && left > 0) words.push(t('hint.leavesLess', { name: name(seat), n: left }))
  if (takesMarker(best.preview) && !takesMarker(next.preview)) words.push(t('hint.startsNext'))
  if (points < 0) words.push(t('hint.fewer', { n: -points }))
  if (words.length === 0) words.push(t('hint.later'))
  return t('hint.better', { move: other, reasons: list(words), n: gain.toFixed(1) })
}

function fallen({ step }: Move): number {
  return step.type === 'drafted' ? step.to_floor.length + step.to_lid.length : 0
}

const takesMarker = ({ step }: Move) => step.type === 'drafted' && step.takes_marker
