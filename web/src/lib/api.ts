// Requests to the server. A browser becomes a guest with the first request that needs a person; the
// token is in an HttpOnly cookie, which scripts cannot read.

import type { Created, Game, Hint, Invitation, JoinRequest, NewGame, Options, Person, Replay, ServerError, Summary } from './types.ts'
import { tMaybe } from './words.svelte.ts'

/** The server refused a request or could not be reached; the message is for the player. */
export class ApiFailure extends Error {
  readonly code: string
  readonly status: number

  constructor(error: ServerError, status: number) {
    super(tMaybe(`error.${error.code}`) ?? error.message)
    this.code = error.code
    this.status = status
  }
}

/** Sends a request. Text is sent as it is, anything else as JSON. */
async function ask<T>(method: string, path: string, body?: object | string): Promise<T> {
  const isText = typeof body === 'string'
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' },
    body: isText ? body : JSON.stringify(body),
  }).catch(() => {
    throw new ApiFailure({ code: 'unreachable', message: 'the server cannot be reached' }, 0)
  })
  const answer = await response.json().catch(() => null)
  if (response.ok) return answer
  throw new ApiFailure(answer?.error ?? { code: 'internal', message: `the server answered ${response.status}` }, response.status)
}

/** The server's name for people who gave none. */
export const GUEST = 'Guest'

/** Set once this browser has a person, so that new visitors cause no 401 error. */
const PERSON_KEY = 'azulejo.person'

function mayHavePerson(): boolean {
  try {
    return localStorage.getItem(PERSON_KEY) !== null
  } catch {
    return true
  }
}

/** The person of this browser, or null if it has none yet. */
export async function currentPerson(): Promise<Person | null> {
  if (!mayHavePerson()) return null
  return ask<Person>('GET', '/me').catch((failure: ApiFailure) => {
    if (failure.status === 401) return null
    throw failure
  })
}

/** The person of this browser, created or renamed if necessary. */
export async function ensurePerson(name?: string): Promise<Person> {
  const known = await currentPerson()
  if (known) return name && name !== known.name ? ask('PATCH', '/me', { name }) : known
  const created = await ask<{ person: Person }>('POST', '/people', { ...(name ? { name } : {}), cookie: true })
  try {
    localStorage.setItem(PERSON_KEY, created.person.id)
  } catch {
    // Without storage, `mayHavePerson` is always true.
  }
  return created.person
}

export async function createGame(game: NewGame): Promise<Created> {
  await ensurePerson()
  return ask('POST', '/games', game)
}

export const getOptions = () => ask<Options>('GET', '/options')
export const joinGame = (id: string, body: JoinRequest) => ask<{ game: Game }>('POST', `/games/${id}/join`, body)
export const invite = (id: string, seat: number) => ask<Invitation>('POST', `/games/${id}/invitations`, { seat })
export const gameState = (id: string) => ask<Game>('GET', `/games/${id}`)
export const hint = (id: string) => ask<Hint>('GET', `/games/${id}/hint`)
export const evaluation = (id: string) => ask<Hint>('GET', `/games/${id}/evaluation`)
export const rematch = (id: string) => ask<Created>('POST', `/games/${id}/rematch`)
/** A copy of all data about this person. */
export const exportLink = '/api/v1/me/export'
/** Revokes the tokens of all other devices. */
export const signOutElsewhere = () => ask('DELETE', '/me/tokens')

/** Deletes the person of this browser and everything about it. */
export async function deleteMe(): Promise<void> {
  await ask('DELETE', '/me', { confirm: 'delete' })
  try {
    localStorage.removeItem(PERSON_KEY)
  } catch {
    // Without storage there is nothing to remove.
  }
}

export const lobby = () => ask<{ games: Summary[] }>('GET', '/lobby')
export const myGames = () => ask<{ games: Summary[] }>('GET', '/me/games')

/** All pages of a replay in one. `page` fetches the one that begins after a number of steps. */
export async function allPages(page: (from: number) => Promise<Replay>): Promise<Replay> {
  const whole = await page(0)
  const steps = [...whole.steps]
  while (steps.length < whole.n_steps) {
    const next = await page(steps.length)
    if (next.steps.length === 0) break
    steps.push(...next.steps)
  }
  return { ...whole, n_steps: steps.length, steps }
}

/** The replay of a game on this server. */
export const replay = (id: string) => allPages((from) => ask('GET', `/games/${id}/replay?from=${from}`))

/** The replay of a pasted record. */
export const replayRecord = (text: string) => allPages((from) => ask('POST', `/records/replay?from=${from}`, text))

export const recordLink = (id: string, format: 'text' | 'json') => `/api/v1/games/${id}/record?format=${format}`
