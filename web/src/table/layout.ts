// Where everything at the table goes: one pure function from the size of the space to an arrangement and the
// sizes in it. The arrangements are tried one after the other, and the one with the largest tiles wins. CSS
// only draws the result (`Table.svelte`).

/**
 * `beside`: factories on the left, boards on the right, the other boards below the viewer's.
 * `column`: the other boards in a column of their own.
 * `below`: the other boards in a row below factories and board.
 * `corner`: factories and other boards above, the viewer's board below (tablet, upright).
 * `phone`, `phone-wide`: a factory is one target, and the other boards are summaries.
 */
export type Template = 'beside' | 'column' | 'below' | 'corner' | 'phone' | 'phone-wide'

/** All sizes in pixels. */
export interface Plan {
  template: Template
  /** A tile on the viewer's board. */
  cell: number
  /** The height of a pattern line on the viewer's board, which is also a touch target. */
  row: number
  /** A tile on the other boards; 0 if they are summaries. */
  other: number
  /** The side of the square with the factories; on a phone, the diameter of a factory. */
  offer: number
  /** The height of the space for what to do now. */
  status: number
  /** The width of the side panel; 0 if it is a drawer. */
  panel: number
  /** The height that all of it needs: more than there is if even the smallest arrangement does not fit. */
  height: number
  /** Whether there is room for bag and lid below the factories. */
  hasStock: boolean
}

export const isPhone = ({ template }: Plan) => template === 'phone' || template === 'phone-wide'

/** The share of the offer's side that the diameter of a factory and the side of one of its tiles take. */
export const PLATE: Record<number, number> = { 5: 0.27, 7: 0.25, 9: 0.225 }
const TILE_OF_PLATE = 0.33

const GAP = 14
const MARGIN = 10
/** What else needs room: bag and lid below the factories, and the space for what to do now. A picture has neither. */
interface Extras {
  stock: number
  status: number
}
const GAME: Extras = { stock: 72, status: 78 }
const PICTURE: Extras = { stock: 0, status: 0 }
/** Head of the viewer's board and of another board. */
const HEAD = 30
const HEAD_OTHER = 22
/** Width and height of a board without its head, in tiles; a touch screen needs higher lines. */
const BOARD_WIDTH = 12.44
const BOARD_HEIGHT = 7.1
const MIN_TARGET = 44

const MAX_CELL = 100
const MIN_CELL = 16
/** The least sizes compared with a tile on the viewer's board. */
const FACTORY_TILE = 0.8
const OTHER_TILE = [0, 0, 0.5, 0.42, 0.38]
/** Other boards stay smaller than the viewer's. */
const MAX_OTHER_TILE = 0.78

/** From this width on the panel stays beside the table. */
const MIN_DOCKED_WIDTH = 1_160

export const factoryCount = (players: number) => 2 * players + 1

const boardWidth = (cell: number) => BOARD_WIDTH * cell
const rowHeight = (cell: number, isTouch: boolean) => Math.max(1.06 * cell, isTouch ? MIN_TARGET : 0)

function boardHeight(cell: number, isTouch: boolean): number {
  const lines = 5 * (rowHeight(cell, isTouch) - 1.06 * cell)
  const floor = Math.max(0, (isTouch ? MIN_TARGET : 0) - 0.95 * cell)
  return HEAD + BOARD_HEIGHT * cell + lines + floor
}

/** The largest tile of another board in a space, and the height of a board with such tiles. */
const otherIn = (width: number, height: number) => Math.floor(Math.min(width / BOARD_WIDTH, (height - HEAD_OTHER) / BOARD_HEIGHT))
const otherHeight = (cell: number) => HEAD_OTHER + BOARD_HEIGHT * cell

/** The arrangement for a space, a number of players and a kind of pointer. */
export function layout(width: number, height: number, players: number, isTouch: boolean): Plan {
  if (width >= MIN_DOCKED_WIDTH && height >= 480) {
    const panel = Math.round(Math.min(420, Math.max(264, width * 0.19)))
    const docked = best(width - panel - GAP, height, players, isTouch, GAME)
    if (docked && docked.cell >= 30 && docked.other >= 14) return { ...docked, panel }
  }
  const isSmall = width < 600 || height < 470
  return (!isSmall && best(width, height, players, isTouch, GAME)) || phone(width, height, players)
}

/** The arrangement for a table that is only looked at, of any size. */
export const pictureLayout = (width: number, height: number, players: number): Plan => best(width, height - MARGIN, players, false, PICTURE) ?? phone(width, height, players)

function best(width: number, height: number, players: number, isTouch: boolean, extras: Extras): Plan | null {
  let found: Plan | null = null
  const score = ({ cell, other, offer }: Plan) => 2 * cell + other + offer * tileShare(players)
  for (const template of ['beside', 'column', 'below', 'corner'] as const) {
    const plan = largest(template, width - 2 * MARGIN, height - MARGIN, players, isTouch, extras)
    if (plan && (!found || score(plan) > score(found))) found = plan
  }
  return found
}

const tileShare = (players: number) => (PLATE[factoryCount(players)] ?? 0.27) * TILE_OF_PLATE

/** The arrangement with the largest tiles on the viewer's board in which nothing else is too small. */
function largest(template: 'beside' | 'column' | 'below' | 'corner', width: number, height: number, players: number, isTouch: boolean, { stock, status }: Extras): Plan | null {
  const n = players - 1
  for (let cell = MAX_CELL; cell >= MIN_CELL; cell--) {
    const mine = { width: boardWidth(cell), height: status + boardHeight(cell, isTouch) }
    const least = (FACTORY_TILE * cell) / tileShare(players)
    let offer = 0
    let other = 0
    const cap = (size: number) => Math.min(size, Math.floor(cell * MAX_OTHER_TILE))
    switch (template) {
      case 'beside':
        other = cap(otherIn((mine.width - (n - 1) * GAP) / n, height - mine.height - GAP))
        offer = Math.min(width - mine.width - GAP, height - stock)
        break
      case 'column':
        if (mine.height > height) continue
        other = cap(otherIn(width - mine.width - least - 2 * GAP, (height - (n - 1) * GAP) / n))
        offer = Math.min(width - mine.width - boardWidth(other) - 2 * GAP, height - stock)
        break
      case 'below':
        other = cap(otherIn((width - (n - 1) * GAP) / n, height - Math.max(mine.height, least + stock) - GAP))
        offer = Math.min(width - mine.width - GAP, height - stock - otherHeight(other) - GAP)
        break
      case 'corner': {
        if (mine.width > width) continue
        const above = height - mine.height - GAP
        other = cap(otherIn(width - least - GAP, (above - (n - 1) * GAP) / n))
        offer = Math.min(width - boardWidth(other) - GAP, above)
        break
      }
    }
    // Larger factories would only push the boards away.
    offer = Math.floor(Math.min(offer, (1.3 * cell) / tileShare(players)))
    if (offer < least || other < (OTHER_TILE[players] ?? 0.38) * cell) continue
    return { template, cell, row: rowHeight(cell, isTouch), other, offer, status, panel: 0, height: height + MARGIN, hasStock: stock > 0 && template !== 'corner' }
  }
  return null
}

/** The number of factories in a row on a phone. */
export const shelfWidth = (factories: number) => (factories > 5 ? Math.ceil(factories / 2) : factories)

function phone(width: number, height: number, players: number): Plan {
  const n = factoryCount(players)
  const isWide = width > height
  if (isWide) {
    const cell = Math.floor(Math.min(40, (width * 0.58 - 12) / 11.5))
    const offer = Math.floor(Math.min(height - SLOT - 8, width - 11.5 * cell - 36))
    const needed = STRIP_WIDE + STATUS_WIDE + 6 * MIN_TARGET + 8
    return { template: 'phone-wide', cell, row: MIN_TARGET, other: 0, offer, status: STATUS_WIDE, panel: 0, height: Math.max(height, needed), hasStock: false }
  }
  const cell = Math.floor(Math.min(42, (width - 18) / 11.5))
  const inRow = shelfWidth(n)
  const shelves = n > inRow ? 2 : 1
  const needed = (status: number, plate: number) => STRIP + shelves * (plate + 4) + 2 * SLOT + status + 6 * MIN_TARGET + 12
  const status = needed(58, 54) <= height ? 58 : 40
  const plate = Math.floor(Math.min(80, (width - 16 - (inRow - 1) * 4) / inRow, (height - needed(status, 0)) / shelves))
  const offer = Math.max(46, plate)
  // Spare height makes the lines higher, up to a point.
  const row = Math.max(MIN_TARGET, Math.min(54, MIN_TARGET + Math.floor((height - needed(status, offer)) / 7)))
  return { template: 'phone', cell, row, other: 0, offer, status, panel: 0, height: Math.max(height, needed(status, offer)), hasStock: false }
}

/** The colors of a factory or of the center on a phone, and the summaries of the players. */
const SLOT = 48
const STRIP = 50
/** On its side, a phone has room for one line. */
const STATUS_WIDE = 24
const STRIP_WIDE = 48
