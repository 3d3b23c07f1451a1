// What the server offers for new games: levels, presets, phrases. The lists live in Rust; a catalog may
// translate their names and sentences by key.

import { getOptions } from './api.ts'
import type { Options, Seat } from './types.ts'
import { translated } from './words.svelte.ts'

let loaded = $state.raw<Options>({ levels: [], presets: [], walls: [], phrases: [] })

/** The options; the lists are empty until the server has answered. */
export const options = () => loaded

/** Asks the server for the options. A page that needs them reports that the server cannot be reached. */
export const loadOptions = () => getOptions().then((found) => void (loaded = found))

const level = (number: number) => loaded.levels.find((one) => one.level === number)

/** The name of a level, empty until the options are loaded. */
export function levelName(number: number): string {
  const name = level(number)?.name
  return name === undefined ? '' : translated(`level.${name}`, name)
}

/** The title of a preset, made from its name unless the catalog has one. */
export const presetTitle = (name: string) => translated(`preset.${name}`, name[0]?.toUpperCase() + name.slice(1).replaceAll('-', ' '))

/** The name to show for a seat. An engine is called by the name of its level. */
export function seatName(seat: Seat | undefined): string {
  if (!seat) return ''
  if (seat.kind === 'engine' && seat.level != null) return levelName(seat.level) || (seat.name ?? '')
  return seat.name ?? '…'
}
