// Calls from the page to a worker: a call is a message with a number, its answer a message with the same
// number. `answers.ts` is the other side.

import { Failure } from '../host.ts'
import type { ServerError } from '../types.ts'
import type { Answer, Call } from './answers.ts'

/** The methods of the other thread: they answer later. */
export type Remote<M> = {
  [K in keyof M]: M[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never
}

/** Calls the methods of a worker. */
export class Caller<M> {
  #calls = new Map<number, { resolve: (value: never) => void; reject: (failure: Failure) => void }>()
  #next = 1
  /** Why the worker is gone. */
  #failure: Failure | null = null
  readonly to: Remote<M>

  constructor(worker: Worker) {
    this.to = new Proxy({} as Remote<M>, {
      get: (_, method: string) => (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          if (this.#failure) return reject(this.#failure)
          const ref = this.#next++
          this.#calls.set(ref, { resolve, reject })
          worker.postMessage({ ref, method, args } satisfies Call)
        }),
    })
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const call = this.#calls.get(data.ref)
      if (!call) return
      this.#calls.delete(data.ref)
      if (data.error) call.reject(new Failure(data.error))
      else call.resolve(data.value as never)
    })
  }

  /** Ends all calls without an answer, and later ones, because the worker is gone. */
  fail(error: ServerError): void {
    this.#failure = new Failure(error)
    for (const { reject } of this.#calls.values()) reject(this.#failure)
    this.#calls.clear()
  }
}
