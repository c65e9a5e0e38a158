// Lines in the audit channel: one for each step, whomever it is about. Pure.
import type { RichTextText } from '@slack/types'
import { access, causeWords, notDoneCodes, refusals } from '../send/outcome.ts'
import type { Message } from '../slack/outbound/message.ts'
import { apart, nameInLine } from '../slack/person.ts'
import { cut, escapeText } from '../slack/text/mrkdwn.ts'
import type { Entry, Outcome } from './trail.ts'

/** Names in Slack, raw, of the people an entry tells of; their ids where Slack does not say. */
export interface SlackNames {
  readonly who: string
  readonly asker: string
  readonly approver: string
}

type Piece = RichTextText

const text = (words: string): Piece => ({ type: 'text', text: words })
/** With the id, which nobody can choose. */
const person = (name: string, id: string | undefined): Piece[] => [
  { type: 'text', text: nameInLine(name) || 'Somebody', style: { bold: true } },
  ...(id === undefined || id === name ? [] : [text(` (${id})`)]),
]

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
export function stepOf(entry: Entry): string {
  const { workspaceId, userId, act, outcome, containerId, permissions, member, authProvider } = entry
  const { askerId, approverId, reference } = entry
  const what = [containerId, permissions, member, authProvider]
  const who = [workspaceId, userId, askerId, approverId]
  return JSON.stringify([act, outcome, ...who, ...what, act === 'grant' ? null : reference])
}

/**
 * Rich text, in which nothing becomes a mention, whatever people are called.
 * @param emails - Of all that the line tells of; the entry stands for them.
 */
export function renderLine(
  entry: Entry,
  names: SlackNames,
  emails: readonly string[] = entry.email === undefined ? [] : [entry.email],
): Message {
  const pieces = [...pieceOf(entry, names, emails), text('.')]
  return {
    text: escapeText(pieces.map((piece) => piece.text).join('')),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: pieces }] }],
  }
}

function pieceOf(entry: Entry, names: SlackNames, emails: readonly string[]): Piece[] {
  const who = person(names.who, entry.userId)
  const wish = text(`: ${accessOf(entry, emails)}`)
  const isOwn = entry.askerId !== undefined && entry.askerId === entry.userId
  const request = isOwn
    ? [text(' their own request'), wish]
    : [text(' a request from '), ...person(names.asker, entry.askerId), wish]
  switch (entry.act) {
    case 'grant':
      return grantPieces(entry, names, peopleOf(emails))
    case 'ask':
      return [...who, text(' asked for approval'), wish]
    case 'approve':
      if (entry.outcome === 'not-done:not-sent') {
        return [text('Not granted (nothing was sent): '), ...who, text(' approved'), ...request]
      }
      return [text(`Not approved (${reasonOf(entry)}): `), ...who, text(' pressed Approve on'), ...request]
    case 'decline':
      return [...who, text(' declined'), ...request]
    case 'withdraw':
      return [...who, text(' withdrew their request'), wish]
    case 'expire':
      return [text('The request from '), ...person(names.asker, entry.askerId), text(' has expired'), wish]
    default:
      throw new TypeError(`${entry.act} has no line`)
  }
}

function grantPieces(entry: Entry, names: SlackNames, people: string): Piece[] {
  const { containerId, outcome, approverId, had } = entry
  const who = person(names.who, entry.userId)
  // Of somebody who was there: flags, to what they had.
  const what =
    had === undefined
      ? `${people} to container ${containerId}: ${access(entry)}`
      : `${access(entry)} to what ${people} had on container ${containerId}: ${had.join(', ') || 'no flags'}`
  const approved =
    approverId === undefined ? [] : [text(', approved by '), ...person(names.approver, entry.approverId)]
  if (outcome === 'done') return [...who, text(` added ${what}`), ...approved]
  if (outcome.startsWith('uncertain')) {
    return [text(`Not certain (${reasonOf(entry)}): `), ...who, text(` may have added ${what}`), ...approved]
  }
  return [text(`Not granted (${reasonOf(entry)}): `), ...who, text(` wanted to add ${what}`), ...approved]
}

const longestPeople = 2000

function peopleOf(emails: readonly string[]): string {
  const named = cut(emails.map(apart).join(', '), longestPeople)
  return emails.length === 1 ? named : `${emails.length} people (${named})`
}

/** An attempt to approve is about the whole request, and may name nobody. */
function accessOf(entry: Entry, emails: readonly string[]): string {
  const whom = emails.length === 0 ? '' : `${peopleOf(emails)} on `
  return `${whom}container ${entry.containerId}, ${access(entry)}`
}

const reasons: Readonly<Record<string, string>> = {
  ...causeWords,
  'four-eyes': 'nobody approves their own request or access',
  'unknown-approver': 'Slack didn’t say who they are',
}

/** A reason that is not known here stands as it was recorded. */
function reasonOf({ outcome, containerId }: Entry): string {
  const reason = outcome.slice(outcome.indexOf(':') + 1)
  const code = notDoneCodes.find((one) => one === reason)
  if (code !== undefined) return refusals[code]('the', `container ${containerId}`)[0]
  return reasons[reason] ?? reason.replaceAll('-', ' ')
}
