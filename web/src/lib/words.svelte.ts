// Texts in the chosen language. English is always loaded; other catalogs are fetched when chosen.

import { en, type Key } from '../text/en.ts'
import type { ReviewWords } from './study/words.ts'
import { LANGUAGES, type Language } from '../text/languages.ts'
import { settings } from './settings.svelte.ts'
import { groups } from './tiles.ts'
import type { ClockTerms } from './types.ts'

/** A catalog; `fromServer` translates what the server sends in English, by the English text. */
function open(locale: string, texts: Record<Key, string>, fromServer: Record<string, string>, reviewWords: ReviewWords | null = null) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return { texts, fromServer, reviewWords, day, plural: new Intl.PluralRules(locale), list: new Intl.ListFormat(locale), either: new Intl.ListFormat(locale, { type: 'disjunction' }) }
}

const english = open(LANGUAGES.en.locale, en, {})
let loaded = $state.raw<Partial<Record<Language, typeof english>>>({})

/** How the catalogs other than English are fetched. */
const fetched = {
  es: () => import('../text/es.ts').then(({ es, fromServer, reviewWords }) => [es, fromServer, reviewWords] as const),
  pt: () => import('../text/pt.ts').then(({ pt, fromServer, reviewWords }) => [pt, fromServer, reviewWords] as const),
}

/** The catalog of the chosen language; English until it is loaded. */
const catalog = () => loaded[settings.language] ?? english

/** Fetches the catalog of a language unless it is already loaded. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'en' || loaded[language]) return
  loaded = { ...loaded, [language]: open(LANGUAGES[language].locale, ...(await fetched[language]())) }
}

/** A text with its placeholders filled in; `n` chooses between singular and plural. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const { texts, plural } = catalog()
  // A catalog of another version may lack a key.
  const [one, other] = (texts[key] ?? en[key]).split('|') as [string, string?]
  const isOne = other === undefined || plural.select(Number(values.n ?? 1)) === 'one'
  return (isOne ? one : other).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** A text whose key is computed, or undefined if there is no such key. */
export function tMaybe(key: string, values: Record<string, string | number> = {}): string | undefined {
  return key in en ? t(key as Key, values) : undefined
}

/** The sentences of a review, where the language has its own. */
export const reviewWords = () => catalog().reviewWords

/** A name or sentence of the server in the chosen language; English if there is no translation. */
export const translated = (english: string) => catalog().fromServer[english] ?? english

/** Tiles in words: “2 blue and 1 red”. */
export function tilesInWords(tiles: string): string {
  return list(groups(tiles).map(({ tile, n }) => t('tiles', { n, color: t(`color.${tile}`, { n }) })))
}

/** A list in words: “a, b, and c”. */
export const list = (words: string[]) => catalog().list.format(words)

/** A choice in words: “a, b, or c”. */
export const either = (words: string[]) => catalog().either.format(words)

/** The day of a time in milliseconds since 1970: “Nov 18, 2026”. */
export const dayInWords = (ms: number) => catalog().day.format(ms)

/** Where tiles come from, with its preposition: “from the center”. */
export const fromInWords = (source: number) => (source === 0 ? t('from.center') : t('from.factory', { n: source }))

/** Where tiles go. */
export const destinationInWords = (to: string) => (to === 'F' ? t('floor') : t('line', { n: to }))

/** The terms of a clock. */
export function clockInWords(clock: ClockTerms): string {
  if (clock.kind === 'total') return t('clock.total', { m: Math.round(clock.seconds / 60), s: clock.increment ?? 0 })
  return clock.kind === 'per_move' ? t('clock.days', { n: clock.days }) : t('clock.none')
}

/** A number with its sign; the minus is as wide as the plus. */
export const signed = (n: number) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '±0')
