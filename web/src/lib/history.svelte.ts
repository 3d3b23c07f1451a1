// What has happened in a game: the lines of the move list, and the position after each move to look back at.
// The moves before this tab was opened come from a replay; later ones are added as they are played.

import { stepInWords } from './stepWords.ts'
import type { Drafted, Position, Replay, Step } from './types.ts'

/** A line of the move list. */
export interface Entry {
  key: string
  text: string
  kind: 'round' | 'move' | 'score' | 'note'
  /** A draft, and the index of the moment after it. */
  step?: Drafted
  at?: number
}

export interface Moment {
  report: Step[]
  position: Position
}

interface Played extends Moment {
  n_moves: number
}

export class History {
  entries = $state.raw<Entry[]>([])
  moments = $state.raw<Moment[]>([])
  /** The moment on display; null shows the game as it is. */
  at = $state<number | null>(null)

  readonly #name: (seat: number) => string
  #isLoading = false
  /** Moves that were played while the replay was on its way. */
  #waiting: Played[] = []
  #notes = 0

  constructor(name: (seat: number) => string) {
    this.#name = name
  }

  /** Reads the game so far. Moves that arrive meanwhile are neither lost nor shown twice. */
  async load(replay: () => Promise<Replay>): Promise<boolean> {
    if (this.#isLoading) return true
    this.#isLoading = true
    try {
      const { steps } = await replay()
      this.entries = this.entries.filter(({ kind }) => kind === 'note')
      this.moments = []
      this.at = null
      for (const { report, position } of steps) this.#write({ report, position })
      const known = steps.filter(({ move }) => move != null).length
      for (const played of this.#waiting) if (played.n_moves > known) this.#write(played)
      return true
    } catch {
      for (const played of this.#waiting) this.#write(played)
      return false
    } finally {
      this.#isLoading = false
      this.#waiting = []
    }
  }

  /** Adds a move that was just played. */
  add(played: Played): void {
    if (this.#isLoading) this.#waiting.push(played)
    else this.#write(played)
  }

  note(text: string): void {
    this.entries = [...this.entries, { key: `n${++this.#notes}`, text, kind: 'note' }]
  }

  /** Shows the moment before or after the one on display; after the last one the game goes on. */
  step(by: number): void {
    const last = this.moments.length - 1
    const next = (this.at ?? last) + by
    this.at = next >= last ? null : Math.max(0, next)
  }

  /** The position to show instead of the current one. */
  get shown(): Position | null {
    return this.at === null ? null : (this.moments[this.at]?.position ?? null)
  }

  #write({ report, position }: Moment): void {
    const at = this.moments.length
    const entries = report.flatMap((step, i): Entry[] => {
      const text = stepInWords(step, this.#name)
      if (!text) return []
      const key = `${at}.${i}`
      if (step.type === 'drafted') return [{ key, text, kind: 'move', step, at }]
      return [{ key, text, kind: step.type === 'dealt' ? 'round' : 'score' }]
    })
    this.moments = [...this.moments, { report, position }]
    if (entries.length > 0) this.entries = [...this.entries, ...entries]
  }
}
