// The whole table in words, for screen readers.

import { groups } from './tiles.ts'
import type { Position } from './types.ts'
import { t, tilesInWords, tMaybe } from './words.svelte.ts'

export function describe(position: Position, name: (seat: number) => string): string {
  const parts = [t('say.round', { n: position.round, turn: t('table.turnOf', { name: name(position.turn) }) })]
  position.factories.forEach((tiles, i) => {
    if (tiles) parts.push(`${t('factory.title', { n: i + 1 })}: ${tilesInWords(tiles)}.`)
  })
  const center = [...(position.marker === 'center' ? [t('marker')] : []), ...(position.center ? [tilesInWords(position.center)] : [])]
  parts.push(t('say.table', { center: center.join(', ') || '0' }))
  for (const board of position.boards) {
    const lines = board.lines.flatMap((line, i) => (line.tiles ? [`${t('line', { n: i + 1 })}: ${tilesInWords(line.tiles)}`] : []))
    const wall = board.wall.flatMap((row, i) => {
      const on = [...row].filter((tile) => tile !== '.')
      return on.length > 0 ? [t('say.row', { n: i + 1, tiles: on.map((tile) => tMaybe(`color.${tile}`) ?? tile).join(', ') })] : []
    })
    const floor = groups(board.floor).reduce((sum, group) => sum + group.n, 0)
    parts.push(
      t('say.board', { name: name(board.seat), score: t('points', { n: board.score }), lines: lines.join('; ') || '–', floor, wall: wall.join('; ') }),
    )
  }
  return parts.join(' ')
}
