// The thread of the local games: the module, the games that are open in this tab, and the database.

import { address, network } from 'virtual:files'
import { after_each_step, init, LocalGame, options, rate, record_key, replay_record } from 'virtual:module'
import type { RatedResult, Rating } from '../rating.ts'
import type { Game, Hint, NewGame, Options, Position, Replay, Summary, ToClient, ToServer } from '../types.ts'
import { answerCalls, errorOf } from './answers.ts'
import { Engine } from './engine.ts'
import { entryOf, readEntry, using } from './entry.ts'
import { type Damaged, Keep, type Kept } from './keep.ts'
import { studyMethods } from './study.ts'
import { Table } from './table.ts'

/** What the page hears without asking. */
export type Push =
  | { type: 'messages'; id: string; messages: ToClient[] }
  | { type: 'following'; id: string; isFollowing: boolean }
  | { type: 'kept'; kept: Kept }
  | { type: 'crashed' }

export interface Mine {
  games: Summary[]
  damaged: Damaged[]
}

const push = (message: Push) => postMessage(message)

/** The games with an open page, and new ones whose page is about to open. */
const tables = new Map<string, Table>()
/** A game that is closed has to release its lock before it is opened again. */
let closing: Promise<unknown> = Promise.resolve()
const keeping = Keep.open()
const engine = new Engine()

const newId = () => `local-${crypto.getRandomValues(new Uint32Array(2)).reduce((id, n) => id + n.toString(36).padStart(7, '0'), '')}`
const newSeed = () => crypto.getRandomValues(new Uint8Array(16))

/** A panic leaves the module in any state: the page starts this worker again. */
function onfailure(thrown: unknown): void {
  if (thrown instanceof WebAssembly.RuntimeError) push({ type: 'crashed' })
}

/** A game of this tab, or one from the database. */
async function table(id: string): Promise<Table> {
  return tables.get(id) ?? Table.read(id, await keeping, engine)
}

/** Remembers a new game, so that its page need not read it. */
function opened(table: Table): Game {
  tables.set(table.id, table)
  return table.state
}

const methods = {
  /** Starts the module, before all other calls. */
  async start(module: WebAssembly.Module): Promise<Kept> {
    await init({ module_or_path: module })
    engine.start(module)
    return (await keeping).kept
  },

  options: async (): Promise<Options> => JSON.parse(options()),

  async create(game: NewGame, isKept: boolean): Promise<Game> {
    const local = LocalGame.create(JSON.stringify(game), newId(), newSeed(), Date.now())
    return opened(await Table.begin(local, isKept ? await keeping : null, engine))
  },

  rematch: async (id: string): Promise<Game> => opened(await (await table(id)).rematch(newId(), newSeed())),

  /** The games of this browser, the last changed first; those that cannot be read are set aside. */
  async games(): Promise<Mine> {
    const keep = await keeping
    const games: Summary[] = []
    for (const stored of await keep.all()) {
      try {
        games.push(readEntry(stored).summary)
      } catch (thrown) {
        const { code, message } = errorOf(thrown)
        if (code !== 'later_version') await keep.setAside(stored.id, message)
      }
    }
    games.sort((a, b) => b.updated_ms - a.updated_ms)
    return { games, damaged: await keep.damaged() }
  },

  state: async (id: string): Promise<Game> => (await table(id)).state,

  async connect(id: string): Promise<void> {
    await closing
    const opening = await table(id)
    tables.set(id, opening)
    await opening.connect({
      onmessages: async (messages) => {
        push({ type: 'messages', id, messages })
        push({ type: 'kept', kept: (await keeping).kept })
      },
      onfollowing: (isFollowing) => push({ type: 'following', id, isFollowing }),
      onfailure,
    })
  },

  async receive(id: string, message: ToServer): Promise<void> {
    tables.get(id)?.receive(message)
  },

  takeOver: async (id: string): Promise<void> => tables.get(id)?.takeOver(),

  async close(id: string): Promise<void> {
    closing = tables.get(id)?.close() ?? closing
    tables.delete(id)
  },

  hint: async (id: string): Promise<Hint> => JSON.parse(await (await table(id)).analyze('hint')),
  evaluation: async (id: string): Promise<Hint> => JSON.parse(await (await table(id)).analyze('evaluation')),
  replay: async (id: string): Promise<Replay> => JSON.parse((await table(id)).ask((game) => game.replay())),
  replayRecord: async (text: string): Promise<Replay> => JSON.parse(replay_record(text)),
  afterEachStep: async (position: string, move: string): Promise<Position[]> => JSON.parse(after_each_step(position, move)),
  record: async (id: string, format: 'text' | 'json'): Promise<string> => (await table(id)).ask((game) => game.record(format)),

  /** The ratings after each of several rating periods, from the first rating or that of a new player. */
  rate: async (rating: Rating | null, periods: RatedResult[][]): Promise<Rating[]> =>
    JSON.parse(rate(JSON.stringify(rating), JSON.stringify(periods))),
  /** A name for the reviews of a record. Names of built files change with their content: other code, other reviews. */
  recordKey: async (text: string): Promise<string> => [record_key(text), address, network].join(' '),
  /** For another worker with an engine. */
  engineFiles: () => engine.files(),
  ...studyMethods(async () => engine),

  /** All entries, one line of JSON for each, the damaged ones as they are. */
  async exportAll(): Promise<string> {
    const keep = await keeping
    const damaged = (await keep.damaged()).map(({ entry }) => entry)
    return [...(await keep.all()), ...damaged].map((entry) => `${JSON.stringify(entry)}\n`).join('')
  },

  /** Adds the games of an exported file, and says how many; a game that is here already stays. */
  async importAll(text: string): Promise<{ added: number; refused: number }> {
    const keep = await keeping
    let [added, refused] = [0, 0]
    for (const line of text.split('\n').filter((line) => line.trim())) {
      try {
        const { game } = readEntry(JSON.parse(line))
        const entry = using(game, entryOf)
        if (await keep.find(entry.id)) continue
        await keep.put(entry, null)
        added += 1
      } catch {
        refused += 1
      }
    }
    return { added, refused }
  },

  async remove(id: string): Promise<void> {
    await methods.close(id)
    await (await keeping).remove(id)
  },
}

export type Methods = typeof methods

answerCalls(methods, onfailure)
