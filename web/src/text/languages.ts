// The languages of the web app: the only list. A new one is a line here, a line in `lib/words.svelte.ts`, and a catalog.

export const LANGUAGES = {
  en: { name: 'English', locale: 'en-US' },
  es: { name: 'Español', locale: 'es-ES' },
  pt: { name: 'Português', locale: 'pt-PT' },
} as const

export type Language = keyof typeof LANGUAGES

const isLanguage = (code: string): code is Language => code in LANGUAGES

/** The first language that a browser asks for and that exists here; English if there is none. */
export function preferred(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage) ?? 'en'
}
