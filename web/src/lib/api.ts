// Requests to the server. A browser becomes a guest with the first request that needs a person; the
// token is in an HttpOnly cookie, which scripts cannot read.

import { Failure, type Host } from './host.ts'
import { at } from './router.svelte.ts'
import { Socket } from './socket.ts'
import type { Created, Game, Hint, Invitation, JoinRequest, Options, Person, Replay, Summary, Token } from './types.ts'

/** Whether a server may answer; a site of static files has none. */
export const hasServer = import.meta.env.MODE !== 'site'

/** Sends a request. Text is sent as it is, anything else as JSON. */
async function request(method: string, path: string, body?: object | string): Promise<Response> {
  if (!hasServer) throw new Failure({ code: 'no_server', message: 'this site has no server' })
  const isText = typeof body === 'string'
  const response = await fetch(at(`/api/v1${path}`), {
    method,
    headers: body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' },
    body: isText ? body : JSON.stringify(body),
  }).catch(() => {
    throw new Failure({ code: 'unreachable', message: 'the server cannot be reached' })
  })
  if (response.ok) return response
  const answer = await response.json().catch(() => null)
  throw new Failure(answer?.error ?? { code: 'internal', message: `the server answered ${response.status}` })
}

const ask = async <T>(method: string, path: string, body?: object | string): Promise<T> =>
  (await request(method, path, body)).json().catch(() => null)

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
  if (!hasServer || !mayHavePerson()) return null
  return ask<Person>('GET', '/me').catch((failure: Failure) => {
    if (failure.code === 'no_token' || failure.code === 'unknown_token') return null
    throw failure
  })
}

/** The person of this browser, created or renamed if necessary. */
export async function ensurePerson(name?: string): Promise<Person> {
  const known = await currentPerson()
  if (known) return name && name !== known.name ? ask('PATCH', '/me', { name }) : known
  const created = await ask<{ person: Person }>('POST', '/people', { ...(name ? { name } : {}), cookie: true })
  rememberPerson(created.person)
  return created.person
}

function rememberPerson({ id }: Person): void {
  try {
    localStorage.setItem(PERSON_KEY, id)
  } catch {
    // Without storage, `mayHavePerson` is always true.
  }
}

export const getOptions = () => ask<Options>('GET', '/options')
export const joinGame = (id: string, body: JoinRequest) => ask<{ game: Game }>('POST', `/games/${id}/join`, body)
export const invite = (id: string, seat: number) => ask<Invitation>('POST', `/games/${id}/invitations`, { seat })
/** A copy of all data about this person. */
export const exportLink = at('/api/v1/me/export')
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
/** The player's games on the server, at most 200, after a number of them. */
export const myGames = (skip = 0) => ask<{ games: Summary[] }>('GET', `/me/games?skip=${skip}`)
/** The game of the engine against itself, if the server shows one. */
export const tv = () => ask<{ game: Summary | null }>('GET', '/tv')
/** Finds an opponent, or a table to wait for one. */
export const pair = () => ask<{ game: string; begun: boolean }>('POST', '/pair')

/** The devices of this person. */
export const tokens = () => ask<{ tokens: Token[] }>('GET', '/me/tokens')
export const revokeToken = (id: string) => ask<{ tokens: Token[] }>('DELETE', `/me/tokens/${id}`)
/** Offers this person, with packed games, to the device that knows the code. */
export const offerTransfer = (games: string) => ask<{ code: string }>('POST', '/me/transfer', { games })
export const withdrawTransfer = () => ask('DELETE', '/me/transfer')

/** Makes the person of a code the person of this browser. */
export async function takeTransfer(code: string): Promise<{ person: Person; games: string }> {
  const taken = await ask<{ person: Person; games: string }>('POST', '/transfers', { code, cookie: true })
  rememberPerson(taken.person)
  return taken
}

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

/** The server as the host of games. */
export const remote: Host = {
  state: (id) => ask<Game>('GET', `/games/${id}`),
  connect: (id, client) => new Socket(id, client),
  create: async (game) => {
    await ensurePerson()
    return ask<Created>('POST', '/games', game)
  },
  rematch: (id) => ask<Created>('POST', `/games/${id}/rematch`),
  hint: (id) => ask<Hint>('GET', `/games/${id}/hint`),
  evaluation: (id) => ask<Hint>('GET', `/games/${id}/evaluation`),
  replay: (id) => allPages((from) => ask('GET', `/games/${id}/replay?from=${from}`)),
  replayRecord: (text) => allPages((from) => ask('POST', `/records/replay?from=${from}`, text)),
  record: async (id, format) => (await request('GET', `/games/${id}/record?format=${format}`)).text(),
}
