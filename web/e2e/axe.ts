// Accessibility checks of a whole page.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** What axe finds wrong, in a form that a failing test can show; with a rule, only what breaks that. */
export async function violations(page: Page, rule?: string): Promise<string[]> {
  // Evaluated by the test driver, so that the page's policy against foreign scripts stays as it is.
  await page.evaluate(source)
  const options = { resultTypes: ['violations'], ...(rule ? { runOnly: [rule] } : {}) }
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as { violations: Violation[] }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
