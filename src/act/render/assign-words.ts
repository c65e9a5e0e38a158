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
  /** That one has silenced what monitoring sends them. */
  readonly isMuted: boolean
  /** How the present owner came to have it, where nothing was sent. `ago`: “3 min ago”. */
  readonly taking: { readonly isByOwner: boolean; readonly ago: string | undefined } | undefined
}

/** Of a verdict: its sentence, and those below it. Raw. */
export interface VerdictWords {
  readonly headline: string
  readonly more: readonly string[]
}

const longestName = 80

export function assignedWords(
  { ks }: Pick<AssignAlert, 'ks'>,
  on: Ground | undefined,
  facts: AssignFacts | undefined,
): VerdictWords {
  const which = `alert ${quote(ks)}`
  const to = facts?.isOwn ? 'you' : nameIn(facts)
  if (on === 'already') {
    const headline = facts?.isOwn
      ? `Nothing to do: ${which} is already yours.`
      : `Nothing to do: ${which} is already assigned to ${to ?? 'that person'}.`
    return { headline, more: [] }
  }
  if (on === 'by-another') {
    return { headline: `Somebody else assigned ${which} to ${to ?? 'the same person'} meanwhile.`, more: [] }
  }
  const isQuiet = facts?.isMuted && to !== undefined
  return {
    headline: to === undefined ? `Assigned: ${which}.` : `Assigned to ${to}: ${which}.`,
    more: isQuiet ? [`${to} has muted monitoring, so they may not notice.`] : [],
  }
}

/** Nothing was sent, as the alert is not as its sender saw it. */
export function heldBackWords(
  ks: string,
  alert: Alert | undefined,
  facts: AssignFacts | undefined,
): VerdictWords {
  const which = `alert ${quote(ks)}`
  if (alert === undefined) {
    return { headline: `Nothing was sent: ${which} changed before this could be sent.`, more: [lookAgain] }
  }
  if (isClosed(alert)) return { headline: `Nothing was sent: ${which} is closed.`, more: [] }
  if (alert.ownerId === null) {
    return { headline: `Nothing was sent: ${which} is no longer assigned to anybody.`, more: [] }
  }
  const when = facts?.taking?.ago === undefined ? '' : ` ${facts.taking.ago}`
  if (facts?.isOwn) return { headline: `Nothing was sent: ${which} is yours now.`, more: [] }
  const owner = nameIn(facts) ?? 'Somebody else'
  const headline =
    facts?.taking?.isByOwner === false
      ? `Nothing was sent: ${which} was assigned to ${nameIn(facts) ?? 'somebody else'}${when}.`
      : `Nothing was sent: ${owner} took ${which}${when}.`
  return { headline, more: [] }
}

const lookAgain = 'Look it up again, then decide.'

/**
 * The service takes nobody for an owner who is no member (404).
 * @param isRead - Their token shows the alert; where it does not, there may be none.
 */
export function notAMemberWords(
  { ks, cardId }: Pick<AssignAlert, 'ks' | 'cardId'>,
  isRead: boolean,
  facts: AssignFacts | undefined,
): VerdictWords {
  const who = facts?.isOwn ? 'you aren’t' : `${nameIn(facts) ?? 'that user'} isn’t`
  const why = isRead
    ? `${who} a member of this container; alerts can only be assigned to members`
    : `there’s no alert ${quote(ks)}, or ${who} a member of its container`
  const more = [
    ...(cardId === undefined && !isRead ? ['Check the key, capitals included.'] : []),
    ...(facts?.isOwn ? ['If that’s not who you are in monitoring, press Forget on Bellhop’s Home tab.'] : []),
  ]
  return { headline: `Not done: ${why}.`, more }
}

/** “ to Dave Doe”, as far as it is known. */
export function toWhom(facts: AssignFacts | undefined): string {
  const name = facts?.isOwn ? 'you' : nameIn(facts)
  return name === undefined ? '' : ` to ${name}`
}

function nameIn(facts: AssignFacts | undefined): string | undefined {
  return facts?.name === undefined ? undefined : cut(facts.name, longestName)
}
