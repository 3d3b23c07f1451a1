// What a lesson answers to a legal choice that it does not ask for; an empty text if it does ask for it.

import { taken } from './tiles.ts'
import type { Draft } from './types.ts'
import { destinationInWords, either, fromInWords, t, tilesInWords } from './words.svelte.ts'

/** The answer to a chosen pile. With jokers, any part of the pick is a good beginning. */
export function answerToPile(wanted: Draft[], source: number, pick: string): string {
  const isWanted = ({ step }: Draft) => step.source === source && [...step.pick].some((tile) => pick.includes(tile))
  return wanted.some(isWanted) ? '' : otherPile(wanted)
}

/** The answer to a whole draft. */
export function answerToDraft(wanted: Draft[], { step }: Draft): string {
  const same = wanted.filter((one) => one.step.source === step.source && one.step.pick === step.pick)
  if (same.length === 0) return otherPile(wanted)
  const lines = [...new Set(same.map((one) => one.step.to))]
  return lines.includes(step.to) ? '' : t('learn.otherLine', { lines: either(lines.map(destinationInWords)) })
}

function otherPile([first]: Draft[]): string {
  return first ? t('learn.otherPile', { tiles: tilesInWords(taken(first.step)), from: fromInWords(first.step.source) }) : ''
}
