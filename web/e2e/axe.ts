// Accessibility checks of a whole page.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** What axe finds wrong, in a form that a failing test can show. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated by the test driver, so that the page's policy against foreign scripts stays as it is.
  await page.evaluate(source)
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as { violations: Violation[] }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
