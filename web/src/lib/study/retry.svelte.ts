// Retrying the mistakes of a player: the position before each one, and a search for a move that is as good as the
// best. What is as good, the module decides.

import type { Move, Position } from '../types.ts'
import { StudyBoard } from './board.svelte.ts'
import type { ReviewRun } from './review.svelte.ts'
import type { Decision, Judged } from './types.ts'

/** A mistake with the position in which it was made. */
export interface Mistake {
  decision: Decision
  position: Position
}

export class Retry {
  index = $state(0)
  state = $state<'asking' | 'judging' | 'right' | 'wrong' | 'shown'>('asking')
  /** The move that was tried last. */
  tried = $state('')
  judged = $state.raw<Judged | null>(null)
  problem = $state('')
  nFound = $state(0)
  readonly mistakes: Mistake[]
  readonly board: StudyBoard
  readonly #run: ReviewRun

  constructor(run: ReviewRun, mistakes: Mistake[]) {
    this.#run = run
    this.mistakes = mistakes
    this.board = new StudyBoard((move) => void this.#try(move))
    void this.#ask()
  }

  /** The mistake that is retried; null after the last one. */
  get current(): Decision | null {
    return this.mistakes[this.index]?.decision ?? null
  }

  next(): void {
    this.index += 1
    void this.#ask()
  }

  again(): void {
    this.state = 'asking'
    this.problem = ''
    this.board.unlock()
  }

  reveal(): void {
    this.state = 'shown'
    this.board.lock()
  }

  async #ask(): Promise<void> {
    this.state = 'asking'
    this.problem = ''
    const mistake = this.mistakes[this.index]
    if (mistake) await this.board.open(mistake.position.position).catch((failure: Error) => (this.problem = failure.message))
    else this.board.lock()
  }

  async #try({ move }: Move): Promise<void> {
    const mistake = this.mistakes[this.index]
    if (!mistake || this.state === 'judging') return
    this.tried = move
    this.state = 'judging'
    this.board.lock()
    try {
      this.judged = await this.#run.judge(mistake.position.position, move)
      this.state = this.judged.is_as_good ? 'right' : 'wrong'
      if (this.state === 'right') this.nFound += 1
    } catch (failure) {
      this.problem = (failure as Error).message
      this.state = 'wrong'
    }
  }
}
