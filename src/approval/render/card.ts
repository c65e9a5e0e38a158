// The card of a request: who asks for what, for whom and why, and how it stands, in a few words and in detail. Pure.

import { type Access, accessOf, isGranted, type Result, resultsOf } from '../../grant/access.ts'
import { sensitiveFlags } from '../../grant/flags.ts'
import { lookAlikeReasons } from '../../grant/line/people.ts'
import { containerOf, extrasOf, wantedWords } from '../../grant/render/access.ts'
import { whatBecame } from '../../grant/render/explain.ts'
import { allowedWords, type Roles } from '../../grant/roles.ts'
import type { Named } from '../../send/request.ts'
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
import type { Approval } from '../approvals.ts'

/** Action ids of the card's buttons. Each carries the request's id. */
export const actions = {
  approve: 'approval.approve',
  decline: 'approval.decline',
  withdraw: 'approval.withdraw',
} as const

/** @param mention - Who is mentioned: when it is posted, and never again. */
export function renderCard(request: Approval, roles: Roles, mention: MentionIds = []): Message {
  const { id, state, approval } = request
  const access = accessOf(request)
  const isOpen = state === 'requested'
  const message = describe({
    lines: [
      ...leadOf(request, roles),
      // The lead counts several.
      ...(access.emails.length > 1 ? [[richText(access.emails.join(', '))]] : []),
      ...[besides(access).join(' · ')].filter(Boolean),
      ...flagLines(access),
      ...detailsOf(request),
      ...(isOpen && mention.length > 0 ? [['To decide: ', ...mentionElements(mention)]] : []),
    ],
    quote: approval.reason,
    buttons: isOpen
      ? [
          button(actions.approve, 'Approve', id, 'primary'),
          button(actions.decline, 'Decline', id),
          button(actions.withdraw, 'Withdraw', id),
        ]
      : [],
  })
  if (!isOpen) return message
  return { ...message, blocks: [...message.blocks, { type: 'context', elements: [whoAndUntil(request)] }] }
}

function whoAndUntil(request: Approval) {
  const until = date(Math.floor(request.approval.until / 1000))
  return mrkdwn(`Anyone who may add people to ${escapeText(whereOf(request))} can approve · expires ${until}`)
}

/** The first lines: what is asked for, or how it ended and then what it was. */
function leadOf(request: Approval, roles: Roles): readonly Line[] {
  const { endedAt, approval } = request
  const state = stateWordsOf(request)
  const asker = shortName(approval.askerName)
  const wanted = wantedWords(accessOf(request), roles, approval.container)
  if (state === undefined) return [[richText(`🔑 ${asker} asks: ${wanted}`, true)]]
  const since = state.isTimed && endedAt !== undefined ? [richSince(Math.floor(endedAt / 1000))] : []
  return [
    [...stateElements(state), ...since.flatMap((ago) => [richText(' ', true), ago])],
    [richText(`${asker} asked: ${wanted}`)],
  ]
}

/** The news in bold, and what is behind it. Not cut, as the parts of other lines are. */
export function stateElements({ words, rest }: StateWords): readonly LineElement[] {
  return [richText(words, true), ...(rest === undefined ? [] : [richText(rest)])]
}

export function richText(words: string, isBold = false) {
  return { type: 'text' as const, text: words, ...(isBold ? { style: { bold: true } } : {}) }
}

/** What is asked for, and the container's name as whoever reads a request may know it: “Customer 1 (12)”. Raw. */
export interface Wanted {
  readonly access: Access
  readonly container: string | undefined
}

export function wantedIn(request: Approval): Wanted {
  return { access: accessOf(request), container: request.approval.container }
}

/** “Customer 1 (12)”, else “container 12”. Raw. */
export function whereOf(request: Approval): string {
  return containerOf(accessOf(request), request.approval.container)
}

/** “Responder on Customer 1 (12) for 2 people (…)”: as the card, naming everybody. Raw. */
export function wantedInFull({ access, container }: Wanted, roles: Roles): string {
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
  readonly rest?: string
  /** How long ago it was belongs behind them. */
  readonly isTimed?: true
  /** What whoever asked can do next. */
  readonly next?: string
}

/** Says how it stands; undefined while it is open. @param readerId - Who is “you”, where one person reads it. */
export function stateWordsOf(request: Approval, readerId?: string): StateWords | undefined {
  const { state, end, askerId, approval } = request
  const { approver, declined, askerName } = approval
  const nameOf = (one: Named | undefined) =>
    one && one.userId === readerId ? 'you' : shortName(one?.name ?? '')
  if (state === 'requested') return undefined
  switch (end) {
    case 'sent':
      return approvedWords(resultsOf(request), nameOf(approver))
    case 'declined':
      return {
        words: `${declinedSign} Declined by ${nameOf(declined?.by)}`,
        rest: `: “${declined?.reason}”`,
        next: 'To ask for something else, use /grant.',
      }
    case 'withdrawn':
      return { words: `➖ Withdrawn by ${nameOf({ userId: askerId, name: askerName })}`, isTimed: true }
    case 'expired':
      return {
        words: '⌛ Expired: nobody decided in time',
        next: 'Nothing was granted. To ask again, use /grant.',
      }
    default:
      return { words: `⏳ Approved by ${nameOf(approver)}, granting now` }
  }
}

/** What came of an approval, with who gave it. */
function approvedWords(results: readonly Result[], by: string): StateWords {
  const count = (kind: Result['outcome']['kind']) =>
    results.filter(({ outcome }) => outcome.kind === kind).length
  const [all, granted, unsure] = [results.length, count('done'), count('uncertain')]
  if (granted === all) return { words: `✅ Granted by ${by}`, isTimed: true }
  if (unsure > 0) {
    const what = all === 1 ? 'whether it was granted' : `for ${unsure} of ${all} people`
    return { words: `❓ Approved by ${by}, but it’s not certain ${what}` }
  }
  if (granted === 0) {
    const words = `⚠️ Approved by ${by}, but monitoring refused it`
    return { words, next: 'To try something else, use /grant.' }
  }
  return {
    words: `⚠️ Approved by ${by}, but only ${granted} of ${all} people got access`,
    next: 'To ask again for the others, use /grant.',
  }
}

/**
 * Why it was not granted, or what to check, for everybody who sees the request. Nothing where the words of how it stands
 * say it all.
 */
export function detailsOf(request: Approval): readonly string[] {
  const results = request.end === 'sent' ? resultsOf(request) : []
  if (results.every(isGranted)) return []
  const { approver, container } = request.approval
  const shown = results.map((one) => ({ ...one, email: cut(one.email, briefEmail) }))
  return whatBecame(accessOf(request), shown, { askerName: approver?.name ?? '', container, roles: {} })
}
