// What the outcomes of an approved wish mean for its request. Data in, data out.
import { hasCode, type Result } from '../grant/wish.ts'

type Outcome = Result['outcome']

/** Certainly not granted, for a reason that may be gone tomorrow, or with somebody else's token. */
export function isPossibleLater(outcome: Outcome): boolean {
  if (outcome.kind === 'not-sent') return true
  if (outcome.kind !== 'not-granted') return false
  return outcome.code !== 'bad-request' && outcome.code !== 'not-found'
}

/** True when nobody has got anything, and everybody still may: the request stays open. */
export function staysOpen(outcomes: readonly Result[]): boolean {
  return outcomes.every(({ outcome }) => isPossibleLater(outcome))
}

/** What the approver can mend comes first, then what a colleague can, then what passes. */
const whys = ['refused', 'forbidden', 'busy', 'unreachable'] as const

/** Why a request stays open; `not-sent` when nothing was tried. */
export function whyOpen(outcomes: readonly Result[]): (typeof whys)[number] | 'not-sent' {
  return whys.find((why) => hasCode(outcomes, why)) ?? 'not-sent'
}

/** `in-part`: granted to some, and certainly not to the rest. */
export type Verdict = 'granted' | 'in-part' | 'not-granted' | 'uncertain'

/** Of a request that has ended. */
export function verdictOf(outcomes: readonly Result[]): Verdict {
  if (outcomes.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = outcomes.filter(({ outcome }) => outcome.kind === 'granted').length
  if (granted === outcomes.length) return 'granted'
  return granted === 0 ? 'not-granted' : 'in-part'
}
