// Where the points of each player came from, added up from the reports of a replay.

import type { Replay, Step } from './types.ts'

export interface Statistics {
  /** Points for tiles on the wall. */
  placed: number
  /** Points lost for the floor. A score stops at 0, so this may be less than the floor cost. */
  lost: number
  /** Rounds in which the seat moved first. */
  started: number
}

/** The statistics of every seat. */
export function statistics({ start, steps }: Replay): Statistics[] {
  const report = steps.flatMap((step) => step.report)
  const end = steps.at(-1)?.position ?? start
  const sum = (value: (step: Step) => number) => report.reduce((total, step) => total + value(step), 0)
  return start.boards.map(({ seat, score }, i) => {
    const placed = sum((step) => (step.type === 'placed' && step.seat === seat ? step.points : 0))
    const bonuses = sum((step) => (step.type === 'bonuses_scored' && step.seat === seat ? step.bonuses.total : 0))
    const started = sum((step) => (step.type === 'dealt' && step.starter === seat ? 1 : 0))
    return { placed, started, lost: score + placed + bonuses - (end.boards[i]?.score ?? 0) }
  })
}

/** The scores before the first round and after each one, as rows with one score for each seat. */
export function scoresByRound({ start, steps }: Replay): number[][] {
  const scores = (position: Replay['start']) => position.boards.map((board) => board.score)
  const rows = [scores(start)]
  steps.forEach(({ position, report }, i) => {
    // The scores of a round stand when the next one is dealt, or when the game is over.
    const ends = report.some(({ type }) => type === 'dealt') || i === steps.length - 1
    if (ends && i > 0) rows.push(scores(position))
  })
  return rows
}
