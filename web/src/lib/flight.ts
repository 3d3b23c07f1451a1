// The animation of a step (FLIP technique): the places of the moving tiles are measured before the table
// changes; afterwards copies fly from there to the new places, which stay hidden until the copies land.

import type { BonusesScored, Drafted, Placed, Position, Step } from './types.ts'

/** A running animation. */
export interface Actor {
  done: Promise<unknown>
  finish(): void
}

export interface Flight {
  /** The longest time that it takes. */
  ms: number
  lit: { seat: number; spaces: ReadonlySet<string> } | null
  /** Called when the table shows the position after the step. */
  start(): Actor[]
}

interface Leg {
  from: DOMRect
  look: HTMLElement
  /** The new place, as a selector; without one the tile fades away. */
  to: string | null
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const tilesIn = (selector: string) => [...document.querySelectorAll<HTMLElement>(`${selector} .tile`)]

/** The animation of a step. */
export function flight(step: Step, before: Position, after: Position, pace: number): Flight {
  switch (step.type) {
    case 'drafted':
      return drafted(step, before, after, pace)
    case 'placed':
      return placed(step, after, pace)
    case 'spilled':
      return fly(tilesIn(`[data-spot^="s${step.seat}-l${step.row}-"]`).map((tile) => leg(tile, null)), 450 * pace)
    case 'floor_cleared': {
      if (step.n_spaces === 0) return fly([], 0)
      const legs = tilesIn(`[data-seat="${step.seat}"] .floor`).map((tile) => leg(tile, null))
      return fly(legs, 600 * pace, bubble(`[data-seat="${step.seat}"] .floor`, `−${step.loss}`, 'bad', 900 * pace))
    }
    case 'dealt':
      return dealt(pace)
    default:
      return fly([], 0)
  }
}

/** The animation of a seat's bonuses: rows, columns and colors one after the other. */
export function bonuses({ seat, bonuses }: BonusesScored, before: Position, pace: number): Flight[] {
  const { rows, columns, colors } = lines(before.boards[seat - 1]?.wall ?? [])
  return [
    { points: bonuses.row_points, spaces: rows },
    { points: bonuses.column_points, spaces: columns },
    { points: bonuses.color_points, spaces: colors },
  ]
    .filter(({ points }) => points > 0)
    .map(({ points, spaces }) => ({
      ...fly([], 0, bubble(`[data-spot="s${seat}-score"]`, `+${points}`, 'good', 1_200 * pace)),
      lit: { seat, spaces },
    }))
}

/** The spaces of the full rows, the full columns and the complete colors of a wall. */
export function lines(wall: string[]): Record<'rows' | 'columns' | 'colors', ReadonlySet<string>> {
  const all = [1, 2, 3, 4, 5].flatMap((row) => [1, 2, 3, 4, 5].map((column) => ({ row, column, tile: wall[row - 1]?.[column - 1] ?? '.' })))
  const full = (key: 'row' | 'column' | 'tile') =>
    new Set(
      all
        .filter((space) => space.tile !== '.' && all.filter((other) => other.tile !== '.' && other[key] === space[key]).length === 5)
        .filter((space) => key !== 'tile' || space.tile !== 'J')
        .map(({ row, column }) => `${row}.${column}`),
    )
  return { rows: full('row'), columns: full('column'), colors: full('tile') }
}

function drafted(step: Drafted, before: Position, after: Position, pace: number): Flight {
  const { seat } = step
  const tiles = tilesIn(`[data-source="${step.source}"]`)
  const board = before.boards[seat - 1]
  const onLine = board?.lines[Number(step.to) - 1]?.tiles.length ?? 0
  const onFloor = (board?.floor.length ?? 0) + (after.boards[seat - 1]?.has_marker ? 1 : 0)
  const legs: Leg[] = []
  const send = (letters: string, to: (letter: string, i: number) => string | null) =>
    [...letters].forEach((letter, i) => {
      const at = tiles.findIndex((tile) => tile.dataset.tile === letter)
      const [tile] = at < 0 ? [] : tiles.splice(at, 1)
      if (tile) legs.push(leg(tile, to(letter, i)))
    })
  send(step.into_line, (_, i) => `[data-spot="s${seat}-l${step.to}-${onLine + i}"] .tile`)
  send(step.to_floor, (_, i) => `[data-spot="s${seat}-f-${onFloor + i}"] .tile`)
  send(step.to_lid, () => null)
  send(step.to_center, (letter) => `[data-source="0"] .tile[data-tile="${letter}"]`)
  const marker = find('[data-spot="marker"] .tile')
  if (step.takes_marker && marker) legs.push(leg(marker, `[data-seat="${seat}"] .floor .tile.marker`))
  return fly(legs, 520 * pace)
}

function placed(step: Placed, after: Position, pace: number): Flight {
  const { seat, row, column } = step
  const [first, ...rest] = tilesIn(`[data-spot^="s${seat}-l${row}-"]`).reverse()
  const legs: Leg[] = rest.map((tile) => leg(tile, null))
  const spot = `[data-spot="s${seat}-w${row}-${column}"]`
  if (first) legs.push(leg(first, `${spot} .tile`))
  return {
    ...fly(legs, 620 * pace, bubble(spot, `+${step.points}`, 'good', 1_000 * pace)),
    lit: { seat, spaces: run(after.boards[seat - 1]?.wall ?? [], row, column) },
  }
}

/** The horizontal and vertical runs through a space, which are what a placement scores. */
export function run(wall: string[], row: number, column: number): ReadonlySet<string> {
  const has = (r: number, c: number) => (wall[r - 1]?.[c - 1] ?? '.') !== '.'
  const walk = (dr: number, dc: number) => {
    const found: string[] = []
    for (let r = row + dr, c = column + dc; has(r, c); r += dr, c += dc) found.push(`${r}.${c}`)
    return found
  }
  return new Set([`${row}.${column}`, ...walk(0, 1), ...walk(0, -1), ...walk(1, 0), ...walk(-1, 0)])
}

function dealt(pace: number): Flight {
  const from = find('[data-spot="bag"]')?.getBoundingClientRect() ?? find('.center')?.getBoundingClientRect()
  return {
    ms: 900 * pace,
    lit: null,
    start: () => {
      return tilesIn('.factory').map((tile, i) => {
        const to = tile.getBoundingClientRect()
        const x = from ? from.x + from.width / 2 - (to.x + to.width / 2) : 0
        const y = from ? from.y + from.height / 2 - (to.y + to.height / 2) : -40
        const animation = tile.animate(
          [
            { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 0 },
            { opacity: 1, offset: 0.3 },
            { transform: 'none', opacity: 1 },
          ],
          { duration: 380 * pace, delay: i * 14 * pace, easing: 'cubic-bezier(.2,.8,.3,1)', fill: 'backwards' },
        )
        return actor(animation, () => {})
      })
    },
  }
}

/** An animation and what happens when it has ended or is skipped. */
function actor(animation: Animation, land: () => void): Actor {
  return { done: animation.finished.then(land, land), finish: () => (animation.cancel(), land()) }
}

function leg(tile: HTMLElement, to: string | null): Leg {
  return { from: tile.getBoundingClientRect(), look: tile.cloneNode(true) as HTMLElement, to }
}

/** Copies fly from the old places of the tiles to the new ones. */
function fly(legs: Leg[], ms: number, more?: () => Actor[]): Flight {
  return {
    ms: ms + (more ? 800 : 0),
    lit: null,
    start: () => {
      const taken = new Set<Element>()
      const actors = legs.map((leg, i) => {
        const target = leg.to === null ? null : ([...document.querySelectorAll<HTMLElement>(leg.to)].find((el) => !taken.has(el)) ?? find(leg.to))
        if (target) taken.add(target)
        return travel(leg, target, ms, i)
      })
      return more ? [...actors, ...more()] : actors
    },
  }
}

function travel({ from, look: clone }: Leg, target: HTMLElement | null, ms: number, i: number): Actor {
  clone.classList.add('flying')
  Object.assign(clone.style, { left: `${from.x}px`, top: `${from.y}px`, width: `${from.width}px` })
  document.body.append(clone)
  const to = target?.getBoundingClientRect()
  if (target) target.style.visibility = 'hidden'
  const [x, y, scale] = to ? [to.x - from.x, to.y - from.y, to.width / from.width] : [0, 14, 0.6]
  const animation = clone.animate(
    to
      ? [
          { transform: 'none' },
          { transform: `translate(${x * 0.5}px, ${y * 0.5 - 16}px) scale(${(1 + scale) / 2 + 0.12})`, offset: 0.5 },
          { transform: `translate(${x}px, ${y}px) scale(${scale})` },
        ]
      : [
          { transform: 'none', opacity: 1 },
          { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0 },
        ],
    { duration: ms, delay: i * 25, easing: 'cubic-bezier(.3,.1,.25,1)', fill: 'both' },
  )
  return actor(animation, () => {
    clone.remove()
    if (target) target.style.visibility = ''
  })
}

/** A number that rises from a place and fades. */
function bubble(spot: string, text: string, kind: 'good' | 'bad', ms: number): () => Actor[] {
  return () => {
    const at = find(spot)?.getBoundingClientRect()
    if (!at) return []
    const element = document.createElement('div')
    element.className = `bubble ${kind}`
    element.setAttribute('aria-hidden', 'true')
    element.textContent = text
    Object.assign(element.style, { left: `${at.x + at.width / 2}px`, top: `${at.y}px` })
    document.body.append(element)
    const animation = element.animate(
      [
        { transform: 'translate(-50%, 10%) scale(0.7)', opacity: 0 },
        { transform: 'translate(-50%, -60%) scale(1)', opacity: 1, offset: 0.25 },
        { transform: 'translate(-50%, -80%) scale(1)', opacity: 1, offset: 0.75 },
        { transform: 'translate(-50%, -120%) scale(1)', opacity: 0 },
      ],
      { duration: ms, fill: 'both', easing: 'ease-out' },
    )
    return [actor(animation, () => element.remove())]
  }
}
