// The guide of the first game: one sentence for each situation, and for the first turns a good move to point
// at. The engine chooses the move; the sentences follow from what lies on the table.

import { moveInWords } from './reasons.ts'
import type { Session } from './session.svelte.ts'
import type { Drafted, Hint } from './types.ts'
import { t } from './words.svelte.ts'

/** The turns of the player at which the guide points at a move. */
const POINTED_TURNS = 3

export class Guide {
  readonly #session: Session
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
  text(isLast: boolean): string | null {
    const { isMyTurn, picker, seen } = this.#session
    if (!isMyTurn || seen?.position.phase !== 'draft') return null
    const turn = this.#turn
    if (picker.isChoosing) return turn < POINTED_TURNS ? t('guide.line') : null
    if (isLast) return t('guide.last')
    if (turn < POINTED_TURNS) {
      if (!this.#best) return null
      const takesMarker = this.advice?.takes_marker ?? false
      const key = turn === 0 ? 'guide.take' : takesMarker ? 'guide.marker' : turn === 1 ? 'guide.center' : 'guide.good'
      return t(key, { move: moveInWords(this.#best) })
    }
    if (turn === POINTED_TURNS) return t('guide.hint')
    // The first turns of later rounds explain what has just happened.
    const isFresh = seen.position.factories.filter((tiles) => tiles !== '').length >= seen.position.factories.length - 1
    if (!isFresh) return null
    return { 2: t('guide.round'), 3: t('guide.same'), 4: t('guide.bonus') }[seen.position.round] ?? null
  }
}
