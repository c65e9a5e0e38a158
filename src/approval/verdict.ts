// Verdicts on a request, from the results of its people: whether it stays open, and how it has ended. Pure.
import { hasCode, type Result } from '../grant/wish.ts'
import { isRefusedFor, type PossibleLaterCode, possibleLaterCodes } from '../send/outcome.ts'

/** Certainly not granted, for a reason that may be gone tomorrow, or with somebody else's token. */
export function isPossibleLater({ outcome }: Result): boolean {
  return outcome.kind === 'not-sent' || isRefusedFor(outcome, possibleLaterCodes)
}

/** True when nobody has got anything, and everybody still may: the request stays open. */
export function staysOpen(results: readonly Result[]): boolean {
  return results.every(isPossibleLater)
}

/** The reason why a request stays open, first what somebody can mend; `not-sent` when nothing was tried. */
export function whyOpen(results: readonly Result[]): PossibleLaterCode | 'not-sent' {
  return possibleLaterCodes.find((why) => hasCode(results, why)) ?? 'not-sent'
}

/** `in-part`: granted to some, and certainly not to the rest. */
export type Verdict = 'granted' | 'in-part' | 'not-granted' | 'uncertain'

/** The verdict on a request that has ended. */
export function verdictOf(results: readonly Result[]): Verdict {
  if (results.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = results.filter(({ outcome }) => outcome.kind === 'done').length
  if (granted === results.length) return 'granted'
  return granted === 0 ? 'not-granted' : 'in-part'
}
