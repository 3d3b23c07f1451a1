// The engine as the games see it: it searches one task at a time, turns before hints before evaluations. The
// search runs in a worker of its own, so that a game never waits for it. A search is stopped by ending that
// worker, which needs no memory shared between threads; a spare one is ready for the next search.

import { network } from 'virtual:files'
import type { FromEngine, ToEngine } from './engine.worker.ts'

/** By urgency. */
const KINDS = ['turn', 'hint', 'evaluation', 'study'] as const
export type Kind = (typeof KINDS)[number]

/** A spare worker is made this long after a search has begun, in milliseconds, so that quick answers come first. */
const SPARE_AFTER = 250

interface Job {
  ref: number
  kind: Kind
  task: string
  found: (answer: string | null) => void
}

export class Engine {
  #module = deferred<WebAssembly.Module>()
  #network: Promise<Uint8Array> | null = null
  #worker = this.#create()
  /** Takes over when a search is stopped. */
  #spare: Worker | null = null
  /** The most urgent first. */
  #jobs: Job[] = []
  #running: Job | null = null
  #next = 1

  /** Gives the engine the module; searches wait for it. */
  start(module: WebAssembly.Module): void {
    this.#module.resolve(module)
  }

  /** Searches; the answer is null if the search was stopped, or replaced by another of its kind. */
  search(kind: Kind, task: string): Promise<string | null> {
    this.stop(kind)
    return new Promise((found) => {
      this.#jobs.push({ ref: this.#next++, kind, task, found })
      this.#jobs.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
      // A less urgent search that is interrupted begins again later.
      if (this.#running && this.#running !== this.#jobs[0]) this.#restart()
      this.#run()
    })
  }

  /** Stops the search of a kind, if there is one. */
  stop(kind: Kind): void {
    for (const job of this.#jobs.filter((job) => job.kind === kind)) {
      if (job === this.#running) this.#restart()
      this.#end(job, null)
    }
  }

  /** What an engine needs. */
  async files(): Promise<{ module: WebAssembly.Module; network: Uint8Array }> {
    const network = (this.#network ??= fetchNetwork())
    return { module: await this.#module.promise, network: await network }
  }

  #run(): void {
    const [first] = this.#jobs
    if (!first || this.#running) return
    this.#running = first
    if (!this.#spare) setTimeout(() => (this.#spare ??= this.#create()), SPARE_AFTER)
    this.#worker.postMessage({ ref: first.ref, task: first.task } satisfies ToEngine)
  }

  #end(job: Job, answer: string | null): void {
    this.#jobs = this.#jobs.filter((other) => other !== job)
    if (this.#running === job) this.#running = null
    job.found(answer)
    this.#run()
  }

  #create(): Worker {
    const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' })
    const ended = () => worker === this.#worker && this.#heard(this.#running?.ref ?? 0, null)
    this.files().then(
      (files) => worker.postMessage(files satisfies ToEngine),
      // The next search tries again.
      () => {
        this.#network = null
        ended()
      },
    )
    worker.onmessage = ({ data }: MessageEvent<FromEngine>) => this.#heard(data.ref, 'answer' in data ? data.answer : null)
    worker.onerror = ended
    return worker
  }

  #heard(ref: number, answer: string | null): void {
    const job = this.#running
    if (job?.ref !== ref) return
    // After a failure the module of the worker may be in any state.
    if (answer === null) this.#restart()
    this.#end(job, answer)
  }

  #restart(): void {
    this.#worker.terminate()
    this.#worker = this.#spare ?? this.#create()
    this.#spare = null
    this.#running = null
  }
}

/** The network is a file of its own, which changes less often than the module. */
async function fetchNetwork(): Promise<Uint8Array> {
  const response = await fetch(network)
  if (!response.ok) throw new Error(`the network cannot be loaded: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

function deferred<T>() {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((with_) => (resolve = with_))
  return { promise, resolve }
}
