// Lines in the audit channel, each about one entry of the trail. Pure.
import { type AccessKind, accessKinds, kindOfAct } from '../send/access-kinds.ts'
import { causeWords, extrasOf, notDoneCodes, refusals } from '../send/outcome.ts'
import { bold, describe, type LineElement, type Message } from '../slack/outbound/message.ts'
import { apart } from '../slack/person.ts'
import { richDateWithin, seconds } from '../slack/text/mrkdwn.ts'
import type { Entry, Outcome } from './trail.ts'

/** Names of an entry’s people as a line has them, `@alice (Alice Archer)`, by id; undefined if Slack doesn’t say. */
type SlackNames = ReadonlyMap<string, string | undefined>

const toldSteps: ReadonlySet<Entry['act']> = new Set(['ask', 'decline', 'withdraw', 'expire'])

/** Outcomes of pressing Approve that get a line of their own. After others, the lines of the grants tell what happened. */
const toldApprovals: ReadonlySet<Outcome> = new Set(['not-done:four-eyes', 'not-done:not-sent'])

/**
 * True for an entry that gets a line in the audit channel: access, and requests for it. All else is in the trail alone, as
 * not every reader of the channel may see every alert.
 */
export function hasLine({ act, outcome }: Entry): boolean {
  if (act === 'approve') return toldApprovals.has(outcome)
  return kindOfAct(act) !== undefined || toldSteps.has(act)
}

type LinePiece = string | LineElement

export function renderLine(entry: Entry, names: SlackNames): Message {
  return describe({ lines: [[...pieceOf(entry, names), '.']] })
}

function pieceOf(entry: Entry, names: SlackNames): LinePiece[] {
  const { act, userId, askerId, containerId, email, kind } = entry
  const done = kindOfAct(act)
  if (done !== undefined) return piecesOfAccess(entry, done, names)

  const who = person(names, userId)
  // The entry of a press of Approve is about the whole request, and may have no address.
  const whom = email === undefined ? [] : [apart(email), ' on ']
  const what = access(entry)
  const where = `container ${containerId}${what && `, ${what}`}`
  const wish = [kind === undefined ? ': ' : `: ${kind} `, ...whom, where]
  const asked =
    askerId === userId ? [' their own request'] : [' a request from ', ...person(names, askerId)]

  switch (act) {
    case 'ask':
      return [...who, ' asked for approval', ...wish]
    case 'approve':
      return [
        `Not approved (${reasonOf(entry)}): `,
        ...who,
        ' pressed Approve on',
        ...asked,
        ...wish,
      ]
    case 'decline':
      return [...(userId ? who : ['Bellhop']), ' declined', ...asked, ...wish]
    case 'withdraw':
      return [...who, ' withdrew their request', ...wish]
    case 'expire':
      return ['The request from ', ...person(names, askerId), ' has expired', ...wish]
    default:
      throw new TypeError(`${act} has no line`)
  }
}

function piecesOfAccess(entry: Entry, kind: AccessKind, names: SlackNames): LinePiece[] {
  const { containerId, userId, approverId, had, has, personId, until } = entry
  const { audit, gives } = accessKinds[kind]
  const flagsOf = (flags: readonly string[]) => flags.join(', ') || 'no flags'
  const after = has ? flagsOf(has) : access(entry)
  const change = had === undefined ? access(entry) : `${flagsOf(had)} → ${after}`
  const hadWords = had === undefined ? '' : `had ${flagsOf(had)}`
  const given = kind === 'change' ? change : access(entry)
  const what = gives ? given : hadWords

  const forGood = kind === 'extend' ? [', for good'] : []
  const lasts = until === undefined ? forGood : [', until ', richDateWithin(seconds(until))]

  const whom = entry.email ? apart(entry.email) : `user ${personId}`
  const approved = approverId === undefined ? [] : [', approved by ', ...person(names, approverId)]
  const where = ` ${audit.before} container ${containerId}`

  const [before, verb] = howItCame(entry, kind)
  return [
    before,
    ...person(names, userId),
    ` ${verb} `,
    whom,
    where,
    what && `: ${what}`,
    ...lasts,
    ...approved,
  ]
}

/** Words before and behind the name of whoever did it: “Not certain (…): ”, “may have added”, “would have added”. */
function howItCame(entry: Entry, kind: AccessKind): readonly [before: string, verb: string] {
  const { did } = accessKinds[kind].audit
  const reason = reasonOf(entry)
  if (entry.outcome === 'done') return ['', did]
  if (entry.outcome.startsWith('uncertain')) return [`Not certain (${reason}): `, `may have ${did}`]
  return [`Not ${kind === 'add-user' ? 'granted' : 'done'} (${reason}): `, `would have ${did}`]
}

/** The person’s name in bold, and their id, as people choose their names; only the id if Slack gives no name. */
function person(names: SlackNames, id: string | undefined): LinePiece[] {
  const name = names.get(id ?? '')
  return [bold(name || id || 'Somebody'), name ? ` (${id})` : '']
}

/**
 * The access that a record is about: “READ, API · member · via Google”, or “Dashboards only” without flags. For a change,
 * “+ BILLING · − WEBHOOKS”. Empty for a kind of write that gives nothing, such as a removal.
 */
export function access(
  entry: Pick<Entry, 'act' | 'kind' | 'permissions' | 'takes' | 'member' | 'authProvider'>,
): string {
  const { act, kind = act, permissions = [], takes = [], member } = entry
  const known = kindOfAct(kind)
  if (known !== undefined && !accessKinds[known].gives) return ''

  const given = permissions.join(', ')
  if (kind !== 'change') return [given || 'Dashboards only', ...extrasOf(entry)].join(' · ')

  const taken = takes.join(', ')
  const isMember = member ? 'member' : 'no member'
  return [given && `+ ${given}`, taken && `− ${taken}`, member !== undefined && isMember]
    .filter(Boolean)
    .join(' · ')
}

const reasons: Readonly<Record<string, string>> = {
  ...causeWords,
  'four-eyes': 'nobody approves their own request or access, or what may be theirs',
  'not-sent': 'nothing was sent',
  already: 'it was so already',
  'said-gone': 'they looked, and say that it’s gone',
}

/** The reason in words; if there are no words for it, the reason as it was recorded. */
function reasonOf({ act, outcome, containerId }: Entry): string {
  const reason = outcome.slice(outcome.indexOf(':') + 1)
  const code = notDoneCodes.find((one) => one === reason)
  if (code !== undefined)
    return refusals[code]('the', `container ${containerId}`, kindOfAct(act) ?? 'add-user')[0]
  return reasons[reason] ?? reason.replaceAll('-', ' ')
}
