// Figures of grants: the port of whoever keeps them. Outcomes only: no ids, no names.
import type { SendOutcome } from '../send/outcome.ts'

/** `at_once`: by whoever sent it, as they sent it. `late`: afterwards, or in place of a doubt. */
export const whens = ['at_once', 'late'] as const

/** Its methods cost little and never throw. */
export interface GrantObserver {
  /** What became of one person has been told. */
  told(outcome: SendOutcome, when: (typeof whens)[number]): void
}

/** What became of somebody, as figures and the log name it. */
export function labelsOf(outcome: SendOutcome): { readonly outcome: string; readonly reason: string } {
  switch (outcome.kind) {
    case 'done':
      return { outcome: 'granted', reason: 'none' }
    case 'not-done':
      return { outcome: 'not_granted', reason: outcome.code }
    case 'uncertain':
      return { outcome: 'uncertain', reason: outcome.doubt }
    case 'not-sent':
      return { outcome: 'not_sent', reason: 'none' }
    default:
      return outcome satisfies never
  }
}
