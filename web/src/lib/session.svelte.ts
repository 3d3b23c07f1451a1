// One game in one tab. Connects the messages of its host (`live`), the animated position (`stage`) and the
// player's choice (`picker`). Pages read it and call it; it holds no rules.

import { whyNot } from './boardWords.ts'
import { History } from './history.svelte.ts'
import type { Host } from './host.ts'
import { hostOf } from './hosts.ts'
import { answerToDraft, answerToPile } from './lessonAnswers.ts'
import { Live, type Update } from './live.svelte.ts'
import { legalMoves } from './moves.ts'
import { seatName } from './options.svelte.ts'
import { isDraft, Picker } from './picker.svelte.ts'
import { settings } from './settings.svelte.ts'
import { play as sound } from './sound.ts'
import { Stage } from './stage.svelte.ts'
import { stepInWords } from './stepWords.ts'
import type { Draft, Game, GameEvent, Hint, Move, ServerError } from './types.ts'
import { t, tMaybe } from './words.svelte.ts'

export class Session {
  /** The newest state from the host. */
  game = $state.raw<Game | null>(null)
  /** The state on display; older than `game` while an animation runs. */
  seen = $state.raw<Game | null>(null)
  /** The last phrase of each seat; cleared after 6 s. */
  said = $state<Record<number, string>>({})
  /** The text of the live region for screen readers. */
  news = $state('')
  problem = $state('')
  hint = $state.raw<Hint | null>(null)
  isAsking = $state(false)
  evaluation = $state.raw<Hint | null>(null)
  showsEvaluation = $state(false)

  readonly id: string
  readonly host: Host
  /** The moves that a lesson allows. The viewer of a lesson has seat 1. */
  readonly #lesson: RegExp | null
  readonly picker = new Picker()
  readonly stage = new Stage()
  readonly history = new History((seat) => this.name(seat))
  readonly live: Live
  #hasLog = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, lesson: RegExp | null = null) {
    this.id = id
    this.host = hostOf(id)
    this.#lesson = lesson
    this.picker.onplace = (to) => this.place(to)
    this.picker.mayChoose = (source, pick) => (this.problem = this.wanted ? answerToPile(this.wanted, source, pick) : '') === ''
    this.picker.onmove = (move) => this.play(move)
    this.stage.onshow = (step) => {
      sound(step)
      const text = stepInWords(step, this.name)
      if (text) this.news = text
    }
    this.live = new Live(this.host, id, this)
  }

  close(): void {
    this.live.close()
    this.stage.skip()
    clearTimeout(this.#timer)
  }

  name = (seat: number): string => seatName(this.game?.seats[seat - 1])

  /** The seat whose board is large: the viewer's, on a shared device the one to move, else seat 1. */
  get me(): number {
    if (this.#lesson || !this.seen) return 1
    const { your_seats, position } = this.seen
    if (your_seats.length > 1 && your_seats.includes(position.turn)) return position.turn
    return your_seats[0] ?? 1
  }

  /** Whether several people play on this device, so that messages must name the player. */
  get isShared(): boolean {
    return this.#lesson === null && (this.seen?.your_seats.length ?? 0) > 1
  }

  get isMyTurn(): boolean {
    const { seen, stage } = this
    if (seen === null || !seen.your_turn || stage.isPlaying || seen !== this.game || this.live.connection === 'following') return false
    return this.#lesson === null || seen.position.turn === 1
  }

  onstate(game: Game): void {
    this.game = game
    this.stage.jump(game.position)
    this.#show(game)
    if (!this.#hasLog && game.status !== 'waiting') void this.#loadLog()
  }

  onupdate({ event, report, game }: Update): void {
    this.#note(event)
    if (!game) return
    if (report.length > 0) this.history.add({ report, position: game.position, n_moves: game.n_moves })
    this.game = game
    if (report.length > 0) this.stage.play(report, game.position, game.last_move, () => this.#show(game))
    else if (event.type === 'taken_back') {
      this.stage.jump(game.position)
      this.#show(game)
      void this.#loadLog()
    } else if (this.stage.isPlaying) this.stage.play([], game.position, null, () => this.#show(game))
    else this.#show(game)
  }

  onerror(error: ServerError): void {
    this.problem = tMaybe(`error.${error.code}`) ?? error.message
    this.news = this.problem
    if (this.seen) this.#offer(this.seen)
  }

  /** Loads the legal moves into the picker. */
  #offer(game: Game): void {
    this.picker.load(legalMoves(game), game.blocked)
  }

  get isLesson(): boolean {
    return this.#lesson !== null
  }

  /** The drafts that a lesson asks for; null in a game. */
  get wanted(): Draft[] | null {
    const lesson = this.#lesson
    return lesson && this.picker.moves.filter(isDraft).filter(({ move }) => lesson.test(move))
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
    // After an animation the game may already be over, and have no evaluation.
    if (this.showsEvaluation && this.game?.status === 'playing') void this.evaluate()
  }

  /** Plays a move; asks for confirmation first if the settings say so. */
  play(move: Move, isConfirmed = false): void {
    if (!this.isMyTurn || this.live.hasPending) return
    if (settings.confirm && !isConfirmed) {
      this.picker.variants = []
      this.picker.unconfirmed = move
      return
    }
    const seat = 'seat' in move.step ? move.step.seat : this.me
    this.picker.load([], [])
    this.picker.pending = move
    this.live.play(move.move, seat)
  }

  /** Puts the chosen tiles on a line, if a legal move does that. */
  place(to: string): void {
    const moves = this.picker.movesTo(to)
    const [only] = moves
    if (!only) {
      this.problem = this.picker.isChoosing ? whyNot(this.picker, Number(to)) || this.problem : t('why.chooseFirst')
      return
    }
    this.problem = this.wanted ? answerToDraft(this.wanted, only) : ''
    if (this.problem) return
    this.picker.to = to
    if (moves.length > 1) this.picker.variants = moves
    else this.play(only)
  }

  async askHint(): Promise<void> {
    if (this.isAsking || !this.isMyTurn) return
    this.isAsking = true
    try {
      const found = await this.host.hint(this.id)
      if (found.number === this.game?.number) this.hint = found
    } catch (failure) {
      this.problem = (failure as Error).message
    }
    this.isAsking = false
  }

  async evaluate(): Promise<void> {
    const found = await this.host.evaluation(this.id).catch(() => null)
    // An answer about an earlier position is not shown.
    if (found === null || found.number === this.game?.number) this.evaluation = found
  }

  /** The evaluation of the position on display, if it is asked for. */
  get judgement(): Hint | null {
    return this.showsEvaluation && this.evaluation?.number === this.seen?.number ? this.evaluation : null
  }

  takeBack(): void {
    this.live.send({ type: 'takeback' })
  }

  /** Loads the moves played before this tab was opened. */
  async #loadLog(): Promise<void> {
    this.#hasLog = true
    this.#hasLog = await this.history.load(() => this.host.replay(this.id))
  }

  #note(event: GameEvent): void {
    const text = this.#eventInWords(event)
    if (!text) return
    this.history.note(text)
    this.news = text
  }

  #eventInWords(event: GameEvent): string | null {
    switch (event.type) {
      case 'joined':
        return t('log.joined', { name: event.name })
      case 'left':
        return t(event.why === 'resigned' ? 'log.left' : 'log.timedOut', { name: this.name(event.seat) })
      case 'closed':
        return t(event.why === 'too_long' ? 'end.by.too_long' : 'log.closed')
      case 'paused':
        return t('log.paused')
      case 'taken_back':
        return t('takeback.done', { name: this.name(event.seat) })
      case 'takeback_asked':
        return t('takeback.asked', { name: this.name(event.seat) })
      case 'said': {
        const phrase = tMaybe(`phrase.${event.phrase}`) ?? event.phrase
        this.said[event.seat] = phrase
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => (this.said = {}), 6_000)
        return t('log.said', { name: this.name(event.seat), phrase })
      }
      default:
        return null
    }
  }
}
