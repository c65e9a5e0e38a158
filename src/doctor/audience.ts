// Parts of doctor for each reader: an admin reads all of it, everybody else what they can act on, and one line for the rest
// where they notice it. Pure.
import { type Finding, needsAttention } from './checks/check.ts'

/** Whoever asked. */
export interface Reader {
  /** They choose settings here, so they can pass on, or mend, what only an operator can. */
  readonly isAdmin: boolean
  /** Of their request, in the log as well. */
  readonly reference: string
}

/** What an operator has to mend and others notice. */
export function feltByAll(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (one) => one.by === 'operator' && needsAttention(one) && (one.isFelt ?? one.state === 'red'),
  )
}

export function shownTo(findings: readonly Finding[], reader: Reader): readonly Finding[] {
  if (reader.isAdmin) return findings
  const own = findings.filter(({ by, state }) => by === undefined || state === 'green')
  const felt = feltByAll(findings)
  return felt.length === 0 ? own : [forOperator(felt, reader.reference), ...own]
}

/** One line for all of them: what to do is nothing that others could do. */
function forOperator(felt: readonly Finding[], reference: string): Finding {
  const names = [...new Set(felt.map(({ name }) => name))].join(', ')
  return {
    name: `Bellhop needs attention from whoever runs it (reference ${reference})`,
    state: felt.some(({ state }) => state === 'red') ? 'red' : 'amber',
    found: `Affected: ${names}.`,
  }
}
