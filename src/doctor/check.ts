// Checks of doctor run side by side, each within a time limit, and none can stop another. A check that fails is a finding.
import { ConfigError, errorCode } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { SlackError } from '../slack/client.ts'
import { inTime } from '../work/under-way.ts'

/**
 * Red: something does not work. Amber: it works, with something missing or not known. Untested: nothing has shown so
 * far whether it works, which needs nobody's attention.
 */
export type State = (typeof states)[number]

/** Worst first. */
const states = ['red', 'amber', 'untested', 'green'] as const

export interface Finding {
  readonly name: string
  readonly state: State
  readonly found: string
  /** Remedy, raw; never with green. */
  readonly mend?: string
  /** Person who can do something about it. Undefined: whoever asks. */
  readonly by?: 'operator'
}

/** A finding as a check returns it. Without a `name`, it gets the check’s. */
export type CheckResult = Omit<Finding, 'name' | 'by'> & Partial<Pick<Finding, 'name'>>

const finding = (state: State) => (found: string, mend?: string) => ({
  state,
  found,
  ...(mend && { mend }),
})
export const green = finding('green')
export const untested = finding('untested')
export const amber = finding('amber')
export const red = finding('red')

export interface Check {
  readonly name: string
  run(): Promise<readonly CheckResult[]>
  readonly by?: 'operator'
}

/** A check of what only whoever runs Bellhop can fix. */
export const operatorCheck = (name: string, run: Check['run']): Check => ({
  name,
  by: 'operator',
  run,
})

const checkTheWay =
  'Try again in a minute. If it keeps happening, check that this machine can reach it, and HTTPS_PROXY if it’s set.'

/**
 * Runs all checks. Never rejects: a check that is too slow, or fails, is a finding.
 * @returns Findings, worst first, otherwise in the order of the checks.
 * @param budgetMs - The time for each check. Default 5,000.
 */
export async function runChecks(
  checks: readonly Check[],
  log: Log,
  budgetMs = 5_000,
): Promise<readonly Finding[]> {
  async function run({ name, by, run }: Check): Promise<readonly Finding[]> {
    const found = await inTime(run(), budgetMs).catch((error: unknown): readonly CheckResult[] => {
      if (error instanceof SlackError)
        return [red(`Slack gave no usable answer (${error.message}).`, checkTheWay)]
      if (error instanceof ConfigError) return error.problems.map((problem) => red(problem))
      log.error({ err: error, check: name }, 'doctor could not check something')
      // Without the error’s message, which may hold anything.
      const what = errorCode(error) ?? (error instanceof Error ? error.name : typeof error)
      const wrong = `Bellhop couldn’t check this: something went wrong (${what}).`
      return [red(wrong, 'Try again. If it keeps happening, report it.')]
    })
    const late = red(`There was no answer within ${budgetMs / 1000} seconds.`, checkTheWay)
    return (found ?? [late]).map((one) => ({ name, ...one, ...(by && { by }) }))
  }

  const all = (await Promise.all(checks.map(run))).flat()
  return states.flatMap((state) => all.filter((one) => one.state === state))
}

export function needsAttention({ state }: Pick<Finding, 'state'>): boolean {
  return state === 'red' || state === 'amber'
}

export function findingsHeadline(findings: readonly Finding[]): string {
  const tested = findings.filter(({ state }) => state !== 'untested').length
  const bad = findings.filter(needsAttention).length
  const rest = tested === findings.length ? '' : `, ${findings.length - tested} not tested`
  if (bad === 0) return `All ${tested} checks passed${rest}`
  return `${bad} of ${tested} checks ${bad === 1 ? 'needs' : 'need'} attention`
}
