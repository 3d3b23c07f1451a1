// Moves typed key by key, such as `3B2`. A key is accepted only if a legal move starts that way; all other
// keys keep their meaning as shortcuts.

import type { Picker } from './picker.svelte.ts'

export class Typing {
  text = $state('')
  readonly #picker: Picker

  constructor(picker: Picker) {
    this.#picker = picker
  }

  clear(): void {
    this.text = ''
  }

  /** Handles a key; returns whether it was part of a move. */
  key(key: string): boolean {
    if (key === 'Backspace' && this.text !== '') {
      this.text = this.text.slice(0, -1)
      this.#follow()
      return true
    }
    if (key === 'Enter' && this.text !== '') return this.#finish(true)
    if (key.length !== 1) return false
    const longer = this.text + key.toUpperCase()
    const begun = this.#picker.moves.filter(({ move }) => move.toUpperCase().startsWith(longer))
    if (begun.length === 0) return false
    this.text = longer
    this.#follow()
    this.#finish(false)
    return true
  }

  /** Shows the typed part of the move on the table. */
  #follow(): void {
    const [, source, pick, to] = /^(\d)(J?[BYRKW]|J)?([1-5F])?/.exec(this.text) ?? []
    this.#picker.cancel()
    if (source === undefined || pick === undefined) return
    this.#picker.choose(Number(source), pick)
    if (to !== undefined) this.#picker.to = to
  }

  #finish(isEnter: boolean): boolean {
    const begun = this.#picker.moves.filter(({ move }) => move.toUpperCase().startsWith(this.text))
    const whole = begun.find(({ move }) => move.toUpperCase() === this.text)
    // `3JB1` may also be the start of `3JB1j1`: then Enter confirms the shorter move.
    if (!whole || (begun.length > 1 && !isEnter)) return false
    this.text = ''
    this.#picker.onmove(whole)
    return true
  }
}
