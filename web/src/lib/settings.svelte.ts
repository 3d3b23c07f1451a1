// What a person has chosen for this browser. Kept in the browser's own storage; where that is
// forbidden, the choices last as long as the page.

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

function first(): Settings {
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
    // Nothing was kept, or nothing that can be read.
  }
  return start
}

export const settings = $state(first())

const asksFor = (query: string) => typeof matchMedia === 'function' && matchMedia(query).matches

/** Whether tiles should not fly. */
export function isStill(): boolean {
  return settings.speed === 'off' || asksFor('(prefers-reduced-motion: reduce)')
}

/** Shows the chosen look, and keeps the choices. */
export function applySettings(): void {
  const isDark = settings.theme === 'dark' || (settings.theme === 'auto' && asksFor('(prefers-color-scheme: dark)'))
  const wantsMore = settings.contrast === 'more' || asksFor('(prefers-contrast: more)')
  const root = document.documentElement
  root.dataset.theme = isDark ? 'dark' : 'light'
  root.dataset.contrast = wantsMore ? 'more' : 'normal'
  root.lang = settings.language
  drawTiles(root)
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // The browser keeps nothing: then it lasts as long as the page.
  }
}
