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
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(told)
}

/** What is hard to read in the dark: of all that axe looks at, only colours are others there. */
export async function faultsInTheDark(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const violations = await violationsOn(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  return violations.flatMap(told)
}

/** @param rules - Default: all. */
async function violationsOn(
  page: Page,
  rules?: readonly string[],
): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const options = { preload: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations
}

function told({ id, nodes }: AxeResults['violations'][number]): readonly string[] {
  return nodes.map(
    ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`,
  )
}
