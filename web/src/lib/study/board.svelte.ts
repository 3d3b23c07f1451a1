// A position that is played on outside of a game: the module gives its legal moves, the picker offers them. For
// retried mistakes, puzzles and the analysis board.

import { whyNot } from '../boardWords.ts'
import { local } from '../local/host.svelte.ts'
import { legalMoves } from '../moves.ts'
import { Picker } from '../picker.svelte.ts'
import type { Move, Position } from '../types.ts'
import { tMaybe } from '../words.svelte.ts'
import type { Study } from './types.ts'

export class StudyBoard {
  now = $state.raw<Study | null>(null)
  /** Why the last attempt was not possible. */
  problem = $state('')
  readonly picker = new Picker()

  /** `onmove` is called with a legal move. */
  constructor(onmove: (move: Move) => void) {
    this.picker.onmove = onmove
    this.picker.onplace = (to) => this.#place(to)
  }

  get position(): Position | null {
    return this.now?.position ?? null
  }

  show(study: Study): void {
    this.now = study
    this.problem = ''
    this.picker.load(legalMoves(study), study.blocked)
  }

  async open(position: string): Promise<void> {
    this.show(await local.study(position))
  }

  /** Shows the position without offering moves. */
  lock(): void {
    this.picker.load([], [])
  }

  /** Offers the moves again. */
  unlock(): void {
    if (this.now) this.show(this.now)
  }

  #place(to: string): void {
    const moves = this.picker.movesTo(to)
    const [only] = moves
    if (!only) this.problem = whyNot(this.picker, Number(to)) || (tMaybe('why.other') ?? '')
    else if (moves.length > 1) this.picker.variants = moves
    else this.picker.onmove(only)
  }
}
