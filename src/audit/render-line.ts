// Lines in the audit channel: one for each step, whomever it is about. Pure.
import type { RichTextText } from '@slack/types'
import { causeWords, extrasOf, notDoneCodes, refusals } from '../send/outcome.ts'
import { bold, describe, type Message } from '../slack/outbound/message.ts'
import { apart, nameInLine } from '../slack/person.ts'
import type { Entry, Outcome } from './trail.ts'

/** Names in Slack, raw, by the ids of the people an entry tells of; undefined where Slack does not say. */
export type SlackNames = ReadonlyMap<string, string | undefined>

const toldActs: ReadonlySet<Entry['act']> = new Set(['grant', 'ask', 'decline', 'withdraw', 'expire'])

/** Outcomes of an approval that no line of its grants tells. */
const toldApprovals: ReadonlySet<Outcome> = new Set([
  'not-done:four-eyes',
  'not-done:unknown-approver',
  'not-done:not-sent',
])

/**
 * Nobody reads a line for every entry: accounts, look-ups and what is done to alerts are in the trail alone, as who sees
 * the audit channel may not see the alert; and who approved what was granted is said with the grant.
 */
export function hasLine({ act, outcome }: Entry): boolean {
  return act === 'approve' ? toldApprovals.has(outcome) : toldActs.has(act)
}

/** Equal for entries that are told in one line. Grants to several people have a reference each. */
export function stepOf({ key, email, reference, ...step }: Entry): string {
  return JSON.stringify([step, step.act === 'grant' ? null : reference])
}

type Piece = string | RichTextText

/** @param others - That the line tells of as well: they differ in whom they are about alone. */
export function renderLine(entry: Entry, names: SlackNames, others: readonly Entry[] = []): Message {
  const emails = [entry, ...others].flatMap(({ email }) => email ?? [])
  return describe({ lines: [[...pieceOf(entry, names, peopleOf(emails)), '.']] })
}

function pieceOf(entry: Entry, names: SlackNames, people: readonly string[]): Piece[] {
  const { act, userId, askerId, containerId } = entry
  const who = person(names, userId)
  // An attempt to approve is about the whole request, and may name nobody.
  const whom = people.length === 0 ? [] : [...people, ' on ']
  const wish = [': ', ...whom, `container ${containerId}, ${access(entry)}`]
  const asked = askerId === userId ? [' their own request'] : [' a request from ', ...person(names, askerId)]
  switch (act) {
    case 'grant':
      return grantPieces(entry, names, people)
    case 'ask':
      return [...who, ' asked for approval', ...wish]
    case 'approve':
      return [`Not approved (${reasonOf(entry)}): `, ...who, ' pressed Approve on', ...asked, ...wish]
    case 'decline':
      return [...who, ' declined', ...asked, ...wish]
    case 'withdraw':
      return [...who, ' withdrew their request', ...wish]
    case 'expire':
      return ['The request from ', ...person(names, askerId), ' has expired', ...wish]
    default:
      throw new TypeError(`${act} has no line`)
  }
}

function grantPieces(entry: Entry, names: SlackNames, people: readonly string[]): Piece[] {
  const { containerId, outcome, userId, approverId, had } = entry
  const reason = reasonOf(entry)
  const [before, did] =
    outcome === 'done'
      ? ['', ' added ']
      : outcome.startsWith('uncertain')
        ? [`Not certain (${reason}): `, ' may have added ']
        : [`Not granted (${reason}): `, ' wanted to add ']
  // Of somebody who was there: flags, to what they had.
  const what =
    had === undefined
      ? [...people, ` to container ${containerId}: ${access(entry)}`]
      : [
          `${access(entry)} to what `,
          ...people,
          ` had on container ${containerId}: ${had.join(', ') || 'no flags'}`,
        ]
  const approved = approverId === undefined ? [] : [', approved by ', ...person(names, approverId)]
  return [before, ...person(names, userId), did, ...what, ...approved]
}

/** In bold to the end of the name, and with the id, which nobody can choose. */
function person(names: SlackNames, id: string | undefined): Piece[] {
  const name = nameInLine(names.get(id ?? '') ?? '')
  return [bold(name || id || 'Somebody'), ...(name === '' ? [] : [` (${id})`])]
}

/** “READ, API · member · via Google”. */
export function access({
  permissions = [],
  ...rest
}: Pick<Entry, 'permissions' | 'member' | 'authProvider'>): string {
  return [permissions.join(', ') || 'Dashboards only', ...extrasOf(rest)].join(' · ')
}

function peopleOf(emails: readonly string[]): string[] {
  const named = emails.flatMap((email, index) => (index === 0 ? [apart(email)] : [', ', apart(email)]))
  return emails.length > 1 ? [`${emails.length} people (`, ...named, ')'] : named
}

const reasons: Readonly<Record<string, string>> = {
  ...causeWords,
  'four-eyes': 'nobody approves their own request or access',
  'unknown-approver': 'Slack didn’t say who they are',
  'not-sent': 'nothing was sent',
}

/** A reason that is not known here stands as it was recorded. */
function reasonOf({ outcome, containerId }: Entry): string {
  const reason = outcome.slice(outcome.indexOf(':') + 1)
  const code = notDoneCodes.find((one) => one === reason)
  if (code !== undefined) return refusals[code]('the', `container ${containerId}`)[0]
  return reasons[reason] ?? reason.replaceAll('-', ' ')
}
