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
  /**
   * What became of who its sender is at the service. `corrected`: it shows that they are somebody else. `mistaken`:
   * likewise, and it was for themselves, so that somebody else got it. `taken`: likewise, and another person in Slack is
   * that one. `asked-again`: who they said they are can't get it, so they are asked once more. `unproven`: who they said
   * they are has it, and nothing shows that it is them.
   */
  readonly identity: 'corrected' | 'mistaken' | 'taken' | 'asked-again' | 'unproven' | undefined
}

/** Of a verdict: its sentence, and those below it. Raw. */
export interface VerdictWords {
  readonly headline: string
  readonly more: readonly string[]
}

const longestName = 80

export function assignedWords(
  { ks, ownerId }: Pick<AssignAlert, 'ks' | 'ownerId'>,
  on: Ground | undefined,
  facts: AssignFacts | undefined,
): VerdictWords {
  const which = `alert ${quote(ks)}`
  const to = facts?.isOwn ? 'you' : nameIn(facts)
  if (on === 'already') {
    const headline = facts?.isOwn
      ? `Nothing to do: ${which} is already yours.`
      : `Nothing to do: ${which} is already assigned to ${to ?? 'that person'}.`
    return { headline, more: identityWords(ownerId, facts) }
  }
  if (on === 'by-another') {
    return { headline: `Somebody else assigned ${which} to ${to ?? 'the same person'} meanwhile.`, more: [] }
  }
  const isQuiet = facts?.isMuted && to !== undefined
  return {
    headline: to === undefined ? `Assigned: ${which}.` : `Assigned to ${to}: ${which}.`,
    more: [
      ...(isQuiet ? [`${to} has muted monitoring, so they may not notice.`] : []),
      ...identityWords(ownerId, facts),
    ],
  }
}

/** What an assignment says of who its sender is. @param ownerId - Whom it was for. */
export function identityWords(ownerId: number, facts: AssignFacts | undefined): readonly string[] {
  const identity = facts?.identity
  switch (identity) {
    case 'taken':
      return [
        'Monitoring shows who you are there, but somebody else in this Slack workspace acts as the same person. Bellhop goes by their link until they press Forget on Bellhop’s Home tab. To find out who it is, ask an admin to look in the audit trail.',
      ]
    case 'corrected':
      return ['I took you for somebody else in monitoring. I’ve corrected that.']
    case 'mistaken':
      return [
        'Monitoring shows that you’re somebody else, so I’ve corrected who you are. To take the alert, press Assign to me again.',
      ]
    case 'asked-again':
      return [`${asSaid(ownerId, facts)} If that’s wrong, try again: Bellhop asks once more.`]
    case 'unproven':
      return [`${asSaid(ownerId, facts)} If that’s wrong, press Change on Bellhop’s Home tab.`]
    case undefined:
      return []
    default:
      return identity satisfies never
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
  { ks, cardId, ownerId }: Pick<AssignAlert, 'ks' | 'cardId' | 'ownerId'>,
  isRead: boolean,
  facts: AssignFacts | undefined,
): VerdictWords {
  const who = facts?.isOwn ? 'you aren’t' : `${nameIn(facts) ?? 'that user'} isn’t`
  const why = isRead
    ? `${who} a member of this container; alerts can only be assigned to members`
    : `there’s no alert ${quote(ks)}, or ${who} a member of its container`
  const more = [
    ...(cardId === undefined && !isRead ? ['Check the key, capitals included.'] : []),
    ...identityWords(ownerId, facts),
  ]
  return { headline: `Not done: ${why}.`, more }
}

function asSaid(ownerId: number, facts: AssignFacts | undefined): string {
  return `You said that you’re ${nameIn(facts) ?? `user ${ownerId}`} in monitoring.`
}

/** “ to Dave Doe”, as far as it is known. */
export function toWhom(facts: AssignFacts | undefined): string {
  const name = facts?.isOwn ? 'you' : nameIn(facts)
  return name === undefined ? '' : ` to ${name}`
}

function nameIn(facts: AssignFacts | undefined): string | undefined {
  return facts?.name === undefined ? undefined : cut(facts.name, longestName)
}
