// What was agreed for a game, in words: wall, jokers, rules, clock.

import { presetTitle } from './options.svelte.ts'
import type { ClockTerms } from './types.ts'
import { clockInWords, t } from './words.svelte.ts'

/** The parts of a rule set in the notation, such as `2cj-duel`. */
export function readRules(rules: string): { isGrey: boolean; hasJokers: boolean; preset: string } {
  const [, wall, jokers, preset = ''] = /^\d([cg])(j?)(?:-(.+))?$/.exec(rules) ?? []
  return { isGrey: wall === 'g', hasJokers: jokers === 'j', preset }
}

const PRESETS = ['overview', 'quick-guide', 'duel']

/** The terms of a game as a list of words. */
export function termsInWords({ rules, clock }: { rules: string; clock: ClockTerms }): string[] {
  const { isGrey, hasJokers, preset } = readRules(rules)
  const terms = [t(isGrey ? 'lobby.grey' : 'lobby.colored'), t(hasJokers ? 'lobby.jokers' : 'terms.noJokers')]
  terms.push(PRESETS.includes(preset) ? t('terms.preset', { name: presetTitle(preset) }) : t(preset ? 'terms.house' : 'terms.official'))
  return [...terms, clockInWords(clock)]
}
