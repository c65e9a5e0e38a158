// What somebody may count of grants: the port of whoever keeps figures. Outcomes only: no ids, no names.
import type { GrantOutcome } from './grants.ts'

/** `at_once`: by whoever sent it, as they sent it. `late`: afterwards, or in place of a doubt. */
export const whens = ['at_once', 'late'] as const
export type When = (typeof whens)[number]

/** Its methods cost little and never throw. */
export interface GrantObserver {
  /** What became of one person has been told. */
  told(outcome: GrantOutcome, when: When): void
}
