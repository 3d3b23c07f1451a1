// Choosing a move in steps: a pile, then a line. What is possible, what a choice would bring and why
// a line does not take a pile is all in the server's messages; this only finds it there.

import type { Blocked, Drafted, Move, Placed } from './types.ts'

export class Picker {
  moves = $state.raw<Move[]>([])
  blocked = $state.raw<Blocked[]>([])
  /** The chosen pile. */
  source = $state<number | null>(null)
  pick = $state<string | null>(null)
  /** The line under the pointer or in focus: `1` to `5`, or `F`. */
  to = $state<string | null>(null)
  /** A move that waits for its second yes, or the several moves among which to choose. */
  waiting = $state.raw<Move | null>(null)
  variants = $state.raw<Move[]>([])

  /** A new state of the game; earlier choices are void. */
  load(moves: Move[], blocked: Blocked[]): void {
    this.moves = moves
    this.blocked = blocked
    this.cancel()
  }

  cancel(): void {
    this.source = null
    this.pick = null
    this.to = null
    this.waiting = null
    this.variants = []
  }

  /** Whether a pile is chosen, and a line is to follow. */
  get isChoosing(): boolean {
    return this.pick !== null
  }

  /** The picks that a source offers. */
  picks(source: number): string[] {
    const found = new Set<string>()
    for (const { event } of this.moves) {
      if (event.event === 'drafted' && event.source === source) found.add(event.pick)
    }
    return [...found]
  }

  /** Chooses a pile; the same once more gives it up. */
  choose(source: number, pick: string): void {
    const isSame = this.source === source && this.pick === pick
    this.cancel()
    if (isSame || !this.picks(source).includes(pick)) return
    this.source = source
    this.pick = pick
  }

  /** The moves of the chosen pile to a line. */
  movesTo(to: string): Move[] {
    const { source, pick } = this
    return this.moves.filter(
      ({ event }) => event.event === 'drafted' && event.source === source && event.pick === pick && event.to === to,
    )
  }

  /** Why a line does not take the chosen pile. */
  whyNot(line: number): Blocked | undefined {
    return this.blocked.find((blocked) => blocked.pick === this.pick && blocked.line === line)
  }

  /** What would happen, for ghosts: the move that waits, or the one to the line in focus. */
  get preview(): (Move & { event: Drafted }) | null {
    const move = this.waiting ?? (this.to === null || this.pick === null ? undefined : this.movesTo(this.to)[0])
    return move && move.event.event === 'drafted' ? (move as Move & { event: Drafted }) : null
  }

  /** The choices of a space on the wall. */
  get spaces(): (Move & { event: Placed })[] {
    return this.moves.filter((move): move is Move & { event: Placed } => move.event.event === 'placed')
  }
}
