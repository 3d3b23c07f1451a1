// Solving puzzles: the set in parts, the choice of the next puzzle, and what happens to a move. What is right, and
// why a move is wrong, the module says.

import { local } from '../local/host.svelte.ts'
import { at } from '../router.svelte.ts'
import { Stage } from '../stage.svelte.ts'
import type { Move } from '../types.ts'
import { StudyBoard } from './board.svelte.ts'
import type { Solver } from './solver.svelte.ts'
import type { Puzzle, PuzzleAnswer, Study } from './types.ts'

interface Part {
  file: string
  puzzles: number
  from: number
  to: number
}

const get = async (file: string) => {
  const response = await fetch(at(`/puzzles/${file}`))
  if (!response.ok) throw new Error(`puzzles/${file}: ${response.status}`)
  return response
}

/** The set, whose parts are fetched when they are needed. */
class PuzzleSet {
  #index: Promise<{ puzzles: number; parts: Part[] }> | null = null
  readonly #parts = new Map<string, Promise<Puzzle[]>>()

  index(): Promise<{ puzzles: number; parts: Part[] }> {
    this.#index ??= get('index.json').then((response) => response.json())
    this.#index.catch(() => (this.#index = null))
    return this.#index
  }

  part(file: string): Promise<Puzzle[]> {
    const known = this.#parts.get(file)
    if (known) return known
    const coming = get(file)
      .then((response) => response.text())
      .then((text) => local.puzzles(text))
    this.#parts.set(file, coming)
    coming.catch(() => this.#parts.delete(file))
    return coming
  }

  /** The puzzle of a day, counted since 1970-01-01 (UTC): the same for everybody. */
  async daily(day: number): Promise<Puzzle | null> {
    const { puzzles, parts } = await this.index()
    let place = await local.dailyPuzzle(day, puzzles)
    for (const part of place === null ? [] : parts) {
      if (place! < part.puzzles) return (await this.part(part.file))[place!] ?? null
      place! -= part.puzzles
    }
    return null
  }

  async byId(id: string): Promise<Puzzle | null> {
    for (const { file } of (await this.index()).parts) {
      const found = (await this.part(file)).find((puzzle) => puzzle.id === id)
      if (found) return found
    }
    return null
  }

  /** A puzzle near a rating that is not among the known ones; one of those if there is no other. */
  async near(rating: number, theme: string, known: (id: string) => boolean): Promise<Puzzle | null> {
    const { parts } = await this.index()
    const distance = ({ from, to }: Part) => Math.max(0, from - rating, rating - to)
    const found: Puzzle[] = []
    for (const { file } of [...parts].sort((a, b) => distance(a) - distance(b))) {
      found.push(...(await this.part(file)).filter(({ themes }) => theme === '' || themes.includes(theme)))
      if (found.some(({ id }) => !known(id))) break
    }
    const fresh = found.filter(({ id }) => !known(id))
    const nearest = (fresh.length > 0 ? fresh : found).sort((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating)).slice(0, 12)
    return nearest[Math.floor(Math.random() * nearest.length)] ?? null
  }

  /** Fetches all parts, which the service worker keeps for times without a network. */
  async keepAll(): Promise<void> {
    for (const { file } of (await this.index()).parts) await get(file)
  }
}

export const puzzleSet = new PuzzleSet()

export type PuzzleState = 'asking' | 'thinking' | 'wrong' | 'solved' | 'shown'

/** One puzzle on the table. */
export class PuzzleTry {
  state = $state<PuzzleState>('asking')
  problem = $state('')
  /** The last wrong move with its refutation. */
  answer = $state.raw<PuzzleAnswer | null>(null)
  wrong = $state('')
  /** How many own moves were found. */
  nFound = $state(0)
  readonly puzzle: Puzzle
  readonly stage = new Stage()
  readonly board: StudyBoard
  readonly #solver: Solver
  readonly #isDaily: boolean
  #moves: string[] = []
  /** Where the next attempt begins after a wrong move. */
  #before: Study | null = null
  /** Changes when the table shows something else, so that a line that is being shown ends. */
  #scene = 0

  constructor(puzzle: Puzzle, solver: Solver, isDaily: boolean) {
    this.puzzle = puzzle
    this.#solver = solver
    this.#isDaily = isDaily
    this.board = new StudyBoard((move) => void this.#try(move))
    void this.#open(puzzle.position)
  }

  get isRunning(): boolean {
    return this.state === 'asking' || this.state === 'wrong'
  }

  async #open(position: string): Promise<void> {
    try {
      await this.board.open(position)
      this.stage.jump(this.board.position!)
    } catch (failure) {
      this.problem = (failure as Error).message
    }
  }

  async #try({ move }: Move): Promise<void> {
    if (this.state !== 'asking') return
    this.state = 'thinking'
    this.problem = ''
    this.board.lock()
    try {
      const answer = await local.tryPuzzle(this.puzzle.line, [...this.#moves, move])
      if (answer.reply === 'wrong') return await this.#refute(move, answer)
      this.#moves.push(move)
      this.nFound += 1
      await this.#play([move, ...answer.answers])
      if (answer.reply === 'right') {
        this.state = 'asking'
        this.board.unlock()
      } else {
        this.state = 'solved'
        await this.#solver.note(this.puzzle, true, this.#isDaily)
      }
    } catch (failure) {
      this.problem = (failure as Error).message
      this.state = 'asking'
      this.board.unlock()
    }
  }

  /** Shows how the others answer a wrong move, to the end of the round. */
  async #refute(move: string, answer: PuzzleAnswer): Promise<void> {
    this.answer = answer
    this.wrong = move
    this.state = 'wrong'
    void this.#solver.note(this.puzzle, false, this.#isDaily)
    this.#before = this.board.now
    await this.#play([move, ...(answer.refutation?.line ?? [])])
  }

  /** Plays moves on the table, one after the other. */
  async #play(moves: string[]): Promise<void> {
    const scene = ++this.#scene
    for (const move of moves) {
      const step = await local.act(this.board.position!.position, move)
      if (scene !== this.#scene) return
      this.board.show(step)
      this.board.lock()
      await new Promise<void>((over) => this.stage.play(step.report, step.position, move, over))
      if (scene !== this.#scene) return
    }
  }

  again(): void {
    this.#scene += 1
    this.state = 'asking'
    if (!this.#before) return
    this.board.show(this.#before)
    this.stage.jump(this.#before.position)
  }

  /** Gives up and shows the solution. */
  async reveal(): Promise<void> {
    this.#scene += 1
    this.state = 'shown'
    this.stage.skip()
    void this.#solver.note(this.puzzle, false, this.#isDaily)
    await this.#open(this.puzzle.position)
    await this.#play(this.puzzle.solution)
  }
}
