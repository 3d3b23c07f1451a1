// Drag and drop of a pile onto a line. A short touch is a click.

import type { Picker } from './picker.svelte.ts'

/** A drag starts after this many pixels; less is a trembling finger. */
const THRESHOLD = 8

export function startDrag(down: PointerEvent, picker: Picker): void {
  if (down.button !== 0) return
  const pile = (down.currentTarget as HTMLElement).closest<HTMLElement>('[data-pile]')
  const name = pile?.dataset.pile
  if (!pile || !name) return
  const source = Number(name[0])
  const tile = name.slice(1)
  let shadow: HTMLElement | null = null

  const lineAt = (event: PointerEvent) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-to]')?.dataset.to ?? null

  const move = (event: PointerEvent) => {
    if (!shadow) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < THRESHOLD) return
      if (!picker.isChosen(source, tile)) picker.choose(source, picker.pickOf(source, tile) ?? '')
      shadow = lift(pile)
    }
    shadow.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`
    picker.to = lineAt(event)
  }
  const end = (event: PointerEvent) => {
    drag.abort()
    if (!shadow) return
    shadow.remove()
    // The browser fires a click after the drag; it must not choose a pile.
    const stop = (click: Event) => click.stopPropagation()
    addEventListener('click', stop, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', stop, { capture: true }), 0)
    const to = event.type === 'pointerup' ? lineAt(event) : null
    if (to === null) picker.cancel()
    else picker.onplace(to)
  }
  const drag = new AbortController()
  const { signal } = drag
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', end, { signal })
  addEventListener('pointercancel', end, { signal })
}

/** A copy of the pile's tiles that follows the pointer. */
function lift(pile: HTMLElement): HTMLElement {
  const shadow = document.createElement('div')
  shadow.className = 'dragged'
  for (const tile of pile.querySelectorAll<HTMLElement>('.tile')) {
    const copy = tile.cloneNode(true) as HTMLElement
    copy.style.width = `${tile.offsetWidth}px`
    shadow.append(copy)
  }
  document.body.append(shadow)
  return shadow
}
