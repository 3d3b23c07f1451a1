// The engine as the games see it: it searches one task at a time, turns before hints before evaluations. The
// search runs in a worker of its own, so that a game never waits for it; a search is stopped by ending that
// worker, which takes no time and needs no memory shared between threads.

import { network } from 'virtual:module'
import type { FromEngine, ToEngine } from './engine.worker.ts'

/** By urgency. */
const KINDS = ['turn', 'hint', 'evaluation', 'study'] as const
export type Kind = (typeof KINDS)[number]

interface Job {
  ref: number
  kind: Kind
  task: string
  found: (answer: string | null) => void
}

export class Engine {
  readonly #module: WebAssembly.Module
  #network: Promise<Uint8Array> | null = null
  #worker: Worker
  /** The most urgent first. */
  #jobs: Job[] = []
  #running: Job | null = null
  #next = 1

  constructor(module: WebAssembly.Module) {
    this.#module = module
    this.#worker = this.#start()
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

  /** What another engine needs. */
  async files(): Promise<{ module: WebAssembly.Module; network: Uint8Array }> {
    this.#network ??= fetchNetwork()
    return { module: this.#module, network: await this.#network }
  }

  #run(): void {
    const [first] = this.#jobs
    if (!first || this.#running) return
    this.#running = first
    this.#worker.postMessage({ ref: first.ref, task: first.task } satisfies ToEngine)
  }

  #end(job: Job, answer: string | null): void {
    this.#jobs = this.#jobs.filter((other) => other !== job)
    if (this.#running === job) this.#running = null
    job.found(answer)
    this.#run()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' })
    const module = this.#module
    this.#network ??= fetchNetwork()
    this.#network.then(
      (network) => worker.postMessage({ module, network } satisfies ToEngine),
      // The next search tries again.
      () => {
        this.#network = null
        this.#heard(this.#running?.ref ?? 0, null)
      },
    )
    worker.onmessage = ({ data }: MessageEvent<FromEngine>) => this.#heard(data.ref, 'answer' in data ? data.answer : null)
    worker.onerror = () => this.#heard(this.#running?.ref ?? 0, null)
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
    this.#worker = this.#start()
    this.#running = null
  }
}

/** The network is a file of its own, which changes less often than the module. */
async function fetchNetwork(): Promise<Uint8Array> {
  const response = await fetch(network)
  if (!response.ok) throw new Error(`the network cannot be loaded: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
