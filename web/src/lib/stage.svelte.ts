// The position on display. Reports wait in a queue and are animated step by step, from position to position;
// those between the steps of a move come from the module. When the queue is long, the tab is hidden or
// animations are turned off, the newest position is shown at once.

import { tick } from 'svelte'
import { bonuses, flight, type Actor, type Flight } from './flight.ts'
import { afterEachStep } from './hosts.ts'
import { isMotionOff, settings } from './settings.svelte.ts'
import type { Position, Step } from './types.ts'

interface Scene {
  report: Step[]
  /** The move that begins the report; null for a deal. */
  move: string | null
  position: Position
  then: () => void
}

/** A longer queue of reports is skipped instead of animated. */
const MAX_QUEUE_LEN = 3

/** How long the position before a repeated move is shown when animations are off. */
const REPEAT_MS = 900

export class Stage {
  shown = $state.raw<Position | null>(null)
  isPlaying = $state(false)
  /** The highlighted spaces of a wall. */
  lit = $state.raw<{ seat: number; spaces: ReadonlySet<string> } | null>(null)
  /** The seat whose wall is being tiled. */
  tiling = $state<number | null>(null)
  /** Whether there is a report to show again. */
  canRepeat = $state(false)

  #queue: Scene[] = []
  #isSkipping = false
  #actors: Actor[] = []
  /** The last scene with a report, and the position before it. */
  #last: { before: Position; scene: Scene } | null = null
  /** Called with every step when it is shown. */
  onshow: (step: Step) => void = () => {}

  /** Shows a position at once. */
  jump(position: Position): void {
    this.skip()
    for (const scene of this.#queue.splice(0)) scene.then()
    this.shown = position
  }

  /** Animates a report, then shows the position after it. Without the move, only its last step is animated. */
  play(report: Step[], position: Position, move: string | null = null, then: () => void = () => {}): void {
    this.#queue.push({ report, move, position, then })
    if (this.#queue.length > MAX_QUEUE_LEN) this.skip()
    if (!this.isPlaying) void this.#run()
  }

  /** Shows the last report once more, without sounds; with animations off, the position before it for a moment. */
  async repeat(): Promise<void> {
    const last = this.#last
    if (!last || this.isPlaying) return
    this.isPlaying = true
    this.shown = last.before
    if (isMotionOff()) await new Promise((over) => setTimeout(over, REPEAT_MS))
    await this.#animate(last.scene, () => {})
    this.#rest(last.scene.position)
    if (this.#queue.length > 0) return this.#run()
    this.isPlaying = false
    this.#isSkipping = false
  }

  /** Ends the running animation and skips the queue. */
  skip(): void {
    if (!this.isPlaying) return
    this.#isSkipping = true
    for (const actor of this.#actors) actor.finish()
  }

  async #run(): Promise<void> {
    this.isPlaying = true
    for (let scene = this.#queue.shift(); scene; scene = this.#queue.shift()) {
      if (this.#isSkipping && this.#queue.length === 0) this.#isSkipping = false
      if (this.shown && scene.report.length > 0) {
        this.#last = { before: this.shown, scene }
        this.canRepeat = true
      }
      await this.#animate(scene, this.onshow)
      this.#rest(scene.position)
      await tick()
      scene.then()
    }
    this.isPlaying = false
    this.#isSkipping = false
  }

  async #animate({ report, move, position }: Scene, onshow: (step: Step) => void): Promise<void> {
    const isLong = report.length > 1 && this.#mayAnimate()
    const between = isLong && this.shown && move ? await afterEachStep(this.shown, move) : []
    for (const [i, step] of report.entries()) {
      onshow(step)
      const after = between[i] ?? (i === report.length - 1 ? position : null)
      if (after && this.#mayAnimate()) await this.#show(step, after)
    }
  }

  #rest(position: Position): void {
    this.lit = null
    this.tiling = null
    this.shown = position
  }

  #mayAnimate(): boolean {
    return !this.#isSkipping && !document.hidden && !isMotionOff() && this.shown !== null
  }

  async #show(step: Step, after: Position): Promise<void> {
    const before = this.shown
    if (!before) return
    const pace = settings.speed === 'fast' ? 0.45 : 1
    this.lit = null
    this.tiling = step.type !== 'drafted' && 'seat' in step ? step.seat : null
    if (step.type === 'bonuses_scored') {
      for (const scene of bonuses(step, before, pace)) {
        if (!this.#isSkipping) await this.#perform(scene)
      }
      this.shown = after
      return
    }
    const scene = flight(step, before, after, pace)
    this.shown = after
    await this.#perform(scene)
  }

  async #perform(scene: Flight): Promise<void> {
    await tick()
    this.lit = scene.lit
    await tick()
    this.#actors = scene.start()
    // A background tab may never finish its animations, so wait no longer than they should take.
    await Promise.race([
      Promise.all(this.#actors.map((actor) => actor.done)),
      new Promise((over) => setTimeout(over, scene.ms + 400)),
    ])
    for (const actor of this.#actors) actor.finish()
    this.#actors = []
  }
}
