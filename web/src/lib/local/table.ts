// One local game in one tab. It changes in three steps, one change at a time: the module decides, the
// entry is written, and only then the page and the other tabs hear of it. The tab that holds the game's Web
// Lock plays; the others follow.

import { LocalGame } from 'virtual:module'
import type { Game, ToClient, ToServer } from '../types.ts'
import { errorOf, Refusal } from './answers.ts'
import type { Engine, Kind } from './engine.ts'
import { entryOf, readEntry } from './entry.ts'
import type { Keep } from './keep.ts'

/** What a page hears about a game. */
export interface Listener {
  onmessages(messages: ToClient[]): void
  onfollowing(isFollowing: boolean): void
  /** A call of the module failed. */
  onfailure(thrown: unknown): void
}

/** The pause after a search that failed. */
const RETRY_MS = 1_000

export class Table {
  readonly id: string
  readonly #engine: Engine
  /** Null for a game that is not kept, such as a lesson. */
  readonly #keep: Keep | null
  #game: LocalGame
  /** The number of the last event that was written; null before the first. */
  #written: number | null
  #listener: Listener | null = null
  #isFollowing = false
  #changes: Promise<unknown> = Promise.resolve()
  /** The task of the running search for a move. */
  #task: string | null = null
  #alarm: ReturnType<typeof setTimeout> | undefined
  #channel: BroadcastChannel | null = null
  /** Ends the wait for the lock, or releases it. */
  #release: () => void = () => {}
  /** Settles when the lock is released. */
  #held: Promise<unknown> = Promise.resolve()

  private constructor(game: LocalGame, written: number | null, keep: Keep | null, engine: Engine) {
    this.id = this.#look(game).id
    this.#game = game
    this.#written = written
    this.#keep = keep
    this.#engine = engine
  }

  /** Writes a new game, unless it is not to be kept. */
  static async begin(game: LocalGame, keep: Keep | null, engine: Engine): Promise<Table> {
    const table = new Table(game, null, keep, engine)
    await table.#write()
    return table
  }

  /** Reads a game from the database; one that cannot be read is set aside. */
  static async read(id: string, keep: Keep, engine: Engine): Promise<Table> {
    const game = await read(id, keep)
    return new Table(game, entryOf(game).number, keep, engine)
  }

  get state(): Game {
    return this.#look(this.#game)
  }

  /** Reads something from the game. */
  ask<T>(question: (game: LocalGame) => T): T {
    return question(this.#game)
  }

  /** The engine's advice, or its evaluation. */
  async analyze(kind: Exclude<Kind, 'turn'>): Promise<string> {
    const answer = await this.#engine.search(kind, this.#game.hint_task(kind))
    if (answer === null) throw new Refusal('busy', 'the engine is busy')
    return answer
  }

  /** Starts to play, or to follow the tab that does. */
  async connect(listener: Listener): Promise<void> {
    this.#listener = listener
    if (!this.#keep || this.state.status === 'over') return this.#play()
    this.#channel = new BroadcastChannel(`azulejo.${this.id}`)
    this.#channel.onmessage = ({ data }) => this.#isFollowing && this.#listener?.onmessages(data)
    await this.#lock({ ifAvailable: true })
  }

  async close(): Promise<void> {
    this.#listener = null
    this.#channel?.close()
    this.#release()
    clearTimeout(this.#alarm)
    for (const kind of ['turn', 'hint', 'evaluation'] as const) this.#engine.stop(kind)
    await this.#changes
    this.#game.free()
    await this.#held
  }

  /** Takes the game over from another tab. */
  async takeOver(): Promise<void> {
    if (!this.#isFollowing) return
    this.#release()
    await this.#lock({ steal: true })
  }

  receive(message: ToServer): void {
    if (!this.#isFollowing) {
      void this.#change((now_ms) => this.#game.receive(JSON.stringify(message), now_ms))
    } else if (message.type === 'resync') {
      void this.#reload()
    } else if (message.type === 'command') {
      const error = { code: 'following', message: 'this game is played in another tab' }
      this.#listener?.onmessages([{ type: 'error', ref: message.ref ?? null, error }])
    }
  }

  /** Creates a rematch and writes both games, the new one first, so that no link is dead. */
  async rematch(id: string, random: Uint8Array): Promise<Table> {
    const next = await Table.begin(this.#game.rematch(id, random, Date.now()), this.#keep, this.#engine)
    await this.#change(() => JSON.stringify([{ type: 'state', game: this.state }]))
    return next
  }

  #look(game: LocalGame): Game {
    return JSON.parse(game.state(Date.now())).game
  }

  #change(how: (now_ms: number) => string): Promise<unknown> {
    return (this.#changes = this.#changes
      .then(async () => {
        const messages: ToClient[] = JSON.parse(how(Date.now()))
        if (!(await this.#write())) return this.#follow()
        this.#listener?.onmessages(messages)
        // The answers to commands are for this tab.
        this.#channel?.postMessage(messages.filter(({ type }) => type === 'patch' || type === 'state'))
        this.#continue()
      })
      .catch((thrown) => {
        this.#listener?.onmessages([{ type: 'error', ref: null, error: errorOf(thrown) }])
        this.#listener?.onfailure(thrown)
      }))
  }

  /** Writes the game if it has changed; false if another tab has written it first. */
  async #write(): Promise<boolean> {
    if (!this.#keep) return true
    const entry = entryOf(this.#game)
    const after = this.#written
    if (entry.number === after) return true
    this.#written = entry.number
    return this.#keep.put(entry, after)
  }

  /** Does what the game needs between commands: the engine's move, and the end of a clock. */
  #continue(): void {
    if (this.#isFollowing || !this.#listener) return
    clearTimeout(this.#alarm)
    const due_ms = this.#game.wake_ms()
    if (due_ms !== undefined) {
      this.#alarm = setTimeout(() => void this.#change((now_ms) => this.#game.wake(now_ms)), Math.min(due_ms - Date.now(), 2 ** 31 - 1))
    }
    const task = this.#game.task() ?? null
    if (task === this.#task) return
    this.#task = task
    if (task === null) this.#engine.stop('turn')
    else void this.#search(task)
  }

  async #search(task: string): Promise<void> {
    const answer = await this.#engine.search('turn', task)
    if (this.#task !== task) return
    this.#task = null
    if (answer !== null) await this.#change((now_ms) => this.#game.engine_move(answer, now_ms))
    else setTimeout(() => this.#continue(), RETRY_MS)
  }

  /** Asks for the lock and plays with it; without it this tab follows until it gets it. */
  async #lock(how: LockOptions): Promise<void> {
    // Web Locks need a secure context. Without them the numbers of the entries still keep two tabs apart.
    if (!navigator.locks) return this.#play()
    const waiting = new AbortController()
    if (!how.ifAvailable && !how.steal) {
      how.signal = waiting.signal
      this.#release = () => waiting.abort()
    }
    await new Promise<void>((decided) => {
      const held = navigator.locks.request(`azulejo.${this.id}`, how, async (lock) => {
        if (!this.#listener) return
        if (!lock) return void this.#follow().then(decided)
        if (this.#isFollowing) await this.#reload()
        await this.#play()
        decided()
        await new Promise<void>((over) => (this.#release = over))
      })
      // Fails when another tab takes the lock, and at the end of a wait.
      this.#held = held
        .catch(async () => {
          if (!waiting.signal.aborted && this.#listener) await this.#follow()
        })
        .finally(decided)
    })
  }

  async #play(): Promise<void> {
    this.#isFollowing = false
    this.#listener?.onfollowing(false)
    await this.#change((now_ms) => this.#game.resume(now_ms))
    this.#listener?.onmessages([{ type: 'state', game: this.state }])
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true
    this.#task = null
    this.#engine.stop('turn')
    clearTimeout(this.#alarm)
    this.#listener?.onfollowing(true)
    await this.#reload()
    void this.#lock({})
  }

  /** Reads the game again, which another tab has changed. */
  async #reload(): Promise<void> {
    if (!this.#keep) return
    const game = await read(this.id, this.#keep)
    this.#game.free()
    this.#game = game
    this.#written = entryOf(game).number
    this.#listener?.onmessages([{ type: 'state', game: this.state }])
  }
}

async function read(id: string, keep: Keep): Promise<LocalGame> {
  const stored = await keep.find(id)
  if (!stored) throw new Refusal('not_found', 'there is no such game')
  try {
    const entry = readEntry(stored)
    const game = LocalGame.open(entry.game)
    if (entry !== stored) await keep.put(entry, null)
    return game
  } catch (thrown) {
    const { code, message } = errorOf(thrown)
    if (code === 'later_version') throw thrown
    await keep.setAside(id, message)
    throw new Refusal('damaged', message)
  }
}
