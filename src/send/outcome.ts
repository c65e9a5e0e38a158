// Outcomes of a send: made, certainly not made, not certain, or never sent. Data only.
import type { MonitorErrorCode } from '../errors.ts'

/**
 * Reasons why it is not certain whether a write was made: what came in place of an answer. `not-seen`: the service took it,
 * and does not show it (yet). `not-readable`: the service took it, and does not let its sender see what became of it.
 */
export const causes = [
  ...(['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped'] as const),
  ...(['not-seen', 'not-readable'] as const),
] as const
export type Cause = (typeof causes)[number]

/**
 * Reasons why a write was certainly not made. `changed`: it was not sent, as what it is about is not as its sender saw
 * it. `malformed`: it was not sent, as the service says what it is about in a way that nobody understands.
 * `no-operation`: the service does not have it.
 */
export const notDoneCodes = [
  ...(['bad-request', 'refused', 'forbidden', 'not-found', 'busy', 'unreachable', 'malformed'] as const),
  ...(['changed', 'no-operation'] as const),
] as const satisfies readonly (MonitorErrorCode | 'changed' | 'no-operation')[]
export type NotDoneCode = (typeof notDoneCodes)[number]

/** Codes of what passes by itself: tried again soon, it may be made. */
export const passingCodes = ['busy', 'unreachable'] as const satisfies readonly NotDoneCode[]

/** Codes of what may be made later, in this order: what the sender can mend, what a colleague can, what passes. */
export const possibleLaterCodes = [
  'refused',
  'forbidden',
  ...passingCodes,
] as const satisfies readonly NotDoneCode[]
export type PossibleLaterCode = (typeof possibleLaterCodes)[number]

/**
 * Ground on which something is called done; where there is none, the service said so, for a write whose answer counts.
 * `seen`: a read shows it. `unsaid`: a read shows somebody's access, and not whose doing that is. `already`: it was so
 * before, and nothing was sent. `by-another`: somebody else did it meanwhile.
 */
export type Ground = 'seen' | 'unsaid' | 'already' | 'by-another'

/** The outcome of a write that was sent, or was not for want of a need. */
export type Settled =
  | { readonly kind: 'done'; readonly on?: Ground }
  | { readonly kind: 'not-done'; readonly code: NotDoneCode }
  | { readonly kind: 'uncertain'; readonly cause: Cause }

/** `not-sent`: nothing was sent, and nothing will be. */
export type SendOutcome = Settled | { readonly kind: 'not-sent' }

/** The outcome of what was begun by a process that died. */
export const stopped = { kind: 'uncertain', cause: 'stopped' } as const satisfies Settled

/**
 * What a list of people shows of somebody who may have been added. `unlisted`: they aren't there, which proves nothing.
 * `otherwise`: on it, without all that was asked, or through another container. `unread`: it couldn't be read. `off`: the
 * service has no such list, or isn't asked for it. For whoever's token it was, alone.
 */
export type Sight = 'unlisted' | 'otherwise' | 'unread' | 'off'

/**
 * What an outcome is called in the audit trail and in figures. Nothing was sent for what was so before, and another's doing is
 * not theirs.
 */
export function calledBy(outcome: SendOutcome) {
  switch (outcome.kind) {
    case 'done':
      return outcome.on === 'already' || outcome.on === 'by-another'
        ? (`not-done:${outcome.on}` as const)
        : 'done'
    case 'not-done':
      return `not-done:${outcome.code}` as const
    case 'uncertain':
      return `uncertain:${outcome.cause}` as const
    case 'not-sent':
      return 'not-done:not-sent'
    default:
      return outcome satisfies never
  }
}

/** Codes that end a sending: what is refused like this is about the token (401), the right (403) or the target (404). */
const endingCodes = ['refused', 'forbidden', 'not-found'] as const satisfies readonly NotDoneCode[]

/** True where all that comes after it would be refused as well. */
export function endsAll(outcome: SendOutcome | undefined): boolean {
  return isRefusedFor(outcome, endingCodes)
}

/** Certainly not made, for a reason that may be gone tomorrow, or with somebody else's token. */
export function isPossibleLater(outcome: SendOutcome): boolean {
  return outcome.kind === 'not-sent' || isRefusedFor(outcome, possibleLaterCodes)
}

/** True for a write that was certainly not made, for one of these reasons. */
export function isRefusedFor(outcome: SendOutcome | undefined, codes: readonly NotDoneCode[]): boolean {
  return outcome?.kind === 'not-done' && codes.includes(outcome.code)
}
