// Requests to the server. Whoever has no name yet becomes a guest with the first request that needs
// one; the token stays in a cookie that no script can read.

import type { Game, Hint, Invitation, Replay, ServerError, Summary } from './types.ts'
import { tMaybe } from './words.svelte.ts'

/** What the server said no with, or that it could not be reached; the message is for people. */
export class ApiFailure extends Error {
  readonly code: string
  readonly status: number

  constructor(error: ServerError, status: number) {
    super(tMaybe(`error.${error.code}`) ?? error.message)
    this.code = error.code
    this.status = status
  }
}

function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  return request(method, path, body === undefined ? null : JSON.stringify(body), 'application/json')
}

async function request<T>(method: string, path: string, body: string | null, type: string): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: body === null ? {} : { 'content-type': type },
      body,
      credentials: 'same-origin',
    })
  } catch {
    throw new ApiFailure({ code: 'unreachable', message: 'the server cannot be reached' }, 0)
  }
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const error = (answer as { error?: ServerError } | null)?.error
    throw new ApiFailure(error ?? { code: 'internal', message: `the server answered ${response.status}` }, response.status)
  }
  return answer as T
}

export interface Person {
  id: string
  name: string
}

/** Where the browser notes that it has been somebody: asking when it has not is an error. */
const NOTE = 'azulejo.somebody'

function hasNote(): boolean {
  try {
    return localStorage.getItem(NOTE) !== null
  } catch {
    return true
  }
}

/** Who this browser is, if it has been anybody yet. */
export async function whoAmI(): Promise<Person | null> {
  if (!hasNote()) return null
  try {
    return await ask<Person>('GET', '/me')
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 401) return null
    throw failure
  }
}

/** Makes sure that the server knows this browser. */
export async function becomeSomebody(name?: string): Promise<Person> {
  const known = await whoAmI()
  if (known) {
    if (name && name !== known.name) return ask<Person>('PATCH', '/me', { name })
    return known
  }
  const created = await ask<{ person: Person }>('POST', '/people', { ...(name ? { name } : {}), cookie: true })
  try {
    localStorage.setItem(NOTE, created.person.id)
  } catch {
    // Then it asks every time.
  }
  return created.person
}

export type SeatSpec =
  | { kind: 'open' }
  | { kind: 'me'; name?: string }
  | { kind: 'here'; name?: string }
  | { kind: 'engine'; level: number }

export interface NewGame {
  seats: SeatSpec[]
  wall?: 'colored' | 'grey'
  jokers?: boolean
  preset?: string
  position?: string
  seed?: string
  clock?: { kind: 'none' } | { kind: 'total'; seconds: number; increment: number } | { kind: 'per_move'; days: number }
  listed?: boolean
  takebacks?: boolean
  hints?: boolean
}

export interface Created {
  game: Game
  invitations: Invitation[]
}

export async function createGame(game: NewGame): Promise<Created> {
  await becomeSomebody()
  return ask('POST', '/games', game)
}

export const joinGame = (id: string, body: { seat?: number; secret?: string; name?: string }) =>
  ask<{ game: Game }>('POST', `/games/${id}/join`, body)
export const invite = (id: string, seat: number) => ask<Invitation>('POST', `/games/${id}/invitations`, { seat })
export const gameState = (id: string) => ask<Game>('GET', `/games/${id}`)
export const hint = (id: string) => ask<Hint>('GET', `/games/${id}/hint`)
export const evaluation = (id: string) => ask<Hint>('GET', `/games/${id}/evaluation`)
export const replay = (id: string) => ask<Replay>('GET', `/games/${id}/replay`)
export const rematch = (id: string) => ask<Created>('POST', `/games/${id}/rematch`)
export const lobby = () => ask<{ games: Summary[] }>('GET', '/lobby')
export const myGames = () => ask<{ games: Summary[] }>('GET', '/me/games')

/** All steps of a record that somebody pasted. */
export const replayRecord = (text: string) => request<Replay>('POST', '/records/replay', text, 'text/plain')

export const recordLink = (id: string, format: 'text' | 'json') => `/api/v1/games/${id}/record?format=${format}`
