// What happens on the table, in words.

import type { Seat, TableEvent } from './types.ts'
import { destinationInWords, sourceInWords, t, tilesInWords, tMaybe } from './words.svelte.ts'

/** The name to show for a seat. Engines have the name of their level. */
export function seatName(seat: Seat | undefined): string {
  if (!seat) return ''
  if (seat.kind === 'engine' && seat.level !== null) return tMaybe(`level.${seat.level}`) ?? seat.name ?? ''
  return seat.name ?? '…'
}

/** An event as a sentence, or nothing if it says nothing new. */
export function tell(event: TableEvent, name: (seat: number) => string): string | null {
  switch (event.event) {
    case 'dealt':
      return t('log.dealt', { n: event.round, name: name(event.starter) })
    case 'drafted': {
      const tiles = tilesInWords(event.into_line + event.to_floor + event.to_lid)
      const from = sourceInWords(event.source)
      let text = t('log.drafted', { name: name(event.seat), tiles, source: from, to: destinationInWords(event.to) })
      const fallen = event.to_floor + event.to_lid
      if (fallen && event.to !== 'F') text += t('log.falls', { tiles: tilesInWords(fallen) })
      if (event.takes_marker) text += t('log.marker')
      return text
    }
    case 'placed':
      return t('log.placed', { name: name(event.seat), color: t(`color.${event.tile}`), row: event.row, n: event.points })
    case 'spilled':
      return t('log.spilled', { name: name(event.seat), row: event.row })
    case 'floor_cleared':
      return event.loss > 0 ? t('log.floor', { name: name(event.seat), n: event.loss }) : null
    case 'bonuses_scored':
      return event.bonuses.total > 0 ? t('log.bonuses', { name: name(event.seat), n: event.bonuses.total }) : null
    case 'game_ended':
      return t('log.ended')
    case 'round_ended':
      return null
  }
}
