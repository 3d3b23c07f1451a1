// Positions outside of a game, for the analysis board and for puzzles: the module looks at them and plays on, the
// engine searches them.

import { daily_puzzle, puzzle_try, puzzles, setup, setup_check, setup_new, study, study_act, study_draw, variations_record } from 'virtual:module'
import type { Deals, Puzzle, PuzzleAnswer, Setup, SetupForm, Study, StudyStep, TreeForm } from '../study/types.ts'
import type { Hint } from '../types.ts'
import type { Engine } from './engine.ts'

/** The nodes after each sampled deal. */
const DEAL_NODES = 20_000

export function studyMethods(load: () => Promise<Engine>) {
  const ask = async (task: object) => {
    const answer = await (await load()).search('study', JSON.stringify({ number: 0, time_ms: 0, ...task }))
    return answer === null ? null : JSON.parse(answer)
  }
  return {
    study: async (position: string): Promise<Study> => (await load(), JSON.parse(study(position))),
    act: async (position: string, action: string): Promise<StudyStep> => (await load(), JSON.parse(study_act(position, action))),
    drawDeal: async (position: string): Promise<string> => (await load(), study_draw(position, crypto.getRandomValues(new Uint8Array(16)))),
    setup: async (text: string): Promise<Setup> => (await load(), JSON.parse(setup(text))),
    checkSetup: async (form: SetupForm): Promise<Setup> => (await load(), JSON.parse(setup_check(JSON.stringify(form)))),
    newSetup: async (rules: string): Promise<Setup> => (await load(), JSON.parse(setup_new(rules))),
    treeRecord: async (tree: TreeForm): Promise<string> => (await load(), variations_record(JSON.stringify(tree))),
    /** The best moves of a position; null if another search took the place of this one. */
    lines: (position: string, time_ms: number): Promise<Hint | null> => ask({ kind: 'hint', position, time_ms }),
    /** The values after sampled deals: the same ones first, then more. */
    deals: (position: string, n_deals: number): Promise<Deals | null> => ask({ kind: 'deals', position, n_deals, nodes: DEAL_NODES, seed: 1 }),
    /** The puzzles of a part of the set. */
    puzzles: async (part: string): Promise<Puzzle[]> => (await load(), JSON.parse(puzzles(part))),
    dailyPuzzle: async (day: number, n: number): Promise<number | null> => (await load(), daily_puzzle(day, n) ?? null),
    /** The answer to the last of the solver's moves. */
    tryPuzzle: async (line: string, moves: string[]): Promise<PuzzleAnswer> => {
      const { network } = await (await load()).files()
      return JSON.parse(puzzle_try(line, moves.join(','), network))
    },
    stopStudy: async (): Promise<void> => (await load()).stop('study'),
  }
}
