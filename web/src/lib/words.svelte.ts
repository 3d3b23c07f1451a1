// Texts in the chosen language. English is always there; other catalogs are fetched when chosen.

import { en, type Key } from '../text/en.ts'
import { groups } from './tiles.ts'
import { settings, type Language } from './settings.svelte.ts'

type Catalog = Record<Key, string>

const loaded = $state<Record<string, Catalog>>({ en })

/** Fetches the catalog of a language, if it is not there yet. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'pt' && !loaded.pt) loaded.pt = (await import('../text/pt.ts')).pt
}

/** A text, with its blanks filled in. */
export function t(key: Key, blanks: Record<string, string | number> = {}): string {
  const text = (loaded[settings.language] ?? en)[key] ?? en[key]
  const [one, other] = text.split('|') as [string, string?]
  const form = other === undefined || Math.abs(Number(blanks.n)) === 1 ? one : other
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(blanks[name] ?? whole))
}

/** A text whose key is made of parts, or nothing if there is none. */
export function tMaybe(key: string, blanks: Record<string, string | number> = {}): string | undefined {
  return key in en ? t(key as Key, blanks) : undefined
}

/** Tiles in words: “2 blue and 1 red”. */
export function tilesInWords(tiles: string): string {
  return list(groups(tiles).map(({ tile, n }) => t('tiles', { n, color: t(n === 1 ? `color.${tile}` : `colors.${tile}`) })))
}

/** A list in words. */
export function list(words: string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${t('and')} ${words[words.length - 1]}`
}

/** Where tiles come from. */
export const sourceInWords = (source: number) => (source === 0 ? t('center') : t('factory', { n: source }))

/** Where tiles go. */
export const destinationInWords = (to: string) => (to === 'F' ? t('floor') : t('line', { n: to }))

/** A number with its sign, with a minus that is as wide as the plus. */
export const signed = (n: number) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '±0')
