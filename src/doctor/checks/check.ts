// Checks of doctor: they run side by side, each in its own time, and none can stop another.

import type { Log } from '../../log/log.ts'
import { inTime } from '../../work/in-time.ts'

/** Red: something does not work. Amber: it works, with something missing or not known. */
export type State = 'green' | 'amber' | 'red'

export interface Finding {
  /** What was looked at, in a few words. */
  readonly name: string
  readonly state: State
  /** One or two sentences, raw. */
  readonly found: string
  /** What to do about it, raw; never with green. */
  readonly mend?: string
}

export interface Check {
  readonly name: string
  run(): Promise<readonly Finding[]>
  /** What to look at when it takes too long. */
  readonly ifSlow: string
}

const defaultBudgetMs = 5_000

/**
 * In the order of the checks. Never rejects: what is too slow, or fails, is a finding.
 * @param how.budgetMs - For each of them. Default 5,000.
 */
export async function runChecks(
  checks: readonly Check[],
  how: { readonly log: Log; readonly budgetMs?: number | undefined },
): Promise<readonly Finding[]> {
  const { log, budgetMs = defaultBudgetMs } = how

  async function run({ name, run, ifSlow }: Check): Promise<readonly Finding[]> {
    try {
      return (await inTime(run(), budgetMs)) ?? [tooSlow({ name, ifSlow }, budgetMs)]
    } catch (error) {
      log.error({ err: error, check: name }, 'doctor could not check something')
      const found = `This could not be looked at: something failed in Bellhop (${nameOf(error)}).`
      const mend = 'Ask again; if it stays so, report it with the text for a ticket.'
      return [{ name, state: 'red', found, mend }]
    }
  }

  return (await Promise.all(checks.map(run))).flat()
}

export function tooSlow({ name, ifSlow }: Pick<Check, 'name' | 'ifSlow'>, budgetMs: number): Finding {
  return { name, state: 'red', found: `No answer within ${budgetMs / 1000} seconds.`, mend: ifSlow }
}

/** No message: what is in it is not known. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Red first, then amber; otherwise in the order in which they are given. */
export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  const of = (state: State) => findings.filter((one) => one.state === state)
  return [...of('red'), ...of('amber'), ...of('green')]
}
