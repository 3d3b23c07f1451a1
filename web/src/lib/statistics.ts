// Where the points of a game came from, added up from its reports.

import type { Replay } from './types.ts'

export interface Statistics {
  /** Points for tiles on the wall. */
  placed: number
  /** Points lost for the floor, as far as there were points to lose. */
  lost: number
  /** Points for rows, columns and colors at the end. */
  bonuses: number
  /** Rounds that the seat started. */
  started: number
}

/** The numbers of every seat. */
export function statistics(replay: Replay): Statistics[] {
  const all = replay.start.boards.map(() => ({ placed: 0, lost: 0, bonuses: 0, started: 0 }))
  const scores = replay.start.boards.map((board) => board.score)
  for (const event of replay.steps.flatMap((step) => step.report)) {
    if (event.event === 'dealt') {
      const own = all[event.starter - 1]
      if (own) own.started += 1
    } else if (event.event === 'placed' || event.event === 'floor_cleared' || event.event === 'bonuses_scored') {
      const i = event.seat - 1
      const own = all[i]
      if (!own) continue
      const before = scores[i] ?? 0
      if (event.event === 'placed') {
        own.placed += event.points
        scores[i] = before + event.points
      } else if (event.event === 'floor_cleared') {
        own.lost += before - event.score
        scores[i] = event.score
      } else {
        own.bonuses += event.bonuses.total
        scores[i] = event.score
      }
    }
  }
  return all
}
