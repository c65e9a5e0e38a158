// The card of a request: who asks for what, for whom and why, and how it stands. Pure.

import type { Button, Overflow } from '@slack/types'
import {
  type Access,
  accessOf,
  isGranted,
  publicly,
  type Result,
  resultsOf,
} from '../../grant/access.ts'
import { containerShown } from '../../grant/access-name.ts'
import { endsLine, extensions, untilLine } from '../../grant/render/ends.ts'
import {
  accessLine,
  inFull,
  inOnePiece,
  lostWords,
  warningWords,
  whatBecame,
} from '../../grant/render/words.ts'
import type { Roles } from '../../grant/roles.ts'
import { accessKinds } from '../../send/access-kinds.ts'
import { isRefusedFor, outcomeWords } from '../../send/outcome.ts'
import type { Approval, Named } from '../../send/request.ts'
import {
  bold,
  button,
  describe,
  type Line,
  type Message,
  menu,
} from '../../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  type MentionIds,
  mentionElements,
  plain,
  richSince,
} from '../../slack/text/mrkdwn.ts'
import { durationWords } from '../../work/durations.ts'

export const actions = {
  approve: 'approval.approve',
  approveFor: 'approval.approve-for',
  decline: 'approval.decline',
  withdraw: 'approval.withdraw',
} as const

/** @param mention - Who is mentioned: when it is posted, and never again. */
export function renderRequest(request: Approval, roles: Roles, mention: MentionIds = []): Message {
  const { id, state, approval } = request
  const access = accessOf(request)
  const isOpen = state === 'requested'
  const where = escapeText(containerShown(access, approval.container))
  const until = date(Math.floor(approval.until / 1000))
  return describe({
    lines: [
      ...leadOf(request, roles),
      ...warningWords(access, `${approval.askerName}’s`).map((one) => [bold(one)]),
      inOnePiece([...lostWords(access, roles), ...inFull(access, roles), ...detailsOf(request)]),
      isOpen
        ? endsLine(access, 'the approver’s')
        : untilLine(access, request.endsAt, 'the approver’s'),
      isOpen && mention.length > 0 ? ['To decide: ', ...mentionElements(mention)] : undefined,
    ],
    quote: approval.reason,
    notes: isOpen ? [`Anyone who may add people to ${where} can approve · expires ${until}`] : [],
    buttons: isOpen
      ? [
          button(actions.approve, 'Approve', id, 'primary'),
          button(actions.decline, 'Decline', id),
          button(actions.withdraw, 'Withdraw', id),
          ...shorter(id, access),
        ]
      : [],
  })
}

/** *Approve* for a shorter time than was asked for. */
function shorter(id: string, { ends }: Access): readonly (Button | Overflow)[] {
  if (ends === undefined || !('forMs' in ends)) return []
  const options = Object.values(extensions)
    .filter((ms) => ms < ends.forMs)
    .map((ms) => ({ text: plain(`Approve for ${durationWords(ms)}`), value: `${id} for ${ms}` }))
  return menu(actions.approveFor, options)
}

function leadOf(request: Approval, roles: Roles): readonly Line[] {
  const { endedAt, approval } = request
  const state = stateWordsOf(request)
  const { askerName, container } = approval
  const wanted = accessLine(accessOf(request), roles, container)
  if (state === undefined) return [[bold(`🔑 ${askerName} asks: ${wanted}`)]]
  const since = endedAt === undefined ? [] : [' ', richSince(Math.floor(endedAt / 1000))]
  return [[bold(state), ...since], inOnePiece([`${askerName} asked: ${wanted}`])]
}

/** State in words; undefined while open. @param readerId - Who is “you”, where one person reads it. */
export function stateWordsOf(request: Approval, readerId?: string): string | undefined {
  const { state, end, askerId, approval } = request
  const { approver, declined, askerName } = approval
  const nameOf = (one: Named | undefined) =>
    one && one.userId === readerId ? 'you' : (one?.name ?? '')
  if (state === 'requested') return undefined
  switch (end) {
    case 'sent': {
      const { kind } = accessOf(request)
      const [results, by] = [resultsOf(request), nameOf(approver)]
      const granted = results.filter(isGranted).length
      const isSo = results.every(
        ({ outcome }) => outcome.kind === 'done' && outcome.on === 'already',
      )
      if (isSo) return `✅ Approved by ${by}, but it was so already`
      if (granted === results.length) return `✅ ${outcomeWords(kind, { kind: 'done' })} by ${by}`
      if (results.some(({ outcome }) => outcome.kind === 'uncertain'))
        return `❓ Approved by ${by}, but it’s not certain whether it was done`
      const isUnsent = results.every(({ outcome }) =>
        isRefusedFor(outcome, ['changed', 'is-there']),
      )
      const refused = isUnsent ? 'nothing was sent' : 'monitoring refused it'
      const but =
        granted === 0
          ? refused
          : `only ${granted} of ${results.length} were ${accessKinds[kind].deed}`
      return `⚠️ Approved by ${by}, but ${but}`
    }
    case 'declined':
      return `🚫 Declined by ${nameOf(declined?.by)}: “${declined?.reason}”`
    case 'withdrawn':
      return `➖ Withdrawn by ${nameOf({ userId: askerId, name: askerName })}`
    case 'expired':
      return isOutlived(request)
        ? '⌛ Expired: the time that it was asked for has passed'
        : '⌛ Expired: nobody decided in time'
    default:
      return `⏳ Approved by ${nameOf(approver)}, under way`
  }
}

/** True where it could be decided on for as long as its own time allowed. */
function isOutlived(request: Approval): boolean {
  const { kind, ends } = accessOf(request)
  if (ends === undefined || !('at' in ends)) return false
  return kind === 'extend' || ends.at === request.approval.until
}

/** Addresses stand in full above. */
const briefEmail = 60

/** Why people got nothing, or what to check. @param ofApprover - What the approver’s token showed, for them alone. */
export function detailsOf(request: Approval, ofApprover?: readonly Result[]): readonly string[] {
  const isTried = request.end === 'sent' || (request.state === 'requested' && request.attempt > 0)
  const results = ofApprover ?? (isTried ? publicly(resultsOf(request)) : [])
  if (results.every(isGranted)) return []
  const shown = results.map((one) => ({ ...one, email: cut(one.email, briefEmail) }))
  const { container, approver } = request.approval
  const askerName = ofApprover ? undefined : (approver?.name ?? '')
  const { each, below } = whatBecame(accessOf(request), shown, { askerName, container, roles: {} })
  return [...each, ...below]
}
