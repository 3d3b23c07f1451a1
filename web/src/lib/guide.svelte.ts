// The guide of the first game: one sentence for each situation, and for the first turns a good move to point
// at. The engine chooses the move; the sentences follow from what lies on the table.

import { moveInWords } from './reasons.ts'
import type { Session } from './session.svelte.ts'
import type { Drafted, Hint } from './types.ts'
import { t } from './words.svelte.ts'

/** The turns of the player at which the guide points at a move. */
const POINTED_TURNS = 3

/** A sentence, and the move that it is about; on a phone the arrow says enough. */
export interface Guidance {
  text: string
  move?: string
}

export class Guide {
  readonly #session: Session
  /** The turn at which the last round was announced. */
  #lastTurn: number | null = null
  #hint = $state.raw<Hint | null>(null)

  constructor(session: Session) {
    this.#session = session
  }

  /** The number of the player's turn, from 0: in a game of two everybody has moved as often, or once more. */
  get #turn(): number {
    return Math.floor((this.#session.seen?.n_moves ?? 0) / 2)
  }

  /** Asks for the move to point at, once for each of the first turns. */
  async look(): Promise<void> {
    const { id, host, isMyTurn, seen } = this.#session
    if (!isMyTurn || this.#turn >= POINTED_TURNS || this.#hint?.number === seen?.number) return
    this.#hint = await host.hint(id).catch(() => null)
  }

  get #best() {
    const { isMyTurn, seen, wanted } = this.#session
    return isMyTurn && wanted === null && this.#hint?.number === seen?.number ? this.#hint?.moves[0]?.preview : undefined
  }

  /** The move to point at. */
  get advice(): Drafted | null {
    const step = this.#best?.step
    return step?.type === 'drafted' ? step : null
  }

  /** What to tell the player now; null leaves it to the usual tips. */
  says(isLast: boolean): Guidance | null {
    const { isMyTurn, picker, seen } = this.#session
    if (!isMyTurn || seen?.position.phase !== 'draft') return null
    const turn = this.#turn
    if (picker.isChoosing) return turn < POINTED_TURNS ? { text: t('guide.line') } : null
    if (isLast && (this.#lastTurn ??= turn) === turn) return { text: t('guide.last') }
    if (turn < POINTED_TURNS) {
      if (!this.#best) return null
      const move = moveInWords(this.#best)
      if (turn === 0) return { text: t('guide.take', { move }) }
      const takesMarker = this.advice?.takes_marker ?? false
      return { text: t(takesMarker ? 'guide.marker' : turn === 1 ? 'guide.center' : 'guide.good'), move: t('guide.move', { move }) }
    }
    if (turn === POINTED_TURNS) return { text: t('guide.hint') }
    // The first turn of a later round explains what has just happened.
    const { factories, round } = seen.position
    const isFresh = factories.filter((tiles) => tiles !== '').length >= factories.length - 1
    const key = ({ 2: 'guide.round', 3: 'guide.same', 4: 'guide.bonus' } as const)[round]
    return isFresh && key ? { text: t(key) } : null
  }
}
