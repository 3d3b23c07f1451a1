// A review as the page sees it: it comes from the cache, or from a worker that fills it in step by step. A quick
// review is made first, so that the whole game is on the screen at once; the chosen one then replaces it.

import { Failure } from '../host.ts'
import { local } from '../local/host.svelte.ts'
import { findReview, keepReview } from './cache.ts'
import type { FromReviewer, ToReviewer } from './review.worker.ts'
import type { Budget, Judged, Review } from './types.ts'

export type Status = 'starting' | 'running' | 'paused' | 'done' | 'failed'

export class ReviewRun {
  status = $state<Status>('starting')
  /** Why it failed. */
  problem = $state('')
  /** The review with the chosen budget, as far as it is done. */
  wanted = $state.raw<Review | null>(null)
  /** The quick one, which is there first. */
  #quick = $state.raw<Review | null>(null)

  readonly record: string
  readonly budget: Budget
  #worker: Worker | null = null
  #judging: { resolve: (judged: Judged) => void; reject: (failure: Error) => void } | null = null
  #isClosed = false

  constructor(record: string, budget: Budget) {
    this.record = record
    this.budget = budget
    void this.#begin().catch((failure: Error) => this.#fail(failure))
  }

  /** What is shown: what the chosen budget has found, and for the rest what the quick one has. */
  readonly shown = $derived.by((): Review | null => {
    const [wanted, quick] = [this.wanted, this.#quick]
    if (!wanted || !quick || wanted.n_done === wanted.n_steps) return wanted ?? quick
    const fill = <T>(better: T[], rest: T[]) => [...better, ...rest.slice(better.length)]
    return {
      ...quick,
      deals: fill(wanted.deals, quick.deals),
      decisions: fill(wanted.decisions, quick.decisions),
      words: { moves: fill(wanted.words.moves, quick.words.moves), deals: fill(wanted.words.deals, quick.words.deals) },
    }
  })

  /** How much of the chosen review is done, from 0 to 1. */
  readonly progress = $derived(this.status === 'done' ? 1 : this.wanted ? this.wanted.n_done / this.wanted.n_steps : 0)
  /** Whether the sums of the players are those of a whole review. */
  readonly isWhole = $derived(this.shown !== null && this.shown.n_done === this.shown.n_steps)

  pause(): void {
    if (this.status !== 'running') return
    this.status = 'paused'
    this.#send({ type: 'pause' })
  }

  resume(): void {
    if (this.status !== 'paused') return
    this.status = 'running'
    this.#send({ type: 'resume' })
  }

  close(): void {
    this.#isClosed = true
    this.#worker?.terminate()
  }

  /** Judges another move in a position of the game, with the budget of the review. */
  async judge(position: string, move: string): Promise<Judged> {
    if (!this.#worker) await this.#start([])
    this.#judging?.reject(new Error())
    return new Promise((resolve, reject) => {
      this.#judging = { resolve, reject }
      this.#send({ type: 'judge', position, move })
    })
  }

  async #key(budget: Budget): Promise<string> {
    return `${budget} ${await local.recordKey(this.record)}`
  }

  async #begin(): Promise<void> {
    const [kept, quick] = await Promise.all([this.budget, 'quick' as const].map(async (budget) => findReview(await this.#key(budget))))
    this.#quick = quick ?? null
    if (kept) {
      this.wanted = kept
      this.status = 'done'
      return
    }
    const budgets = [...new Set<Budget>(['quick', this.budget])].filter((budget) => budget !== 'quick' || !quick)
    await this.#start(budgets)
    if (this.status === 'starting') this.status = 'running'
  }

  async #start(budgets: Budget[]): Promise<void> {
    const { module, network } = await local.engineFiles()
    if (this.#isClosed) return
    const worker = new Worker(new URL('./review.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<FromReviewer>) => this.#hear(data)
    worker.onerror = (event) => {
      event.preventDefault()
      this.#fail(new Failure({ code: 'internal', message: event.message }))
    }
    this.#worker = worker
    const { record, budget } = this
    this.#send({ type: 'start', module, network, record, budget, budgets })
  }

  #hear(heard: FromReviewer): void {
    if (heard.type === 'judged') {
      this.#judging?.resolve(heard.judged)
      this.#judging = null
    } else if (heard.type === 'failed') this.#fail(new Failure(heard.error))
    else if (this.status !== 'done') this.#take(heard.budget, heard.review)
  }

  #take(budget: Budget, review: Review): void {
    if (budget === this.budget) this.wanted = review
    else this.#quick = review
    if (review.n_done < review.n_steps) return
    if (budget === this.budget) this.status = 'done'
    void this.#key(budget).then((key) => keepReview(key, review))
  }

  #fail(failure: Error): void {
    if (this.#judging) {
      this.#judging.reject(failure)
      this.#judging = null
      return
    }
    this.status = 'failed'
    this.problem = failure.message
  }

  #send(message: ToReviewer): void {
    this.#worker?.postMessage(message)
  }
}
