// A move chosen while others decide. It is played when the turn comes, if it is legal then; the host decides that.
// Until then every pile can go to every line: this file holds no rules either.

import { Picker } from './picker.svelte.ts'
import { groups } from './tiles.ts'
import type { Draft, Drafted, Position } from './types.ts'

const LINES = ['1', '2', '3', '4', '5', 'F']

export class Premove {
  /** The choice of a pile and a line. */
  readonly picker = new Picker()
  /** The chosen move. */
  step = $state.raw<Drafted | null>(null)

  constructor() {
    this.picker.onplace = (to) => {
      this.step = this.picker.movesTo(to)[0]?.step ?? null
      this.picker.cancel()
    }
  }

  /** Offers the piles that are on the table now; a choice made earlier stays. */
  offer(position: Position, seat: number): void {
    const score = position.boards[seat - 1]?.projection.score ?? 0
    const sources = [position.center, ...position.factories]
    const moves = sources.flatMap((tiles, source) =>
      groups(tiles).flatMap(({ tile }) => LINES.map((to): Draft => ({ ...EMPTY, move: `${source}${tile}${to}`, score, step: { ...NOTHING, seat, source, pick: tile, to } }))),
    )
    this.picker.load(moves, [])
  }

  cancel(): void {
    this.step = null
    this.picker.cancel()
  }

  /** The chosen move in the notation; it is chosen no longer. */
  take(): string | null {
    const { step } = this
    this.cancel()
    return step && `${step.source}${step.pick}${step.to}`
  }
}

const EMPTY = { change: 0, line_points: null, completes_line: false }
const NOTHING = { type: 'drafted' as const, into_line: '', to_floor: '', to_lid: '', to_center: '', takes_marker: false }
