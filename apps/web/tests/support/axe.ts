import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import * as z from 'zod'

const Results = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
})

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // How a model orders its headings is its own affair.
  rules: { 'heading-order': { enabled: false } },
  // Of what is well, nothing is gathered.
  resultTypes: ['violations'],
}

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe finds on the page by WCAG 2.2 A and AA: rule and element. */
export async function axeProblems(page: Page): Promise<readonly string[]> {
  // Evaluated from outside, so that the page's content policy holds as it is.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(await readFile(source, 'utf8'))
  const results = Results.parse(await page.evaluate(`axe.run(${JSON.stringify(OPTIONS)})`))
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
