// The layout of the table over the matrix of sizes: everything for a move fits, and nothing is tiny.

import { expect, test } from 'vitest'
import { factoryCount, isPhone, layout, pictureLayout, PLATE, type Plan } from './layout.ts'

/** The space of the table: the window without the bar at the top. */
const SIZES: [number, number, boolean][] = [
  [1280, 720, false],
  [1366, 768, false],
  [1440, 900, false],
  [1920, 1080, false],
  [2560, 1080, false],
  [3440, 1440, false],
  [768, 1024, true],
  [1024, 768, true],
  [390, 664, true],
  [360, 640, true],
  [844, 390, true],
]
const BAR = 48
const each = SIZES.flatMap(([w, h, touch]) => [2, 3, 4].map((players) => [w, h, players, touch] as const))

const used = (plan: Plan) => {
  const board = (cell: number) => 12.44 * cell
  if (plan.template === 'beside' || plan.template === 'below') return plan.offer + 14 + board(plan.cell) + plan.panel
  if (plan.template === 'column') return plan.offer + 28 + board(plan.cell) + board(plan.other) + plan.panel
  return null
}

test.each(each)('%i x %i, %i players: all of it fits', (width, height, players, isTouch) => {
  const plan = layout(width, height - (height < 700 ? 44 : BAR), players, isTouch)
  expect(plan.height).toBeLessThanOrEqual(height - (height < 700 ? 44 : BAR))
  if (isPhone(plan)) {
    expect(plan.row).toBeGreaterThanOrEqual(44)
    expect(plan.offer).toBeGreaterThanOrEqual(44)
    expect(plan.cell).toBeGreaterThanOrEqual(24)
    return
  }
  const plate = plan.offer * (PLATE[factoryCount(players)] ?? 0)
  // A quarter of a factory is the target of one tile.
  if (isTouch) expect([plan.row >= 44, plate / 2 >= 44]).toEqual([true, true])
  expect(plan.cell).toBeGreaterThanOrEqual(30)
  expect(plan.other).toBeGreaterThanOrEqual(14)
})

test.each(each.filter(([w]) => w >= 1280))('%i x %i, %i players: a side panel, and at most a fifth of the width is empty', (width, height, players, isTouch) => {
  const plan = layout(width, height - BAR, players, isTouch)
  expect(plan.panel).toBeGreaterThanOrEqual(260)
  expect((used(plan) ?? 0) / width).toBeGreaterThan(0.8)
})

test('a larger window never has smaller tiles on the viewer’s board', () => {
  for (const players of [2, 3, 4]) {
    const cells = [[1280, 720], [1440, 900], [1920, 1080], [2560, 1440], [3840, 2160]].map(([w = 0, h = 0]) => layout(w, h - BAR, players, false).cell)
    expect(cells).toEqual([...cells].sort((a, b) => a - b))
  }
})

test('the smallest phone scrolls at most for the other boards', () => {
  for (const players of [2, 3, 4]) expect(layout(320, 568 - 44, players, true).height - 50).toBeLessThanOrEqual(568 - 44)
})

test('a picture shows whole boards in any frame, and nothing for a finger', () => {
  for (const [width, height] of [[292, 384], [358, 384], [540, 420], [780, 420], [890, 600]] as const) {
    const plan = pictureLayout(width, height, 2)
    expect([isPhone(plan), plan.status, plan.hasStock]).toEqual([false, 0, false])
    expect(plan.height).toBeLessThanOrEqual(height)
  }
})
