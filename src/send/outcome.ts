// Outcomes of a send: made, certainly not made, not certain, or never sent. Data only.
import type { MonitorErrorCode } from '../errors.ts'

/** Why it is not certain whether a write was made. */
export const doubts = ['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped'] as const
export type Doubt = (typeof doubts)[number]

/** Why a write was certainly not made. */
export const notGrantedCodes = [
  'bad-request',
  'refused',
  'forbidden',
  'not-found',
  'busy',
  'unreachable',
] as const satisfies readonly MonitorErrorCode[]
export type NotGrantedCode = (typeof notGrantedCodes)[number]

/** What became of a write that was sent. */
export type Settled =
  | { readonly kind: 'granted' }
  | { readonly kind: 'not-granted'; readonly code: NotGrantedCode }
  | { readonly kind: 'uncertain'; readonly doubt: Doubt }

/** `not-sent`: nothing was sent, and nothing will be. */
export type SendOutcome = Settled | { readonly kind: 'not-sent' }

/** The outcome of a send whose sender has fallen silent, until that one comes back. */
export const lapsed = { kind: 'uncertain', doubt: 'stopped' } as const satisfies Settled

export function isLapsed(outcome: SendOutcome | undefined): boolean {
  return outcome?.kind === lapsed.kind && outcome.doubt === lapsed.doubt
}

/** What refuses the token (401), the right (403) or the target (404) would refuse all that comes after it as well. */
export function endsAll(outcome: SendOutcome | undefined): boolean {
  return outcome?.kind === 'not-granted' && ['refused', 'forbidden', 'not-found'].includes(outcome.code)
}
