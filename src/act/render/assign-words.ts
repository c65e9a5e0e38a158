// Words of verdicts on an assignment: whose the alert is now, and why it is not whose it was to be. Pure.
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import type { Ground } from '../../send/outcome.ts'
import type { AssignAlert } from '../../send/writes.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'

/** What is known of the one whom the alert has, or was to have. */
export interface AssignFacts {
  /** Whoever asked wanted the alert for themselves. */
  readonly isForSelf: boolean
  /** It is about whoever asked: the present owner where nothing was sent, else the new one. */
  readonly isOwn: boolean
  /** Of that one, raw; undefined where the sender’s token shows none. */
  readonly name: string | undefined
}

/** What happened, then what follows from it: a line each, raw. */
export type VerdictLines = readonly [string, ...string[]]

const longestName = 80

/** “you”, a name, or undefined where nobody can tell. */
function who(facts: AssignFacts | undefined): string | undefined {
  if (facts?.isOwn) return 'you'
  return facts?.name === undefined ? undefined : cut(facts.name, longestName)
}

/** “ to Dave Doe”, as far as it is known. */
export function toWhom(facts: AssignFacts | undefined): string {
  const name = who(facts)
  return name === undefined ? '' : ` to ${name}`
}

export function assignedWords(
  { ks }: Pick<AssignAlert, 'ks'>,
  on: Ground | undefined,
  facts: AssignFacts | undefined,
): VerdictLines {
  const which = `alert ${quote(ks)}`
  const to = who(facts)
  if (on === 'already') {
    const whose = facts?.isOwn ? 'yours' : `assigned to ${to ?? 'that person'}`
    return [`Nothing to do: ${which} is already ${whose}.`]
  }
  if (on === 'by-another') return [`Somebody else assigned ${which} to ${to ?? 'the same person'} meanwhile.`]
  return [`Assigned${toWhom(facts)}: ${which}.`]
}

/** Nothing was sent, as the alert is not as its sender saw it. */
export function heldBackWords(
  ks: string,
  alert: Alert | undefined,
  facts: AssignFacts | undefined,
): VerdictLines {
  const which = `Nothing was sent: alert ${quote(ks)}`
  if (alert === undefined) {
    return [`${which} changed before this could be sent.`, 'Look it up again, then decide.']
  }
  if (isClosed(alert)) return [`${which} is closed.`]
  if (alert.ownerId === null) return [`${which} is no longer assigned to anybody.`]
  if (facts?.isOwn) return [`${which} is yours now.`]
  return [`${which} is assigned to ${who(facts) ?? 'somebody else'} now.`]
}

/**
 * The service takes nobody for an owner who is no member (404).
 * @param isRead - Their token shows the alert; where it does not, there may be none.
 */
export function notAMemberWords(
  { ks, cardId }: Pick<AssignAlert, 'ks' | 'cardId'>,
  isRead: boolean,
  facts: AssignFacts | undefined,
): VerdictLines {
  const nobody = facts?.isOwn ? 'you aren’t' : `${who(facts) ?? 'that user'} isn’t`
  const why = isRead
    ? `${nobody} a member of this container; alerts can only be assigned to members`
    : `there’s no alert ${quote(ks)}, or ${nobody} a member of its container`
  return [
    `Not done: ${why}.`,
    ...(cardId === undefined && !isRead ? ['Check the key, capitals included.'] : []),
    ...(facts?.isOwn ? ['If that’s not who you are in monitoring, press Forget on my Home tab.'] : []),
  ]
}
