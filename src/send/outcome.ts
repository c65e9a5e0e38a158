// Outcomes of a send: made, certainly not made, not certain, or never sent. Data only.
import type { MonitorErrorCode } from '../errors.ts'

/** Reasons why it is not certain whether a write was made. */
export const doubts = ['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped'] as const
export type Doubt = (typeof doubts)[number]

/** Reasons why a write was certainly not made. */
export const notDoneCodes = [
  'bad-request',
  'refused',
  'forbidden',
  'not-found',
  'busy',
  'unreachable',
] as const satisfies readonly MonitorErrorCode[]
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

/** The outcome of a write that was sent. */
export type Settled =
  | { readonly kind: 'done' }
  | { readonly kind: 'not-done'; readonly code: NotDoneCode }
  | { readonly kind: 'uncertain'; readonly doubt: Doubt }

/** `not-sent`: nothing was sent, and nothing will be. */
export type SendOutcome = Settled | { readonly kind: 'not-sent' }

/** The outcome of a send whose sender has fallen silent, until that one comes back. */
export const lapsed = { kind: 'uncertain', doubt: 'stopped' } as const satisfies Settled

export function isLapsed(outcome: SendOutcome | undefined): boolean {
  return outcome?.kind === lapsed.kind && outcome.doubt === lapsed.doubt
}

/** Codes that end a sending: what is refused like this is about the token (401), the right (403) or the target (404). */
export const endingCodes = ['refused', 'forbidden', 'not-found'] as const satisfies readonly NotDoneCode[]

/** True where all that comes after it would be refused as well. */
export function endsAll(outcome: SendOutcome | undefined): boolean {
  return isRefusedFor(outcome, endingCodes)
}

/** True for a write that was certainly not made, for one of these reasons. */
export function isRefusedFor(outcome: SendOutcome | undefined, codes: readonly NotDoneCode[]): boolean {
  return outcome?.kind === 'not-done' && codes.includes(outcome.code)
}
