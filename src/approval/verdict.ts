// Verdicts on a request, from the results of its people: whether it stays open, and how it has ended. Pure.
import { hasCode, type Result } from '../grant/wish.ts'

/** Certainly not granted, for a reason that may be gone tomorrow, or with somebody else's token. */
export function isPossibleLater({ outcome }: Result): boolean {
  if (outcome.kind === 'not-sent') return true
  if (outcome.kind !== 'not-granted') return false
  return outcome.code !== 'bad-request' && outcome.code !== 'not-found'
}

/** True when nobody has got anything, and everybody still may: the request stays open. */
export function staysOpen(results: readonly Result[]): boolean {
  return results.every(isPossibleLater)
}

/** Reasons in this order: what the approver can mend, what a colleague can, what passes. */
const whys = ['refused', 'forbidden', 'busy', 'unreachable'] as const

/** The reason why a request stays open; `not-sent` when nothing was tried. */
export function whyOpen(results: readonly Result[]): (typeof whys)[number] | 'not-sent' {
  return whys.find((why) => hasCode(results, why)) ?? 'not-sent'
}

/** `in-part`: granted to some, and certainly not to the rest. */
export type Verdict = 'granted' | 'in-part' | 'not-granted' | 'uncertain'

/** The verdict on a request that has ended. */
export function verdictOf(results: readonly Result[]): Verdict {
  if (results.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = results.filter(({ outcome }) => outcome.kind === 'granted').length
  if (granted === results.length) return 'granted'
  return granted === 0 ? 'not-granted' : 'in-part'
}
