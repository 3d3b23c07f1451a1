// The steps of a report as sentences, for the log and for screen readers.

import type { Step } from './types.ts'
import { fromInWords, t, tilesInWords, tMaybe } from './words.svelte.ts'

/** A step as a sentence, or null if there is nothing to say about it. */
export function stepInWords(step: Step, name: (seat: number) => string): string | null {
  switch (step.type) {
    case 'dealt':
      return t('log.dealt', { n: step.round, name: name(step.starter) })
    case 'drafted': {
      const fallen = step.to_floor + step.to_lid
      const draft = { name: name(step.seat), tiles: tilesInWords(step.into_line + fallen), from: fromInWords(step.source) }
      let text = step.to === 'F' ? t('log.dropped', draft) : t('log.drafted', { ...draft, n: step.to })
      if (fallen && step.to !== 'F') text += t('log.falls', { tiles: tilesInWords(fallen), n: fallen.length })
      if (step.takes_marker) text += t('log.marker')
      return text
    }
    case 'placed':
      return t('log.placed', { name: name(step.seat), color: tMaybe(`color.${step.tile}`) ?? step.tile, row: step.row, n: step.points })
    case 'spilled':
      return t('log.spilled', { name: name(step.seat), row: step.row })
    case 'floor_cleared':
      return step.loss > 0 ? t('log.floor', { name: name(step.seat), n: step.loss }) : null
    case 'bonuses_scored':
      return step.bonuses.total > 0 ? t('log.bonuses', { name: name(step.seat), n: step.bonuses.total }) : null
    case 'game_ended':
      return t('log.ended')
    case 'round_ended':
      return null
  }
}
