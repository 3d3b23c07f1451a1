// The shapes that the module gives for reviews and the analysis board. docs/review.md and docs/json.md explain
// them. Chances are numbers from 0 to 1, lists of them are by seat, seats count from 1.

import type { Blocked, LegalMove, Position, Step } from '../types.ts'

export type Budget = 'quick' | 'normal' | 'thorough'
export const BUDGETS: readonly Budget[] = ['quick', 'normal', 'thorough']

export const JUDGEMENTS = ['brilliant', 'best', 'good', 'inaccuracy', 'mistake', 'blunder'] as const
export type Judgement = (typeof JUDGEMENTS)[number]

export type Reason =
  | { kind: 'placements' | 'floor' | 'bonuses'; points: number }
  | { kind: 'denies'; seat: number; points: number }
  | { kind: 'lines'; tiles: number }
  | { kind: 'starter'; best: number; played: number }
  | { kind: 'ending'; best: boolean }

export interface Decision {
  ply: number
  round: number
  seat: number
  played: string
  best: string
  judgement: Judgement
  loss: number
  loss_points: number
  certainty: 'estimated' | 'solved' | 'proved'
  error: number
  win_best: number
  win_played: number
  n_moves: number
  n_good: number
  line: string[]
  reasons: Reason[]
  after: number[]
  change: number[]
}

export interface DealLuck {
  ply: number
  round: number
  luck: number[]
  error: number[]
  after: number[]
}

export interface Totals {
  n_decisions: number
  loss: number
  loss_per_decision: number
  accuracy: number | null
}

/** The lines of a ledger between its start and its result, in the order in which they are shown. */
export const LEDGER_LINES = ['lot', 'luck', 'own_errors', 'others_errors', 'others_choices', 'substitute', 'ended_early', 'residual'] as const
export type LedgerLine = (typeof LEDGER_LINES)[number]
export type Ledger = Record<LedgerLine | 'start' | 'result', number>

export interface PlayerReview {
  seat: number
  name: string | null
  all: Totals
  phases: Record<'opening' | 'middle' | 'ending', Totals>
  /** Counts, in the order of `JUDGEMENTS`. */
  judgements: number[]
  turning_points: { ply: number; is_deal: boolean; change: number }[]
  points: Record<'placements' | 'floor' | 'rows' | 'columns' | 'colors', number>
  ledger: Ledger
}

export interface Review {
  n_done: number
  n_steps: number
  is_over: boolean
  ended_early: string | null
  start: number[]
  result: number[]
  players: PlayerReview[]
  deals: DealLuck[]
  decisions: Decision[]
  /** English sentences. */
  words: { moves: string[][]; deals: string[] }
}

/** A move that was tried instead of another. */
export interface Judged {
  decision: Decision
  is_as_good: boolean
  words: string[]
}

/** A position outside of a game, with all that can be done in it. */
export interface Study {
  position: Position
  moves: LegalMove[]
  blocked: Blocked[]
}

/** What a move or a deal did, and what follows. */
export interface StudyStep extends Study {
  action: string
  report: Step[]
}

export interface BoardForm {
  score: number
  lines: string[]
  wall: string[]
  floor: string
}

/** An arrangement that is being set up by hand; without a bag, the rest of the tiles goes there. */
export interface SetupForm {
  rules: string
  is_dealt: boolean
  turn: number
  round: number
  factories: string[]
  center: string
  marker: number | null
  bag: string | null
  lid: string
  boards: BoardForm[]
}

export interface Setup {
  form: SetupForm
  text: string
  faults: string[]
}

/** Values after sampled deals. */
export interface Deals {
  mean: number[]
  spread: number[]
  error: number[]
  deals: { deal: string; win: number[] }[]
}

/** A tree of variations as a list: a node comes after its parent, and the first child continues the line. */
export interface TreeForm {
  start: string
  names: (string | null)[]
  nodes: { parent: number | null; action: string; comment: string }[]
}

export const THEMES = ['deny', 'overflow', 'marker', 'column', 'color', 'last', 'wall'] as const
export type Theme = (typeof THEMES)[number]

/** A puzzle, with its line of text. docs/puzzles.md explains it. */
export interface Puzzle {
  id: string
  line: string
  certainty: 'proved' | 'solved'
  margin: number
  rating: number
  themes: string[]
  seat: number
  n_own_moves: number
  solution: string[]
  position: string
}

/** What a puzzle says to a move. */
export interface PuzzleAnswer {
  reply: 'right' | 'solved' | 'wrong'
  answers: string[]
  best: string | null
  refutation: { line: string[]; loss: number } | null
}
