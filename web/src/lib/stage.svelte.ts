// What is shown on the table. Reports of the server wait in a queue and are played one event after
// the other; the table shows the position between them. When somebody is in a hurry, looks away, or
// does not want to see tiles fly, the newest position is shown at once.

import { tick } from 'svelte'
import { apply } from './apply.ts'
import { bonuses, flight, type Actor, type Flight } from './flight.ts'
import { isStill, settings } from './settings.svelte.ts'
import type { Position, TableEvent } from './types.ts'

interface Scene {
  report: TableEvent[]
  position: Position
  then: () => void
}

/** A queue of more scenes than this is not played but skipped to its last one. */
const PATIENCE = 3

export class Stage {
  shown = $state.raw<Position | null>(null)
  isPlaying = $state(false)
  /** The spaces of a wall that are lit up, by seat. */
  lit = $state.raw<{ seat: number; spaces: ReadonlySet<string> } | null>(null)

  #queue: Scene[] = []
  #isSkipping = false
  #actors: Actor[] = []
  /** Called with every event as it is shown. */
  onshow: (event: TableEvent) => void = () => {}

  /** Shows a position at once. */
  jump(position: Position): void {
    this.skip()
    for (const scene of this.#queue.splice(0)) scene.then()
    this.shown = position
  }

  /** Plays a report, then shows the position that it led to. */
  play(report: TableEvent[], position: Position, then: () => void = () => {}): void {
    this.#queue.push({ report, position, then })
    if (this.#queue.length > PATIENCE) this.skip()
    if (!this.isPlaying) void this.#run()
  }

  /** Goes to the end of everything that is waiting. */
  skip(): void {
    if (!this.isPlaying) return
    this.#isSkipping = true
    for (const actor of this.#actors) actor.finish()
  }

  async #run(): Promise<void> {
    this.isPlaying = true
    for (let scene = this.#queue.shift(); scene; scene = this.#queue.shift()) {
      if (this.#isSkipping && this.#queue.length === 0) this.#isSkipping = false
      for (const event of scene.report) {
        this.onshow(event)
        if (this.#mayFly()) await this.#show(event)
      }
      this.lit = null
      this.shown = scene.position
      await tick()
      scene.then()
    }
    this.isPlaying = false
    this.#isSkipping = false
  }

  #mayFly(): boolean {
    return !this.#isSkipping && !document.hidden && !isStill() && this.shown !== null
  }

  async #show(event: TableEvent): Promise<void> {
    const before = this.shown
    if (!before) return
    const pace = settings.speed === 'fast' ? 0.45 : 1
    const after = apply(before, event)
    this.lit = null
    if (event.event === 'bonuses_scored') {
      for (const scene of bonuses(event, before, pace)) {
        if (!this.#isSkipping) await this.#perform(scene)
      }
      this.shown = after
      return
    }
    const scene = flight(event, before, after, pace)
    this.shown = after
    await this.#perform(scene)
  }

  async #perform(scene: Flight): Promise<void> {
    await tick()
    this.lit = scene.lit
    await tick()
    this.#actors = scene.start()
    // A tab in the background may hold animations back for ever: never wait longer than they last.
    await Promise.race([
      Promise.all(this.#actors.map((actor) => actor.done)),
      new Promise((over) => setTimeout(over, scene.ms + 400)),
    ])
    for (const actor of this.#actors) actor.finish()
    this.#actors = []
  }
}
