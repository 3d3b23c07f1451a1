// The last draft of a game, which stays visible on the table until the next move.

import type { Drafted, Step } from './types.ts'

const isDraft = (step: Step): step is Drafted => step.type === 'drafted'

/** The draft in a report, for a sentence about it. */
export const lastDraft = (report: Step[]): Drafted | null => report.find(isDraft) ?? null

/** The draft to mark on the table: none after a new deal, when its factory holds other tiles. */
export const markedDraft = (report: Step[]): Drafted | null => (report.some(({ type }) => type === 'dealt') ? null : lastDraft(report))
