// What a host offers for new games: levels, presets, phrases. The lists live in Rust; a catalog may
// translate their names and sentences.

import { getOptions, GUEST, hasServer } from './api.ts'
import { local } from './local/host.svelte.ts'
import type { Options, Seat } from './types.ts'
import { translated } from './words.svelte.ts'

let loaded = $state.raw<Options>({
  levels: [],
  presets: [],
  walls: [],
  phrases: [],
  thinking: { full_ms: 0, now_ms: 0 },
  daily_level: 1,
  version: '',
  kept: { finished_days: 0, unfinished_days: 0, people_days: 0 },
})

/** The options; the lists are empty until a host has answered. */
export const options = () => loaded

/** Fetches the options unless they are loaded; every page tries again if no host was reachable. */
export async function loadOptions(): Promise<void> {
  if (loaded.levels.length > 0) return
  const ask = () => local.options().catch(() => loaded)
  loaded = hasServer ? await getOptions().catch(ask) : await ask()
}

const level = (number: number) => loaded.levels.find((one) => one.level === number)
const preset = (name: string) => loaded.presets.find((one) => one.name === name)

/** The name of a level and one sentence about it, empty until the options are loaded. */
export const levelName = (number: number) => translated(level(number)?.name ?? '')
export const levelSummary = (number: number) => translated(level(number)?.summary ?? '')

/** The title of a preset, and one sentence about it. */
export const presetTitle = (name: string) => translated(name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' '))
export const presetSummary = (name: string) => translated(preset(name)?.summary ?? '')

/** The name to show for a seat. An engine is called by the name of its level. */
export function seatName(seat: Seat | undefined): string {
  if (!seat) return ''
  if (seat.kind === 'engine' && seat.level != null) return levelName(seat.level) || (seat.name ?? '')
  return seat.name === GUEST ? translated(GUEST) : (seat.name ?? '…')
}
