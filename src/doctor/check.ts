// Checks of doctor: they run side by side, each in its own time, and none can stop another.

import { errorCode } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { inTime } from '../work/under-way.ts'

/**
 * Red: something does not work. Amber: it works, with something missing or not known. Untested: nothing has shown it so
 * far, which needs nobody's attention.
 */
export type State = 'green' | 'untested' | 'amber' | 'red'

export interface Finding {
  /** What was looked at, in a few words. */
  readonly name: string
  readonly state: State
  /** One or two sentences, raw. */
  readonly found: string
  /** What to do about it, raw; never with green. */
  readonly mend?: string
  /** Who can do something about it. Undefined: whoever asks. */
  readonly by?: 'operator'
}

export function finding(name: string, state: State, found: string, mend?: string): Finding {
  return { name, state, found, ...(mend !== undefined && { mend }) }
}

export interface Check {
  readonly name: string
  run(): Promise<readonly Finding[]>
  /** What to look at when it takes too long. */
  readonly ifSlow: string
  /** Of each of its findings. */
  readonly by?: Finding['by']
}

const defaultBudgetMs = 5_000

/**
 * Worst first, otherwise in the order of the checks. Never rejects: what is too slow, or fails, is a finding.
 * @param how.budgetMs - For each of them. Default 5,000.
 */
export async function runChecks(
  checks: readonly Check[],
  how: { readonly log: Log; readonly budgetMs?: number | undefined },
): Promise<readonly Finding[]> {
  const { log, budgetMs = defaultBudgetMs } = how

  async function findingsOf({ name, run, ifSlow }: Check): Promise<readonly Finding[]> {
    try {
      const found = `There was no answer within ${budgetMs / 1000} seconds.`
      return (await inTime(run(), budgetMs)) ?? [finding(name, 'red', found, ifSlow)]
    } catch (error) {
      log.error({ err: error, check: name }, 'doctor could not check something')
      const found = `Bellhop couldn’t check this: something went wrong (${nameOf(error)}).`
      return [finding(name, 'red', found, 'Try again. If it keeps happening, report it.')]
    }
  }

  async function run(check: Check): Promise<readonly Finding[]> {
    const findings = await findingsOf(check)
    const { by } = check
    return by === undefined ? findings : findings.map((one) => ({ ...one, by }))
  }

  const all = (await Promise.all(checks.map(run))).flat()
  const states: readonly State[] = ['red', 'amber', 'untested', 'green']
  return states.flatMap((state) => all.filter((one) => one.state === state))
}

/** No message: what is in it is not known. */
function nameOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : typeof error)
}

/** True where somebody should do something about it. */
export function needsAttention({ state }: Pick<Finding, 'state'>): boolean {
  return state === 'red' || state === 'amber'
}

/** How it stands, in words: what is not tested is not counted. */
export function headline(findings: readonly Finding[]): string {
  const tested = findings.filter(({ state }) => state !== 'untested').length
  const bad = findings.filter(needsAttention).length
  if (bad === 0) return `All ${tested} checks passed`
  return `${bad} of ${tested} checks ${bad === 1 ? 'needs' : 'need'} attention`
}

/** As in `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.slice(-1)
  return [names.slice(0, -1).join(', '), ...last].filter(Boolean).join(' and ')
}
