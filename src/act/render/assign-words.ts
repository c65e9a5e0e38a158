// Words of verdicts on an assignment: whose the alert is now, and why it is not whose it was to be. Pure.
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import type { Ground } from '../../send/outcome.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'

/** What is known of the one whom the alert has, or was to have. */
export interface AssignFacts {
  /** It was to be theirs who asked. */
  readonly isForSelf: boolean
  /** It is about whoever asked: the present owner where nothing was sent, else the new one. */
  readonly isOwn: boolean
  /** Of that one, raw; undefined where the sender’s token shows none. */
  readonly name: string | undefined
  /** That one has silenced what monitoring sends them. */
  readonly isMuted: boolean
  /** How the present owner came to have it, where nothing was sent. `ago`: “3 min ago”. */
  readonly taking: { readonly isByOwner: boolean; readonly ago: string | undefined } | undefined
  /** Their assignment showed who its sender is at the service, and that was not as they said. */
  readonly identity: 'corrected' | 'taken' | undefined
}

interface Words {
  readonly headline: string
  readonly more: readonly string[]
}

const longestName = 80

export function assignedWords(ks: string, on: Ground | undefined, facts: AssignFacts | undefined): Words {
  const which = `alert ${quote(ks)}`
  const to = facts?.isOwn ? 'you' : nameIn(facts)
  if (on === 'already') {
    const headline = facts?.isOwn
      ? `Nothing to do: ${which} is already yours.`
      : `Nothing to do: ${which} is already assigned to ${to ?? 'them'}.`
    return { headline, more: [] }
  }
  if (on === 'by-another') {
    return { headline: `Meanwhile somebody else assigned ${which} to ${to ?? 'the same person'}.`, more: [] }
  }
  const isQuiet = facts?.isMuted && to !== undefined
  return {
    headline: to === undefined ? `Assigned: ${which}.` : `Assigned to ${to}: ${which}.`,
    more: [
      ...(isQuiet ? [`${to} has muted monitoring, so they may not notice.`] : []),
      ...identityWords(facts),
    ],
  }
}

function identityWords(facts: AssignFacts | undefined): readonly string[] {
  if (facts?.identity === 'taken') {
    return [
      'Monitoring shows who you are there, but somebody else in this Slack workspace is linked to that user. Ask an admin of the workspace.',
    ]
  }
  if (facts?.identity !== 'corrected') return []
  return [
    facts.isForSelf
      ? 'Monitoring shows who you are there, so I’ve corrected that.'
      : 'Monitoring shows that you’re somebody else there, so I’ve corrected who you are. To take the alert, press Assign to me again.',
  ]
}

/** Nothing was sent, as the alert is not as its sender saw it. */
export function heldBackWords(ks: string, alert: Alert | undefined, facts: AssignFacts | undefined): Words {
  const which = `alert ${quote(ks)}`
  if (alert === undefined) {
    return { headline: `Nothing was sent: ${which} changed before this could be sent.`, more: [lookAgain] }
  }
  if (isClosed(alert)) return { headline: `Nothing was sent: ${which} is closed.`, more: [] }
  if (alert.ownerId === null) {
    return { headline: `Nothing was sent: ${which} is unassigned by now.`, more: ['Decide again.'] }
  }
  const when = facts?.taking?.ago === undefined ? '' : ` ${facts.taking.ago}`
  if (facts?.isOwn) return { headline: `Nothing was sent: ${which} is yours by now.`, more: [] }
  const owner = nameIn(facts) ?? 'Somebody else'
  const headline =
    facts?.taking?.isByOwner === false
      ? `Nothing was sent: ${which} was assigned to ${nameIn(facts) ?? 'somebody else'}${when}.`
      : `Nothing was sent: ${owner} took ${which}${when}.`
  return { headline, more: [] }
}

const lookAgain = 'Look at it again, then decide.'

/** The service takes nobody for an owner who is no member (404). */
export function notAMemberWords(facts: AssignFacts | undefined): Words {
  const who = facts?.isOwn ? 'you aren’t' : `${nameIn(facts) ?? 'that user'} isn’t`
  return {
    headline: `Not done: ${who} a member of this container; alerts can only be assigned to members.`,
    more: [],
  }
}

function nameIn(facts: AssignFacts | undefined): string | undefined {
  return facts?.name === undefined ? undefined : cut(facts.name, longestName)
}
