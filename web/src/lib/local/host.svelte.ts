// The module in this browser as the host of games. It is loaded in a worker while the start page is read.

import { Failure, type Client, type Host } from '../host.ts'
import type { SetupForm, TreeForm } from '../study/types.ts'
import type { NewGame, Options } from '../types.ts'
import { Caller, type Remote } from './calls.ts'
import type { Kept } from './keep.ts'
import { loadModule } from './load.ts'
import type { Methods, Mine, Push } from './worker.ts'

/** The ids of local games begin with this; those of a server have no hyphen. */
export const isLocal = (id: string) => id.startsWith('local-')

/** A game that crashes the module again and again is not opened any further. */
const MAX_CRASHES = 3

/** `missing`: this browser or this build cannot run the module. */
type Status = 'loading' | 'ready' | 'missing'

class Local implements Host {
  status = $state<Status>('loading')
  /** How much of the module is loaded, from 0 to 1. */
  progress = $state(0)
  kept = $state<Kept>('yes')

  #module: Promise<WebAssembly.Module> | null = null
  #worker: Worker | null = null
  #caller: Caller<Methods> | null = null
  #clients = new Map<string, Client>()
  #starting: Promise<boolean> | null = null
  #nCrashes = 0

  /** Whether the module can be used, as soon as that is known. After a failure the next call tries again. */
  async isReady(): Promise<boolean> {
    this.#starting ??= HAS_MODULE ? this.#start() : Promise.resolve(false)
    const isReady = await this.#starting
    if (!isReady) this.#starting = null
    this.status = isReady ? 'ready' : 'missing'
    return isReady
  }

  async #start(): Promise<boolean> {
    if (this.#nCrashes > MAX_CRASHES) return false
    try {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
      const caller = new Caller<Methods>(worker)
      this.#worker = worker
      this.#caller = caller
      worker.addEventListener('message', ({ data }: MessageEvent<Push>) => this.#hear(data))
      worker.onerror = (event) => {
        event.preventDefault()
        if (this.status === 'ready') this.#restart()
        else caller.fail({ code: 'no_module', message: 'the worker cannot be started' })
      }
      this.#module ??= loadModule((part) => (this.progress = part))
      this.kept = await caller.to.start(await this.#module)
      return true
    } catch {
      // The next attempt fetches the module again, which may be what failed.
      this.#module = null
      return false
    }
  }

  /** Starts the worker again after a crash; games continue from what is stored. */
  #restart(): void {
    this.#nCrashes += 1
    this.#worker?.terminate()
    this.#caller?.fail({ code: 'internal', message: 'the module has crashed' })
    this.#starting = null
    for (const id of this.#clients.keys()) this.#open(id)
  }

  #hear(heard: Push): void {
    switch (heard.type) {
      case 'messages':
        for (const message of heard.messages) this.#clients.get(heard.id)?.onmessage(message)
        break
      case 'following':
        this.#clients.get(heard.id)?.onconnection(heard.isFollowing ? 'following' : 'open')
        break
      case 'kept':
        this.kept = heard.kept
        break
      case 'crashed':
        this.#restart()
        break
    }
  }

  /** Calls the worker, as soon as it is ready. */
  async #call<T>(use: (worker: Remote<Methods>) => Promise<T>): Promise<T> {
    if (!(await this.isReady()) || !this.#caller) throw new Failure({ code: 'no_module', message: 'the module is missing' })
    return use(this.#caller.to)
  }

  #open(id: string): void {
    this.#call((worker) => worker.connect(id)).catch(() => this.#clients.get(id)?.onconnection('lost'))
  }

  connect(id: string, client: Client) {
    this.#clients.set(id, client)
    this.#open(id)
    return {
      send: (message: Parameters<Methods['receive']>[1]) => void this.#call((worker) => worker.receive(id, message)),
      takeOver: () => void this.#call((worker) => worker.takeOver(id)),
      close: () => {
        this.#clients.delete(id)
        void this.#call((worker) => worker.close(id))
      },
    }
  }

  /** Creates a game; one that is not kept is gone with its page. */
  async create(game: NewGame, isKept = true) {
    // The browser may ask the player, so this waits for a game that is worth keeping.
    if (isKept) void navigator.storage?.persist?.().catch(() => false)
    return { game: await this.#call((worker) => worker.create(game, isKept)), invitations: [] }
  }

  rematch = async (id: string) => ({ game: await this.#call((worker) => worker.rematch(id)), invitations: [] })
  state = (id: string) => this.#call((worker) => worker.state(id))
  hint = (id: string) => this.#call((worker) => worker.hint(id))
  evaluation = (id: string) => this.#call((worker) => worker.evaluation(id))
  replay = (id: string) => this.#call((worker) => worker.replay(id))
  replayRecord = (text: string) => this.#call((worker) => worker.replayRecord(text))
  record = (id: string, format: 'text' | 'json') => this.#call((worker) => worker.record(id, format))
  afterEachStep = (position: string, move: string) => this.#call((worker) => worker.afterEachStep(position, move))
  recordKey = (text: string) => this.#call((worker) => worker.recordKey(text))
  engineFiles = () => this.#call((worker) => worker.engineFiles())
  study = (position: string) => this.#call((worker) => worker.study(position))
  act = (position: string, action: string) => this.#call((worker) => worker.act(position, action))
  drawDeal = (position: string) => this.#call((worker) => worker.drawDeal(position))
  setup = (text: string) => this.#call((worker) => worker.setup(text))
  checkSetup = (form: SetupForm) => this.#call((worker) => worker.checkSetup(form))
  newSetup = (rules: string) => this.#call((worker) => worker.newSetup(rules))
  treeRecord = (tree: TreeForm) => this.#call((worker) => worker.treeRecord(tree))
  lines = (position: string, ms: number) => this.#call((worker) => worker.lines(position, ms))
  deals = (position: string, n: number) => this.#call((worker) => worker.deals(position, n))
  puzzles = (part: string) => this.#call((worker) => worker.puzzles(part))
  dailyPuzzle = (day: number, n: number) => this.#call((worker) => worker.dailyPuzzle(day, n))
  tryPuzzle = (line: string, moves: string[]) => this.#call((worker) => worker.tryPuzzle(line, moves))
  stopStudy = () => this.#call((worker) => worker.stopStudy())
  options = (): Promise<Options> => this.#call((worker) => worker.options())
  games = (): Promise<Mine> => this.#call((worker) => worker.games())
  rate = (...args: Parameters<Methods['rate']>) => this.#call((worker) => worker.rate(...args))
  exportAll = () => this.#call((worker) => worker.exportAll())
  importAll = (text: string) => this.#call((worker) => worker.importAll(text))
  remove = (id: string) => this.#call((worker) => worker.remove(id))
}

export const local = new Local()
