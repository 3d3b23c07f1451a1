// Where the points of each player came from, added up from the reports of a replay.

import type { Replay } from './types.ts'

export interface Statistics {
  /** Points for tiles on the wall. */
  placed: number
  /** Points lost for the floor. A score stops at 0, so this may be less than the floor cost. */
  lost: number
  /** Points for rows, columns and colors at the end. */
  bonuses: number
  /** Rounds in which the seat moved first. */
  started: number
}

/** The statistics of every seat. */
export function statistics(replay: Replay): Statistics[] {
  const all = replay.start.boards.map(() => ({ placed: 0, lost: 0, bonuses: 0, started: 0 }))
  const scores = replay.start.boards.map((board) => board.score)
  for (const step of replay.steps.flatMap(({ report }) => report)) {
    if (step.type === 'dealt') {
      const own = all[step.starter - 1]
      if (own) own.started += 1
    } else if (step.type === 'placed' || step.type === 'floor_cleared' || step.type === 'bonuses_scored') {
      const i = step.seat - 1
      const own = all[i]
      if (!own) continue
      const before = scores[i] ?? 0
      if (step.type === 'placed') {
        own.placed += step.points
        scores[i] = before + step.points
      } else if (step.type === 'floor_cleared') {
        own.lost += before - step.score
        scores[i] = step.score
      } else {
        own.bonuses += step.bonuses.total
        scores[i] = step.score
      }
    }
  }
  return all
}
