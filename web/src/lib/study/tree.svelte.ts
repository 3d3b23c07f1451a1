// A tree of variations: moves and deals from a position. Every change makes new lists, so that it can be undone. What is
// possible in a position, the module says.

import { local } from '../local/host.svelte.ts'
import type { Position, Replay, Step } from '../types.ts'
import type { StudyStep, TreeForm } from './types.ts'

export interface Node {
  id: number
  parent: number | null
  /** The move or the deal. */
  action: string
  comment: string
  report: Step[]
  position: Position
}

interface State {
  start: Position
  /** A node comes after its parent; of several children the first one continues the line. */
  nodes: Node[]
  at: number | null
}

export class Tree {
  #state = $state.raw<State>(null as never)
  #undone = $state.raw<State[]>([])
  #done = $state.raw<State[]>([])
  #next = 1
  readonly names: (string | null)[]

  constructor(start: Position, names: (string | null)[] = []) {
    this.#state = { start, nodes: [], at: null }
    this.names = names
  }

  /** The moves of a record as one line. */
  static of({ start, steps, names }: Replay): Tree {
    const tree = new Tree(start, names)
    let parent: number | null = null
    const nodes = steps.map((step): Node => {
      const dealt = step.report.find((one) => one.type === 'dealt')
      const node = { id: tree.#next++, parent, action: step.move ?? dealt?.deal ?? '', comment: step.comment ?? '', report: step.report, position: step.position }
      parent = node.id
      return node
    })
    tree.#state = { start, nodes, at: null }
    return tree
  }

  get nodes(): Node[] {
    return this.#state.nodes
  }
  get current(): Node | null {
    return this.find(this.#state.at)
  }
  get position(): Position {
    return this.current?.position ?? this.#state.start
  }
  get canUndo(): boolean {
    return this.#done.length > 0
  }
  get canRedo(): boolean {
    return this.#undone.length > 0
  }

  find = (id: number | null) => this.nodes.find((node) => node.id === id) ?? null
  children = (id: number | null) => this.nodes.filter(({ parent }) => parent === id)

  go(id: number | null): void {
    this.#state = { ...this.#state, at: id }
  }

  back(): void {
    if (this.current) this.go(this.current.parent)
  }

  forward(): void {
    const [next] = this.children(this.#state.at)
    if (next) this.go(next.id)
  }

  toEnd(): void {
    for (let [next] = this.children(this.#state.at); next; [next] = this.children(next.id)) this.go(next.id)
  }

  /** The next or previous variation beside the current move. */
  beside(by: number): void {
    const { current } = this
    if (!current) return
    const all = this.children(current.parent)
    const other = all[all.indexOf(current) + by]
    if (other) this.go(other.id)
  }

  /** Plays a move or lays out a deal; one that was tried before is found again. */
  async play(action: string): Promise<StudyStep | null> {
    const [{ at }, before] = [this.#state, this.position]
    const known = this.children(at).find((node) => node.action === action)
    if (known) {
      this.go(known.id)
      return null
    }
    const step = await local.act(before.position, action)
    const again = this.children(at).find((node) => node.action === step.action)
    if (again) this.go(again.id)
    else {
      const node = { id: this.#next++, parent: at, action: step.action, comment: '', report: step.report, position: step.position }
      this.#change({ ...this.#state, nodes: [...this.nodes, node], at: node.id })
    }
    return step
  }

  /** Makes the variation of the current move the first of its siblings, one level at a time. */
  promote(): void {
    for (let node = this.current; node; node = this.find(node.parent)) {
      const [first] = this.children(node.parent)
      if (!first || first === node) continue
      const moved = node
      const rest = this.nodes.filter((other) => other !== moved)
      const to = rest.indexOf(first)
      // A node may now stand before its parent's later children, but never before its parent.
      this.#change({ ...this.#state, nodes: sorted([...rest.slice(0, to), moved, ...rest.slice(to)]) })
      return
    }
  }

  get canPromote(): boolean {
    for (let node = this.current; node; node = this.find(node.parent)) if (this.children(node.parent)[0] !== node) return true
    return false
  }

  /** Removes the current move with everything after it. */
  remove(): void {
    const { current } = this
    if (!current) return
    const gone = new Set([current.id])
    for (const { id, parent } of this.nodes) if (parent !== null && gone.has(parent)) gone.add(id)
    this.#change({ ...this.#state, nodes: this.nodes.filter(({ id }) => !gone.has(id)), at: current.parent })
  }

  comment(text: string): void {
    const { current } = this
    if (!current || current.comment === text) return
    this.#change({ ...this.#state, nodes: this.nodes.map((node) => (node === current ? { ...node, comment: text } : node)) })
  }

  undo(): void {
    const before = this.#done.at(-1)
    if (!before) return
    this.#undone = [...this.#undone, this.#state]
    this.#done = this.#done.slice(0, -1)
    this.#state = before
  }

  redo(): void {
    const after = this.#undone.at(-1)
    if (!after) return
    this.#done = [...this.#done, this.#state]
    this.#undone = this.#undone.slice(0, -1)
    this.#state = after
  }

  #change(state: State): void {
    this.#done = [...this.#done, this.#state]
    this.#undone = []
    this.#state = state
  }

  /** The tree as the module reads it. */
  form(): TreeForm {
    const places = new Map(this.nodes.map(({ id }, i) => [id, i]))
    const nodes = this.nodes.map(({ parent, action, comment }) => ({ parent: parent === null ? null : (places.get(parent) ?? null), action, comment }))
    return { start: this.#state.start.position, names: this.names, nodes }
  }
}

/** Parents before their children, otherwise in the same order. */
function sorted(nodes: Node[]): Node[] {
  const known = new Set<number | null>([null])
  const found: Node[] = []
  let left = nodes
  while (left.length > 0) {
    const ready = left.filter(({ parent }) => known.has(parent))
    if (ready.length === 0) return found
    ready.forEach(({ id }) => known.add(id))
    found.push(...ready)
    left = left.filter((node) => !ready.includes(node))
  }
  return found
}
