// Lines in the audit channel: one for each step of each person. Pure.
import type { RichTextText } from '@slack/types'
import { causeWords, extrasOf, notDoneCodes, refusals } from '../send/outcome.ts'
import { bold, describe, type Message } from '../slack/outbound/message.ts'
import { apart } from '../slack/person.ts'
import type { Entry, Outcome } from './trail.ts'

/** People an entry tells of, by their ids, as a line names them: `@alice (Alice Archer)`; undefined where Slack does not say. */
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

type Piece = string | RichTextText

export function renderLine(entry: Entry, names: SlackNames): Message {
  return describe({ lines: [[...pieceOf(entry, names), '.']] })
}

function pieceOf(entry: Entry, names: SlackNames): Piece[] {
  const { act, userId, askerId, containerId, email } = entry
  const who = person(names, userId)
  // An attempt to approve is about the whole request, and may name nobody.
  const whom = email === undefined ? [] : [apart(email), ' on ']
  const wish = [': ', ...whom, `container ${containerId}, ${access(entry)}`]
  const asked = askerId === userId ? [' their own request'] : [' a request from ', ...person(names, askerId)]
  switch (act) {
    case 'grant':
      return grantPieces(entry, names)
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

function grantPieces(entry: Entry, names: SlackNames): Piece[] {
  const { containerId, outcome, userId, approverId, had, email = '' } = entry
  const reason = reasonOf(entry)
  const [before, did] =
    outcome === 'done'
      ? ['', ' added ']
      : outcome.startsWith('uncertain')
        ? [`Not certain (${reason}): `, ' may have added ']
        : [`Not granted (${reason}): `, ' wanted to add ']
  // Flags are added to what somebody had who was there.
  const what =
    had === undefined
      ? `${apart(email)} to container ${containerId}: ${access(entry)}`
      : `${access(entry)} to what ${apart(email)} had on container ${containerId}: ${had.join(', ') || 'no flags'}`
  const approved = approverId === undefined ? [] : [', approved by ', ...person(names, approverId)]
  return [before, ...person(names, userId), did, what, ...approved]
}

/** In bold to the end of the name, and with the id, which nobody can choose. */
function person(names: SlackNames, id: string | undefined): Piece[] {
  const name = names.get(id ?? '')
  return [bold(name || id || 'Somebody'), name ? ` (${id})` : '']
}

/** “READ, API · member · via Google”. */
export function access({
  permissions = [],
  ...rest
}: Pick<Entry, 'permissions' | 'member' | 'authProvider'>): string {
  return [permissions.join(', ') || 'Dashboards only', ...extrasOf(rest)].join(' · ')
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
