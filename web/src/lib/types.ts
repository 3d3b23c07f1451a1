// Names for the shapes of the API. They are generated from the OpenAPI document (`npm run types`);
// docs/json.md explains them. Seats, rows and columns count from 1; tiles are letters in one string.

import type { components } from './api-types.d.ts'

type Schemas = components['schemas']

export type Blocked = Schemas['Blocked']
export type Board = Schemas['BoardView']
export type Clock = Schemas['ClockView']
export type ClockTerms = Schemas['ClockSpec']
export type Command = Schemas['Command']
export type Created = Schemas['Created']
export type Game = Schemas['GameView']
export type GameEvent = Schemas['Event']
export type Hint = Schemas['HintView']
export type HintMove = Schemas['HintMove']
export type Invitation = Schemas['Invitation']
export type JoinRequest = Schemas['JoinRequest']
export type LegalMove = Schemas['LegalMove']
export type Move = Schemas['MoveView']
export type NewGame = Schemas['CreateGame']
export type Options = Schemas['Options']
export type Phrase = Schemas['Phrase']
export type Person = Schemas['PersonView']
export type Position = Schemas['PositionView']
export type Replay = Schemas['ReplayView']
export type Seat = Schemas['SeatView']
export type SeatSpec = Schemas['SeatSpec']
export type ServerError = Schemas['ErrorBody']
export type Step = Schemas['StepView']
export type Summary = Schemas['SummaryView']
export type Token = Schemas['TokenView']
export type ToClient = Schemas['ToClient']
export type ToServer = Schemas['ToServer']

export type Drafted = Extract<Step, { type: 'drafted' }>
export type Placed = Extract<Step, { type: 'placed' }>
export type BonusesScored = Extract<Step, { type: 'bonuses_scored' }>

/** A move that drafts tiles, and one that chooses a space on the wall. */
export type Draft = Move & { step: Drafted }
export type Placement = Move & { step: Placed }

export const COLORS = ['B', 'Y', 'R', 'K', 'W'] as const
export type TileLetter = (typeof COLORS)[number] | 'J'
export type Counts = Position['bag']
