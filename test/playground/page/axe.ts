// Faults that axe finds with a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** All of it: the rule, and where. */
export async function everyFault(page: Page): Promise<readonly string[]> {
  return (await violationsOn(page)).flatMap(told)
}

/** What is serious or worse. */
export async function faults(page: Page): Promise<readonly string[]> {
  const violations = await violationsOn(page)
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(told)
}

async function violationsOn(page: Page): Promise<AxeResults['violations']> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run({ preload: false, resultTypes: ["violations"] })',
  )
  return violations
}

function told({ id, nodes }: AxeResults['violations'][number]): readonly string[] {
  return nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`)
}
