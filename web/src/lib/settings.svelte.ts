// The player's settings, kept in local storage. If the browser forbids storage, they last until the page
// is closed.

import { LANGUAGES, preferred } from '../text/languages.ts'
import { load, save } from './storage.ts'
import { drawTiles } from './tileArt.ts'

export type Theme = 'auto' | 'light' | 'dark'
export type Speed = 'normal' | 'fast' | 'off'

const KEY = 'azulejo.settings'

const defaults = {
  theme: 'auto' as Theme,
  contrast: 'auto' as 'auto' | 'more',
  letters: false,
  sound: true,
  speed: 'normal' as Speed,
  confirm: false,
  tips: true,
  /** Notifications of the system when a turn begins; the browser asks before. */
  notify: false,
  vibrate: true,
  language: preferred(navigator.languages ?? [navigator.language]),
  level: 3,
  /** The player's name, for games on this device. */
  name: '',
}

const isValid = ([key, value]: [string, unknown]) => typeof value === typeof defaults[key as keyof typeof defaults]
const kept = Object.fromEntries(Object.entries(load(KEY, {}) ?? {}).filter(isValid))

export const settings = $state({ ...defaults, ...kept })
// A language of another version.
if (!(settings.language in LANGUAGES)) settings.language = defaults.language

const matches = (query: string) => typeof matchMedia === 'function' && matchMedia(query).matches

/** Whether animations are turned off, here or in the system settings. */
export function isMotionOff(): boolean {
  return settings.speed === 'off' || matches('(prefers-reduced-motion: reduce)')
}

/** Applies the theme and saves the settings. */
export function applySettings(): void {
  const isDark = settings.theme === 'dark' || (settings.theme === 'auto' && matches('(prefers-color-scheme: dark)'))
  const wantsMore = settings.contrast === 'more' || matches('(prefers-contrast: more)')
  const root = document.documentElement
  root.dataset.theme = isDark ? 'dark' : 'light'
  root.dataset.contrast = wantsMore ? 'more' : 'normal'
  root.dataset.motion = settings.speed
  root.lang = settings.language
  drawTiles(root)
  save(KEY, settings)
}
