// Screenshots of the table at all sizes, players, themes and moments, each checked: nothing cut, nothing
// overlapping, no sideways scroll, targets large enough, everything for a move in view. They go to
// `web/screenshots/matrix`, which is not committed. `layout.e2e.ts` checks a sample of them.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hosted } from './harness.ts'
import { faults, look, MOMENTS, prepare, type Prepared, SIZES } from './looks.ts'

const { host, browser } = hosted()
const folder = join(import.meta.dirname, '../screenshots/matrix')
const only = process.env.ONLY ?? ''
let prepared: Prepared

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  prepared = await prepare(browser(), host, [2, 3, 4])
})

const cases = SIZES.flatMap((size) =>
  [2, 3, 4].flatMap((n) =>
    (['light', 'dark'] as const).flatMap((theme) => MOMENTS.map((moment) => ({ name: `${size.width}x${size.height}-${n}-${moment}-${theme}`, size, n, theme, moment }))),
  ),
)

test.each(cases.filter(({ name }) => new RegExp(only).test(name)))('$name', async ({ name, size, n, theme, moment }) => {
  const { page, errors, close } = await look(browser(), host, prepared, size, n, moment, { colorScheme: theme })
  await page.screenshot({ path: join(folder, `${name}.png`) })
  expect(await faults(page, size, moment)).toEqual([])
  expect(errors).toEqual([])
  await close()
})
