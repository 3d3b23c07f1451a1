// Arrow keys that move the focus among the buttons of a group.

/** Moves the focus by the key's step among the elements that match, around the ends; other keys do nothing. */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }, steps: Record<string, number>, selector: string): void {
  const step = steps[event.key]
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (!step || at < 0) return
  event.preventDefault()
  stops[(at + step + stops.length) % stops.length]?.focus()
}
