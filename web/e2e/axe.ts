// Accessibility checks of a whole page with axe.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** The violations that axe finds, as strings for a failing test; with a rule, only violations of that rule. */
export async function violations(page: Page, rule?: string): Promise<string[]> {
  // Evaluated by the test driver, which the page's content security policy does not restrict.
  await page.evaluate(source)
  const options = { resultTypes: ['violations'], ...(rule ? { runOnly: [rule] } : {}) }
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as { violations: Violation[] }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
