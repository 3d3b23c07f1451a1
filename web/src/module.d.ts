// The WebAssembly module of `crates/wasm`, as the build provides it to the workers. All texts are JSON; what
// fails throws an `ErrorBody` as text.

declare module 'virtual:files' {
  /** The address of the WebAssembly file, its size in bytes, and the address of the engine's network. */
  export const address: string
  export const size: number
  export const network: string
}

declare module 'virtual:module' {
  /** Starts the module. */
  export function init(from: { module_or_path: WebAssembly.Module }): Promise<unknown>
  export function after_each_step(position: string, move: string): string
  export function options(): string
  export function replay_record(text: string): string
  export function rate(rating: string, periods: string): string
  export function record_key(record: string): string
  export function puzzles(part: string): string
  export function daily_puzzle(day: number, n_puzzles: number): number | undefined
  export function puzzle_try(line: string, moves: string, network: Uint8Array): string
  export function study(position: string): string
  export function study_act(position: string, action: string): string
  export function study_draw(position: string, random: Uint8Array): string
  export function setup(text: string): string
  export function setup_check(form: string): string
  export function setup_new(rules: string): string
  export function variations_record(tree: string): string

  export class LocalGame {
    static create(newGame: string, id: string, random: Uint8Array, now_ms: number): LocalGame
    static open(stored: string): LocalGame
    stored(): string
    resume(now_ms: number): string
    receive(message: string, now_ms: number): string
    wake_ms(): number | undefined
    wake(now_ms: number): string
    state(now_ms: number): string
    summary(): string
    replay(): string
    record(format: string): string
    rematch(id: string, random: Uint8Array, now_ms: number): LocalGame
    task(): string | undefined
    hint_task(kind: string): string
    engine_move(answer: string, now_ms: number): string
    free(): void
  }

  export class Reviewer {
    constructor(network: Uint8Array, record: string, budget: string)
    step(): boolean
    review(): string
    judge(position: string, move: string): string
    free(): void
  }

  export class Searcher {
    constructor(network: Uint8Array, hash_mb: number)
    search(task: string): string
  }
}

/** Whether this build contains the module. */
declare const HAS_MODULE: boolean
