// The worker's side of `calls.ts`. Failures cross as `ErrorBody`, like those of a server.

import type { ServerError } from '../types.ts'

export interface Call {
  ref: number
  method: string
  args: unknown[]
}

export interface Answer {
  ref: number
  value?: unknown
  error?: ServerError
}

/** Why a worker does not do what it was asked. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A thrown value as an `ErrorBody`. The module throws JSON text. */
export function errorOf(thrown: unknown): ServerError {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown instanceof Refusal) return { code: thrown.code, message }
  try {
    const error = JSON.parse(message)
    if (typeof error.code === 'string') return error
  } catch {
    // Any other error is a fault of ours.
  }
  return { code: 'internal', message }
}

/** Answers the calls that arrive in this worker. */
export function answerCalls(methods: Record<string, (...args: never[]) => unknown>, onfailure: (thrown: unknown) => void): void {
  addEventListener('message', async ({ data }: MessageEvent<Call>) => {
    const { ref, method, args } = data
    const answer: Answer = { ref }
    try {
      answer.value = await methods[method]?.(...(args as never[]))
    } catch (thrown) {
      answer.error = errorOf(thrown)
      onfailure(thrown)
    }
    postMessage(answer)
  })
}
