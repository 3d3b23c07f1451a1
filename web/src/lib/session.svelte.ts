// One game on one screen: what the server tells (`live`), what is shown of it (`stage`), and what the
// person chooses (`picker`), tied together. Pages read it and call it; it holds no rules.

import { evaluation, hint, replay } from './api.ts'
import { Live, type Happening } from './live.svelte.ts'
import { Picker } from './picker.svelte.ts'
import { settings } from './settings.svelte.ts'
import { play as sound } from './sound.ts'
import { Stage } from './stage.svelte.ts'
import { seatName, tell } from './story.ts'
import type { Fact, Game, Hint, Move, ServerError } from './types.ts'
import { t, tMaybe } from './words.svelte.ts'

/** A line of the log. */
export interface Entry {
  key: string
  text: string
  seat: number | null
  kind: 'round' | 'move' | 'score' | 'note'
}

/** What a lesson changes: whose board is large, and which moves there are. */
export interface Frame {
  me: number
  allows: (move: Move) => boolean
}

export class Session {
  /** The newest state. */
  game = $state.raw<Game | null>(null)
  /** The state that is shown; older than the newest while tiles fly. */
  seen = $state.raw<Game | null>(null)
  log = $state.raw<Entry[]>([])
  /** The last phrase of each seat, for a moment. */
  said = $state<Record<number, string>>({})
  /** What a screen reader says next. */
  news = $state('')
  problem = $state('')
  hint = $state.raw<Hint | null>(null)
  isAsking = $state(false)
  evaluation = $state.raw<Hint | null>(null)
  showsEvaluation = $state(false)

  readonly id: string
  readonly #frame: Frame | null
  readonly picker = new Picker()
  readonly stage = new Stage()
  readonly live: Live
  #hasLog = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, frame: Frame | null = null) {
    this.id = id
    this.#frame = frame
    this.stage.onshow = (event) => {
      sound(event)
      const text = tell(event, this.name)
      if (text) this.news = text
    }
    this.live = new Live(id, this)
  }

  close(): void {
    this.live.close()
    this.stage.skip()
    clearTimeout(this.#timer)
  }

  name = (seat: number): string => seatName(this.game?.seats[seat - 1])

  /** The seat whose board is large: the one that plays here, or the first. */
  get me(): number {
    const { seen } = this
    if (this.#frame) return this.#frame.me
    if (!seen) return 1
    const { your_seats, position } = seen
    if (your_seats.length > 1 && your_seats.includes(position.turn)) return position.turn
    return your_seats[0] ?? 1
  }

  /** Whether several people play at this screen, so that their names have to be said. */
  get isShared(): boolean {
    return this.#frame === null && (this.seen?.your_seats.length ?? 0) > 1
  }

  get isMyTurn(): boolean {
    const { seen, stage } = this
    if (seen === null || !seen.your_turn || stage.isPlaying || seen !== this.game) return false
    return this.#frame === null || seen.position.turn === this.#frame.me
  }

  onstate(game: Game): void {
    this.game = game
    this.stage.jump(game.position)
    this.#show(game)
    if (!this.#hasLog && game.status !== 'waiting') void this.#loadLog()
  }

  onevent(happening: Happening): void {
    const { fact, report, game, number } = happening
    this.#note(fact, number)
    this.#write(report, number)
    if (!game) return
    this.game = game
    if (report.length > 0) this.stage.play(report, game.position, () => this.#show(game))
    else if (fact.type === 'taken_back') {
      this.stage.jump(game.position)
      this.#show(game)
      void this.#loadLog()
    } else if (this.stage.isPlaying) this.stage.play([], game.position, () => this.#show(game))
    else this.#show(game)
  }

  onerror(error: ServerError): void {
    this.problem = tMaybe(`error.${error.code}`) ?? error.message
    this.news = this.problem
    if (this.seen) this.#offer(this.seen)
  }

  /** Lets the person choose among the moves there are. */
  #offer(game: Game): void {
    const { moves, blocked } = game
    this.picker.load(this.#frame ? moves.filter(this.#frame.allows) : moves, blocked)
  }

  #show(game: Game): void {
    const isNew = this.seen?.number !== game.number
    this.seen = game
    this.stage.shown = game.position
    if (!isNew) return
    this.problem = ''
    this.hint = null
    this.#offer(game)
    if (game.your_turn) sound('turn')
    if (this.showsEvaluation) void this.evaluate()
  }

  /** Plays a move, after a second yes if the person wants to be asked. */
  play(move: Move, isSure = false): void {
    if (!this.isMyTurn || this.live.n_waiting > 0) return
    if (settings.confirm && !isSure) {
      this.picker.variants = []
      this.picker.waiting = move
      return
    }
    const seat = 'seat' in move.event ? move.event.seat : this.me
    this.picker.load([], [])
    this.live.play(move.move, seat)
  }

  /** A line was chosen for the chosen pile. */
  place(to: string): void {
    const moves = this.picker.movesTo(to)
    const [only] = moves
    if (!only) {
      const why = this.picker.pick === null ? undefined : this.picker.whyNot(Number(to))
      if (why) this.problem = tMaybe(`why.${why.code}`, { n: to }) ?? t('why.other')
      return
    }
    this.problem = ''
    this.picker.to = to
    if (moves.length > 1) this.picker.variants = moves
    else this.play(only)
  }

  async askHint(): Promise<void> {
    if (this.isAsking || !this.isMyTurn) return
    this.isAsking = true
    try {
      const found = await hint(this.id)
      if (found.number === this.game?.number) this.hint = found
    } catch (failure) {
      this.problem = (failure as Error).message
    }
    this.isAsking = false
  }

  async evaluate(): Promise<void> {
    try {
      this.evaluation = await evaluation(this.id)
    } catch {
      this.evaluation = null
    }
  }

  takeBack(): void {
    this.live.send({ type: 'takeback' })
  }

  /** What happened before this screen was here. */
  async #loadLog(): Promise<void> {
    this.#hasLog = true
    try {
      const { steps } = await replay(this.id)
      this.log = []
      steps.forEach((step, i) => this.#write(step.report, -1000 + i))
    } catch {
      this.#hasLog = false
    }
  }

  #write(report: Happening['report'], number: number): void {
    const entries = report.flatMap((event, i): Entry[] => {
      const text = tell(event, this.name)
      if (!text) return []
      const kind = event.event === 'dealt' ? 'round' : event.event === 'drafted' ? 'move' : 'score'
      return [{ key: `${number}.${i}`, text, seat: 'seat' in event ? event.seat : null, kind }]
    })
    if (entries.length > 0) this.log = [...this.log, ...entries]
  }

  #note(fact: Fact, number: number): void {
    const text = this.#factInWords(fact)
    if (!text) return
    this.log = [...this.log, { key: `n${number}`, text, seat: null, kind: 'note' }]
    this.news = text
  }

  #factInWords(fact: Fact): string | null {
    switch (fact.type) {
      case 'joined':
        return t('log.joined', { name: fact.name })
      case 'left':
        return t(fact.why === 'resigned' ? 'log.left' : 'log.timedOut', { name: this.name(fact.seat) })
      case 'closed':
        return t('log.closed')
      case 'taken_back':
        return t('takeback.done', { name: this.name(fact.seat) })
      case 'takeback_asked':
        return t('takeback.asked', { name: this.name(fact.seat) })
      case 'said': {
        const phrase = tMaybe(`phrase.${fact.phrase}`) ?? fact.phrase
        this.said[fact.seat] = phrase
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => (this.said = {}), 6_000)
        return t('log.said', { name: this.name(fact.seat), phrase })
      }
      default:
        return null
    }
  }
}
