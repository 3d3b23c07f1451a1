// The player's choice: first a pile, then a line. The server's messages contain the legal moves, what each
// would change and why a line is blocked; the picker only looks it up.

import type { Blocked, Draft, Move, Placement } from './types.ts'

export const isDraft = (move?: Move): move is Draft => move?.step.type === 'drafted'

export class Picker {
  /** Whether a pile may be chosen; a lesson answers those who choose another one. */
  mayChoose: (source: number, pick: string) => boolean = () => true
  /** Called to put the chosen tiles on a line. */
  onplace: (to: string) => void = () => {}
  /** Called with a whole move: a space on the wall, or a typed move. */
  onmove: (move: Move) => void = () => {}

  moves = $state.raw<Move[]>([])
  blocked = $state.raw<Blocked[]>([])
  /** The chosen pile. */
  source = $state<number | null>(null)
  pick = $state<string | null>(null)
  /** The hovered or focused line: `1` to `5`, or `F`. */
  to = $state<string | null>(null)
  /** A move on its way to the host: its tiles are shown as ghosts until the host has answered. */
  pending = $state.raw<Move | null>(null)
  /** A move that the player still has to confirm. */
  unconfirmed = $state.raw<Move | null>(null)
  /** Moves to the same line that differ in the jokers they use; the player chooses one. */
  variants = $state.raw<Draft[]>([])

  /** Loads a new state of the game and drops earlier choices. */
  load(moves: Move[], blocked: Blocked[]): void {
    this.moves = moves
    this.blocked = blocked
    this.pending = null
    this.cancel()
  }

  cancel(): void {
    this.source = null
    this.pick = null
    this.to = null
    this.unconfirmed = null
    this.variants = []
  }

  /** Whether a pile is chosen but no line yet. */
  get isChoosing(): boolean {
    return this.pick !== null
  }

  /** The picks that a source offers. */
  picks(source: number): string[] {
    const drafts = this.moves.filter(isDraft).filter(({ step }) => step.source === source)
    return [...new Set(drafts.map(({ step }) => step.pick))]
  }

  /** The pick that takes a pile: without other tiles if that is legal. */
  pickOf(source: number, tile: string): string | null {
    const picks = this.picks(source)
    return picks.includes(tile) ? tile : (picks.find((pick) => pick.includes(tile)) ?? null)
  }

  /** Whether a pile is part of the move on its way. */
  isLeaving(source: number, tile: string): boolean {
    const step = this.pending?.step
    return step?.type === 'drafted' && step.source === source && step.pick.includes(tile)
  }

  /** Whether a pile is part of the chosen pick (`B`, `J`, or `JB` for both). */
  isChosen(source: number, tile: string): boolean {
    return this.source === source && this.pick !== null && this.pick.includes(tile)
  }

  /** Chooses a pile; choosing the same pile again cancels. */
  choose(source: number, pick: string): void {
    const isSame = this.source === source && this.pick === pick
    this.cancel()
    if (isSame || !this.picks(source).includes(pick) || !this.mayChoose(source, pick)) return
    this.source = source
    this.pick = pick
  }

  /** The moves of the chosen pile to a line. */
  movesTo(to: string): Draft[] {
    const { source, pick } = this
    return this.moves.filter(isDraft).filter(({ step }) => step.source === source && step.pick === pick && step.to === to)
  }

  /** Why the chosen tiles cannot go on a line. */
  whyNot(line: number): Blocked | undefined {
    return this.blocked.find((blocked) => blocked.pick === this.pick && blocked.line === line)
  }

  /** The move to preview: the one on its way, the one to confirm, or the one to the hovered line. */
  get preview(): Draft | null {
    const move = this.pending ?? this.unconfirmed ?? this.movesTo(this.to ?? '')[0]
    return isDraft(move) ? move : null
  }

  /** The moves that choose a space on the wall. */
  get spaces(): Placement[] {
    return this.moves.filter((move): move is Placement => move.step.type === 'placed')
  }
}
