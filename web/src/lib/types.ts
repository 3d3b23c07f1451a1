// The shapes of the server's answers and messages, as docs/json.md and its OpenAPI document
// describe them. Seats, rows and columns count from 1; tiles are letters in one text.

export type TileLetter = 'B' | 'Y' | 'R' | 'K' | 'W' | 'J'
export const COLORS = ['B', 'Y', 'R', 'K', 'W'] as const

export type Counts = Partial<Record<TileLetter, number>>

export interface Bonuses {
  rows: number
  columns: number
  colors: number
  row_points: number
  column_points: number
  color_points: number
  total: number
}

export interface Line {
  color: TileLetter | null
  tiles: string
  room: number
}

export interface Projection {
  rows: ({ column: number | null; points: number } | null)[]
  points: number
  loss: number
  score: number
}

export interface Board {
  seat: number
  score: number
  lines: Line[]
  wall: string[]
  floor: string
  has_marker: boolean
  floor_spaces: number
  projection: Projection
  bonuses: Bonuses
}

export interface Position {
  position: string
  hash: string
  rules: Record<string, string | null>
  phase: 'draft' | 'tiling' | 'deal' | 'over'
  turn: number
  row: number | null
  round: number
  starter: number
  dry_rounds: number
  marker: number | 'center'
  factories: string[]
  center: string
  bag: Counts
  lid: Counts
  boards: Board[]
  n_legal_moves: number
  outcome: Outcome | null
}

export interface Outcome {
  ended_by: string
  scores: number[]
  bonuses: Bonuses[]
  ranks: number[]
  winners: number[]
}

export type TableEvent =
  | { event: 'dealt'; round: number; starter: number; deal: string; poured: Counts | null }
  | Drafted
  | Placed
  | { event: 'spilled'; seat: number; row: number; to_floor: string; to_lid: string }
  | { event: 'floor_cleared'; seat: number; n_spaces: number; loss: number; score: number; to_lid: string }
  | { event: 'round_ended'; round: number; next_starter: number }
  | { event: 'game_ended'; by: string }
  | { event: 'bonuses_scored'; seat: number; bonuses: Bonuses; score: number }

export interface Drafted {
  event: 'drafted'
  seat: number
  source: number
  pick: string
  to: string
  into_line: string
  to_floor: string
  to_lid: string
  to_center: string
  takes_marker: boolean
}

export interface Placed {
  event: 'placed'
  seat: number
  row: number
  column: number
  tile: TileLetter
  horizontal: number
  vertical: number
  points: number
  to_lid: string
}

export interface Move {
  move: string
  event: TableEvent
  completes_line: boolean
  line_points: number | null
  score: number
  change: number
}

export interface Blocked {
  pick: string
  line: number
  code: string
  reason: string
}

export interface Seat {
  seat: number
  kind: 'open' | 'reserved' | 'person' | 'engine'
  name: string | null
  level: number | null
  left: 'resigned' | 'timed_out' | null
}

export type ClockTerms =
  | { kind: 'none' }
  | { kind: 'total'; seconds: number; increment: number }
  | { kind: 'per_move'; days: number }

export interface Clock {
  terms: ClockTerms
  left_ms: number[]
  running: number | null
  now_ms: number
}

export interface Result {
  ended_by: string
  scores: number[]
  ranks: number[]
  winners: number[]
}

export type Status = 'waiting' | 'playing' | 'over'

export interface Game {
  id: string
  number: number
  status: Status
  seats: Seat[]
  your_seats: number[]
  position: Position
  your_turn: boolean
  moves: Move[]
  blocked: Blocked[]
  last_move: string | null
  n_moves: number
  report: TableEvent[]
  clock: Clock
  takeback: { seat: number; agreed: number[] } | null
  takebacks: boolean
  hints: boolean
  listed: boolean
  fair: { seed_hash: string; seed_by: 'server' | 'creator'; seed: string | null }
  result: Result | null
  rematch: string | null
  rematch_of: string | null
  presence: Presence
  created_ms: number
  updated_ms: number
}

export interface Presence {
  seats: boolean[]
  watchers: number
}

export interface Summary {
  id: string
  status: Status
  rules: string
  seats: Seat[]
  your_seats: number[]
  clock: ClockTerms
  turn: number | null
  round: number
  scores: number[]
  result: Result | null
  number: number
  created_ms: number
  updated_ms: number
}

export type Fact =
  | { type: 'created' }
  | { type: 'joined'; seat: number; person: string; name: string }
  | { type: 'moved'; seat: number; move: string; id?: string }
  | { type: 'takeback_asked' | 'takeback_agreed' | 'takeback_refused'; seat: number }
  | { type: 'taken_back'; seat: number; n_moves: number }
  | { type: 'said'; seat: number; phrase: string }
  | { type: 'left'; seat: number; why: 'resigned' | 'timed_out' }
  | { type: 'closed'; why: 'aborted' | 'abandoned' }
  | { type: 'rematch'; seat: number; game: string }

export type ToClient =
  | { type: 'state'; game: Game }
  | { type: 'event'; number: number; at_ms: number; event: Fact; report: TableEvent[]; game?: Game }
  | { type: 'presence'; presence: Presence }
  | { type: 'done'; ref: string | null; number: number }
  | { type: 'error'; ref: string | null; error: ServerError }
  | { type: 'pong'; now_ms: number }
  | { type: 'bye' }

export interface ServerError {
  code: string
  message: string
  rule?: string
  number?: number
}

export interface Invitation {
  seat: number
  secret: string
  link: string
}

export interface Hint {
  number: number
  seat: number
  win: number[]
  difference: number[]
  exact: boolean
  depth: number
  moves: HintMove[]
}

export interface HintMove {
  preview: Move
  win: number
  difference: number
  line: string[]
  completes: { rows: number; columns: number; colors: number }
  reply: Move | null
}

export interface Step {
  round: number
  seat: number | null
  move: string | null
  comment: string | null
  report: TableEvent[]
  position: Position
}

export interface Replay {
  rules: string
  names: (string | null)[]
  tags: [string, string][]
  seed: string | null
  start: Position
  steps: Step[]
}
