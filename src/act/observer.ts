// Figures of what was done to alerts: the port of whoever keeps them. Kinds and verdicts only: no ids, no names.
import type { SendOutcome } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'

/** Its methods cost little and never throw. */
export interface ActObserver {
  /** What became of one write has been told. */
  told(kind: AlertWrite['kind'], outcome: SendOutcome, when: 'at_once' | 'late'): void
}

export const verdicts = [
  'done',
  'already',
  'by_another',
  'not_done',
  'not_seen',
  'uncertain',
  'not_sent',
] as const
type Verdict = (typeof verdicts)[number]

/** As figures and the log name it. */
export function actVerdictOf(outcome: SendOutcome): Verdict {
  switch (outcome.kind) {
    case 'done':
      if (outcome.on === 'already') return 'already'
      return outcome.on === 'by-another' ? 'by_another' : 'done'
    case 'not-done':
      return 'not_done'
    case 'uncertain':
      return outcome.doubt === 'not-seen' || outcome.doubt === 'not-readable' ? 'not_seen' : 'uncertain'
    case 'not-sent':
      return 'not_sent'
    default:
      return outcome satisfies never
  }
}
