// The card of a request: who asks for what, for whom and why, and how it stands, in a few words and in detail. Pure.
import {
  type Access,
  accessOf,
  containerOf,
  extrasOf,
  isGranted,
  publicly,
  type Result,
  resultsOf,
  wantedWords,
} from '../../grant/access.ts'
import { lookAlikeReasons } from '../../grant/line.ts'
import { whatBecame } from '../../grant/render/explain.ts'
import { allowedWords, type Roles, sensitiveFlags } from '../../grant/roles.ts'
import { declinedSign } from '../../send/outcome.ts'
import type { Approval, Named } from '../../send/request.ts'
import { button, describe, type Line, type LineElement, type Message } from '../../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  type MentionIds,
  mentionElements,
  richSince,
} from '../../slack/text/mrkdwn.ts'

/** Action ids of the card's buttons. Each carries the request's id. */
export const actions = {
  approve: 'approval.approve',
  decline: 'approval.decline',
  withdraw: 'approval.withdraw',
} as const

/** @param mention - Who is mentioned: when it is posted, and never again. */
export function renderRequest(request: Approval, roles: Roles, mention: MentionIds = []): Message {
  const { id, state, approval } = request
  const access = accessOf(request)
  const isOpen = state === 'requested'
  const where = escapeText(containerOf(access, approval.container))
  const until = date(Math.floor(approval.until / 1000))
  return describe({
    lines: [
      ...leadOf(request, roles),
      ...[besides(access).join(' · ')].filter(Boolean),
      ...flagLines(access),
      ...detailsOf(request),
      ...(isOpen && mention.length > 0 ? [['To decide: ', ...mentionElements(mention)]] : []),
    ],
    quote: approval.reason,
    notes: isOpen ? [`Anyone who may add people to ${where} can approve · expires ${until}`] : [],
    buttons: isOpen
      ? [
          button(actions.approve, 'Approve', id, 'primary'),
          button(actions.decline, 'Decline', id),
          button(actions.withdraw, 'Withdraw', id),
        ]
      : [],
  })
}

/** The first lines: what is asked for, or how it ended and then what it was. */
function leadOf(request: Approval, roles: Roles): readonly Line[] {
  const { endedAt, approval } = request
  const state = stateWordsOf(request)
  const { askerName, container } = approval
  const wanted = wantedInFull(accessOf(request), roles, container)
  if (state === undefined) return [[richText(`🔑 ${askerName} asks: ${wanted}`, true)]]
  const since = state.isTimed && endedAt !== undefined ? [richSince(Math.floor(endedAt / 1000))] : []
  return [
    [...stateElements(state), ...since.flatMap((ago) => [richText(' ', true), ago])],
    [richText(`${askerName} asked: ${wanted}`)],
  ]
}

/** The news in bold, and what is behind it. */
export function stateElements({ words, rest }: StateWords): readonly LineElement[] {
  return [richText(words, true), ...(rest === undefined ? [] : [richText(rest)])]
}

/** Not cut, as the parts of other lines are. */
export function richText(words: string, isBold = false) {
  return { type: 'text' as const, text: words, ...(isBold ? { style: { bold: true } } : {}) }
}

/** “Responder on Customer 1 (12) for 2 people (…)”: naming everybody. Raw. */
export function wantedInFull(access: Access, roles: Roles, container?: string): string {
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
  const nameOf = (one: Named | undefined) => (one && one.userId === readerId ? 'you' : (one?.name ?? ''))
  if (state === 'requested') return undefined
  switch (end) {
    case 'sent':
      return approvedWords(request, nameOf(approver))
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
function approvedWords(request: Approval, by: string): StateWords {
  const results = resultsOf(request)
  const granted = results.filter(isGranted).length
  if (granted === results.length) return { words: `✅ Granted by ${by}`, isTimed: true }
  const unsure = results.filter(({ outcome }) => outcome.kind === 'uncertain').length
  if (unsure > 0) {
    const of = results.length === 1 ? 'whether it was granted' : `for ${unsure} of ${results.length} people`
    return { words: `❓ Approved by ${by}, but it’s not certain ${of}` }
  }
  const but =
    granted === 0 ? 'monitoring refused it' : `only ${granted} of ${results.length} people got access`
  return { words: `⚠️ Approved by ${by}, but ${but}`, next: 'To ask again, use /grant.' }
}

/** Why it was not granted, or what to check, for everybody who sees the request. */
export function detailsOf(request: Approval): readonly string[] {
  const results = request.end === 'sent' ? publicly(resultsOf(request)) : []
  return explained(request, results, request.approval.approver?.name ?? '')
}

/** An address is no longer where it stands in full above. */
const briefEmail = 60

/**
 * Why people got nothing, and what to do; nothing where everybody got it.
 * @param approverName - Missing where only the approver reads it, with what their own token has shown.
 */
export function explained(request: Approval, results: readonly Result[], approverName?: string) {
  if (results.every(isGranted)) return []
  const shown = results.map((one) => ({ ...one, email: cut(one.email, briefEmail) }))
  const { container } = request.approval
  const view = { askerName: approverName, container, roles: {} }
  const { each, below } = whatBecame(accessOf(request), shown, view)
  return [...each, ...below]
}
