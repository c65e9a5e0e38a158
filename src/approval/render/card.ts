// The card of a request: who asks for what, for whom and why, and how it stands, in a few words and in detail. Pure.

import type { Access, Result } from '../../grant/access.ts'
import { sensitiveFlags } from '../../grant/flags.ts'
import { lookAlikeReasons } from '../../grant/line/people.ts'
import { containerOf, extrasOf, wantedWords } from '../../grant/render/access.ts'
import { whatBecame } from '../../grant/render/receipt.ts'
import { allowedWords, type Roles } from '../../grant/roles.ts'
import { declinedSign } from '../../send/words.ts'
import { button, describe, type Line, type LineElement, type Message } from '../../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  type MentionIds,
  mentionElements,
  mrkdwn,
  richSince,
} from '../../slack/text/mrkdwn.ts'
import { type Approval, type Verdict, verdictOf } from '../approvals.ts'

/** Action ids of the card's buttons. Each carries the request's id. */
export const actions = {
  approve: 'approval.approve',
  decline: 'approval.decline',
  withdraw: 'approval.withdraw',
} as const

/** How a card looks besides what is known of its request. */
export interface CardLook {
  /** Names for sets of flags, as this installation has them. */
  readonly roles: Roles
  /** Who is mentioned: when it is posted, and never again. */
  readonly mention?: MentionIds
}

export function renderCard(approval: Approval, look: CardLook): Message {
  const { id, access, reason } = approval
  const isOpen = approval.state === 'requested'
  const { mention = [] } = look
  const message = describe({
    lines: [
      ...leadOf(approval, look),
      // The lead counts several.
      ...(access.emails.length > 1 ? [[richText(access.emails.join(', '))]] : []),
      ...[besides(access).join(' · ')].filter(Boolean),
      ...flagLines(access),
      ...detailsOf(approval),
      ...(isOpen && mention.length > 0 ? [['To decide: ', ...mentionElements(mention)]] : []),
    ],
    quote: reason,
    buttons: isOpen
      ? [
          button(actions.approve, 'Approve', id, 'primary'),
          button(actions.decline, 'Decline', id),
          button(actions.withdraw, 'Withdraw', id),
        ]
      : [],
  })
  if (!isOpen) return message
  return { ...message, blocks: [...message.blocks, { type: 'context', elements: [whoAndUntil(approval)] }] }
}

function whoAndUntil(approval: Approval) {
  const until = date(Math.floor(approval.until / 1000))
  return mrkdwn(
    `Anyone who may add people to ${escapeText(whereOf(approval))} can approve · expires ${until}`,
  )
}

/** The first lines: what is asked for, or how it ended and then what it was. */
function leadOf(approval: Approval, { roles }: CardLook): readonly Line[] {
  const { askerName, endedAt } = approval
  const state = stateWordsOf(approval)
  const asker = shortName(askerName)
  const wanted = wantedWords(approval.access, roles, approval.container)
  if (state === undefined) return [[richText(`🔑 ${asker} asks: ${wanted}`, true)]]
  const isTimed = state.isTimed && endedAt !== undefined
  return [
    [
      ...stateElements(state),
      ...(isTimed ? [richText(' ', true), richSince(Math.floor(endedAt / 1000))] : []),
    ],
    [richText(`${asker} asked: ${wanted}`)],
  ]
}

/** The news in bold, and what is behind it. Not cut, as the parts of other lines are. */
export function stateElements({ words, rest }: StateWords): readonly LineElement[] {
  return [richText(words, true), ...(rest === '' ? [] : [richText(rest)])]
}

export function richText(words: string, isBold = false) {
  return { type: 'text' as const, text: words, ...(isBold ? { style: { bold: true } } : {}) }
}

/** What is asked for, and where. */
export type Wanted = Pick<Approval, 'access' | 'container'>

/** The container as whoever reads a request may know it: “Customer 1 (12)”, else “container 12”. Raw. */
export function whereOf({ access, container }: Wanted): string {
  return containerOf(access, container)
}

/** “Responder on Customer 1 (12) for 2 people (…)”: as the card, naming everybody. Raw. */
export function wantedInFull(wanted: Wanted, roles: Roles): string {
  const { access, container } = wanted
  const words = wantedWords(access, roles, container)
  return access.emails.length === 1 ? words : `${words} (${access.emails.join(', ')})`
}

/** What they can do, in the form’s own words; all that is sensitive is named, and never cut. */
function flagLines({ permissions }: Access): readonly Line[] {
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag))
  const others = allowedWords(permissions.filter((flag) => !sensitiveFlags.has(flag)))
  if (sensitive.length === 0) return others === '' ? [] : [[richText(`${others} · none sensitive`)]]
  const first = [richText(`⚠️ Sensitive: ${allowedWords(sensitive)}`)]
  return others === '' ? [first] : [first, [richText(`Also: ${others}`)]]
}

/** What there is to know besides: how they join, how they sign in, and addresses that look like others. Raw. */
export function besides(access: Access): readonly string[] {
  return [...extrasOf(access), ...lookAlikeReasons(access)]
}

const longestName = 80
/** An address is no longer where it stands in full above. */
const briefEmail = 60

/** Names as they are shown, raw. */
export function shortName(name: string): string {
  return cut(name, longestName)
}

export interface StateWords {
  /** The news. */
  readonly words: string
  /** Behind it. */
  readonly rest: string
  /** How long ago it was belongs behind them. */
  readonly isTimed: boolean
}

/** Says how it stands; undefined while it is open. @param readerId - Who is “you”, where one person reads it. */
export function stateWordsOf(approval: Approval, readerId?: string): StateWords | undefined {
  const { state, ending, approver, asker, askerName } = approval
  const nameOf = (userId: string | undefined, name: string) => (userId === readerId ? 'you' : shortName(name))
  if (state === 'requested') return undefined
  const by = approver === undefined ? '' : nameOf(approver.userId, approver.name)
  if (state === 'sending' || ending === undefined) {
    return { words: `⏳ Approved by ${by}, granting now`, rest: '', isTimed: false }
  }
  switch (ending.kind) {
    case 'approved':
      return approvedWords(ending.results, by)
    case 'declined':
      return {
        words: `${declinedSign} Declined by ${nameOf(ending.by.userId, ending.by.name)}`,
        rest: `: “${ending.reason}”`,
        isTimed: false,
      }
    case 'withdrawn':
      return { words: `➖ Withdrawn by ${nameOf(asker.userId, askerName)}`, rest: '', isTimed: true }
    case 'expired':
      return { words: '⌛ Expired: nobody decided in time', rest: '', isTimed: false }
    default:
      return ending satisfies never
  }
}

const verdictSigns: Readonly<Record<Verdict, string>> = {
  granted: '✅',
  'in-part': '⚠️',
  'not-granted': '⚠️',
  uncertain: '❓',
}

function approvedWords(results: readonly Result[], by: string): StateWords {
  const verdict = verdictOf(results)
  const sign = verdictSigns[verdict]
  if (verdict === 'granted') return { words: `${sign} Granted by ${by}`, rest: '', isTimed: true }
  return { words: `${sign} Approved by ${by}, ${afterApproval(results)}`, rest: '', isTimed: false }
}

/** What came of an approval, behind who approved it. */
function afterApproval(results: readonly Result[]): string {
  const count = (kind: Result['outcome']['kind']) =>
    results.filter(({ outcome }) => outcome.kind === kind).length
  const verdict = verdictOf(results)
  switch (verdict) {
    case 'granted':
      return 'and access has been granted'
    case 'in-part':
      return `but only ${count('done')} of ${results.length} people got access`
    case 'not-granted':
      return 'but monitoring refused it'
    case 'uncertain':
      return results.length === 1
        ? 'but it’s not certain whether it was granted'
        : `but it’s not certain for ${count('uncertain')} of ${results.length} people`
    default:
      return verdict satisfies never
  }
}

/**
 * Why it was not granted, or what to check, for everybody who sees the request. Nothing where the words of how it stands
 * say it all.
 */
export function detailsOf({ ending, access, container, approver }: Approval): readonly string[] {
  if (ending?.kind !== 'approved' || verdictOf(ending.results) === 'granted') return []
  const shown = ending.results.map((one) => ({ ...one, email: cut(one.email, briefEmail) }))
  return whatBecame(access, shown, { senderName: approver?.name ?? '', container })
}
