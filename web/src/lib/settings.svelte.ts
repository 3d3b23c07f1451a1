// The player's settings, kept in local storage. If the browser forbids storage, they last until the page
// is closed.

import { drawTiles } from './tileArt.ts'

export type Theme = 'auto' | 'light' | 'dark'
export type Speed = 'normal' | 'fast' | 'off'
export type Language = 'en' | 'pt'

interface Settings {
  theme: Theme
  contrast: 'auto' | 'more'
  letters: boolean
  sound: boolean
  speed: Speed
  confirm: boolean
  tips: boolean
  language: Language
  level: number
}

const KEY = 'azulejo.settings'

function load(): Settings {
  const language = navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en'
  const start: Settings = {
    theme: 'auto',
    contrast: 'auto',
    letters: false,
    sound: true,
    speed: 'normal',
    confirm: false,
    tips: true,
    language,
    level: 4,
  }
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (kept && typeof kept === 'object') {
      for (const [key, value] of Object.entries(kept)) {
        if (key in start && typeof value === typeof start[key as keyof Settings]) {
          Object.assign(start, { [key]: value })
        }
      }
    }
  } catch {
    // Nothing is stored, or it cannot be read: use the defaults.
  }
  return start
}

export const settings = $state(load())

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
  root.lang = settings.language
  drawTiles(root)
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // Without storage the settings last until the page is closed.
  }
}
