// Messages about a request: its card (who asks for what, for whom and why, and how it stands), messages to one person, and
// the modals for its reason and for declining it. Pure.

import type { Button, ConversationsSelect, KnownBlock, Overflow } from '@slack/types'
import {
  type Access,
  accessOf,
  isGranted,
  publicly,
  type Result,
  resultsOf,
} from '../grant/access.ts'
import { endsLine, extensions, untilLine } from '../grant/render/lasting.ts'
import { lookedNotes } from '../grant/render/receipt.ts'
import {
  accessLine,
  inFull,
  inOnePiece,
  lostWords,
  outcomeWords,
  warningWords,
  whatBecame,
} from '../grant/render/words.ts'
import type { Roles } from '../grant/roles.ts'
import { accessKinds } from '../send/access-kinds.ts'
import type { Approval, NamedPerson } from '../send/request.ts'
import {
  bold,
  button,
  describe,
  formView,
  input,
  type Line,
  type Message,
  menu,
  sayMarked,
  textElement,
  type View,
} from '../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  type MentionIds,
  mentionElements,
  plain,
  richDateWithin,
  richSince,
} from '../slack/text/mrkdwn.ts'
import { durationWords } from '../work/durations.ts'

export const actions = {
  approve: 'approval.approve',
  approveFor: 'approval.approve-for',
  decline: 'approval.decline',
  withdraw: 'approval.withdraw',
} as const

/** The card of a request. @param mention - People to mention, only when the card is first posted. */
export function renderRequest(request: Approval, roles: Roles, mention: MentionIds = []): Message {
  const { id, state, approval } = request
  const access = accessOf(request)
  const isOpen = state === 'to-approve'
  const where = escapeText(approval.container)
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

/** Buttons that approve for a shorter time than was asked for. */
function shorter(id: string, { ends }: Access): readonly (Button | Overflow)[] {
  if (ends === undefined || !('forMs' in ends)) return []

  const options = [...extensions.values()]
    .filter((ms) => ms < ends.forMs)
    .map((ms) => ({ text: plain(`Approve for ${durationWords(ms)}`), value: `${id} for ${ms}` }))
  return menu(actions.approveFor, options)
}

function leadOf(request: Approval, roles: Roles): readonly Line[] {
  const { concludedAt, approval } = request
  const state = stateWordsOf(request)
  const { askerName, container } = approval
  const wanted = accessLine(accessOf(request), roles, container)
  if (state === undefined) return [[bold(`🔑 ${askerName} asks: ${wanted}`)]]

  const since = concludedAt === undefined ? [] : [' ', richSince(Math.floor(concludedAt / 1000))]
  return [[bold(state), ...since], inOnePiece([`${askerName} asked: ${wanted}`])]
}

/**
 * The state of a request in words; undefined while it is open.
 * @param readerId - The one person who reads it, and is called “you”.
 */
export function stateWordsOf(request: Approval, readerId?: string): string | undefined {
  const { state, askerId, approval } = request
  const { approver, declined, askerName } = approval
  const nameOf = (one: NamedPerson | undefined) =>
    one && one.userId === readerId ? 'you' : (one?.name ?? '')
  if (state === 'to-approve') return undefined

  switch (state) {
    case 'sent':
      return sentWords(request, nameOf(approver))
    case 'declined':
      return `🚫 Declined by ${nameOf(declined?.by)}: “${declined?.reason}”`
    case 'withdrawn':
      return `➖ Withdrawn by ${nameOf({ userId: askerId, name: askerName })}`
    case 'expired':
      return '⌛ Expired: nobody decided in time'
    default:
      return `⏳ Approved by ${nameOf(approver)}, under way`
  }
}

/** State of a request that was sent, in words; raw. @param by - Name of the approver. */
function sentWords(request: Approval, by: string): string {
  const { kind } = accessOf(request)
  const results = resultsOf(request)
  const outcomes = results.map(({ outcome }) => outcome)
  const granted = results.filter(isGranted).length

  const wasSoAlready = outcomes.every((one) => one.kind === 'done' && one.ground === 'already')
  if (wasSoAlready) return `✅ Approved by ${by}, but it was so already`
  if (granted === results.length) return `✅ ${outcomeWords(kind, { kind: 'done' })} by ${by}`
  if (outcomes.some((one) => one.kind === 'uncertain'))
    return `❓ Approved by ${by}, but it’s not certain whether it was done`
  if (granted === 0) return `⚠️ Approved by ${by}, but nothing was done`

  const some = `only ${granted} of ${results.length} were ${accessKinds[kind].deed}`
  return `⚠️ Approved by ${by}, but ${some}`
}

/** Most characters of an address in a detail: the line above the details has the whole address. */
const briefEmail = 60

/**
 * Reasons why people got nothing, or what to check. Empty if everybody got their access, or nothing was tried.
 * @param ofApprover - What the approver’s token showed, for them alone.
 */
function detailsOf(request: Approval, ofApprover?: readonly Result[]): readonly string[] {
  const isTried =
    request.state === 'sent' || (request.state === 'to-approve' && request.attempt > 0)
  const results = ofApprover ?? (isTried ? publicly(resultsOf(request)) : [])
  if (results.every(isGranted)) return []

  const shown = results.map((one) => ({ ...one, email: cut(one.email, briefEmail) }))
  const { container, approver } = request.approval
  const askerName = ofApprover ? undefined : (approver?.name ?? '')
  const { each, below } = whatBecame(accessOf(request), shown, { askerName, container, roles: {} })
  return [...each, ...below]
}

/** Action id of the approver’s *Look again*. */
export const lookAction = 'approval.look-again'

export function renderAsked({ id, approval: { channelId, until } }: Approval): Message {
  const expires = richDateWithin(Math.floor(until / 1000))
  const channel = { type: 'channel', channel_id: channelId } as const
  const after = '. I’ll send you the result by direct message.'
  return describe({
    lines: [['Asked for approval in ', channel, '. It expires ', expires, after]],
    buttons: [button(actions.withdraw, 'Withdraw', id)],
  })
}

export type WhyNotPosted = keyof typeof nextSteps

const nextSteps = {
  shared: 'Another organisation can read it. Choose another channel, or ask whoever runs Bellhop.',
  'not-invited':
    'I’m not there, or can’t see whether another organisation reads there. Invite me with /invite @Bellhop, then press Ask for approval again; /alert doctor says what else is missing.',
  refused: 'Slack doesn’t let me post there. Press Ask for approval again once it does.',
} as const

/** Tells the asker why their request can’t be posted, once the request is deleted. */
export function renderNotPosted(channelId: string, why: WhyNotPosted): Message {
  return sayMarked(`I can’t post your request in <#${channelId}>. ${nextSteps[why]}`)
}

/** Results as the approver’s token showed them, for the approver alone; and the time of the last look, in Unix seconds. */
interface OfApprover {
  readonly results: readonly Result[]
  readonly lookedAt: number | undefined
}

/**
 * The outcome of a request, for its asker or its approver.
 * @param link - Address of the request’s card, if Slack gave one.
 */
export function renderConclusion(
  request: Approval,
  roles: Roles,
  link: string | undefined,
  ofApprover?: OfApprover,
): Message {
  const { approver, container } = request.approval
  const results = resultsOf(request)
  const isSure = results.every(({ outcome }) => outcome.kind !== 'uncertain')
  // While an outcome is uncertain, asking again isn’t offered: somebody has to look in monitoring first.
  const mayAsk = request.state !== 'sent' || (isSure && !results.every(isGranted))
  const whose = ofApprover ? 'your' : 'the approver’s'
  const next = ofApprover === undefined && mayAsk ? 'To ask again, use /grant. ' : ''
  const see =
    link === undefined ? '' : ({ type: 'link', url: link, text: 'See the request' } as const)
  return describe({
    lines: [
      [bold(stateWordsOf(request, ofApprover && approver?.userId) ?? '')],
      inOnePiece([
        accessLine(accessOf(request), roles, container),
        ...detailsOf(request, ofApprover?.results),
      ]),
      request.state === 'sent' ? untilLine(accessOf(request), request.endsAt, whose) : undefined,
      [next, see],
    ],
    notes: lookedNotes(ofApprover?.lookedAt),
    buttons: [ofApprover && !isSure ? button(lookAction, 'Look again', request.id) : undefined],
  })
}

/** Words for the approver if nothing was changed, because of their own token or for a reason that passes. Raw. */
export function stillOpenWords(request: Approval, results: readonly Result[]): string {
  return ['Nothing was changed. The request stays open.', ...detailsOf(request, results)].join('\n')
}

/**
 * Answer to a press that came too late to decide on a request: how the request stands now. Raw.
 * @param readerId - The presser.
 */
export function tooLateWords(request: Approval, readerId: string): string {
  const state = stateWordsOf(request, readerId)
  return state === undefined
    ? 'This request is open again, so you can decide now. Press again.'
    : `${state}.`
}

export const whyNot = {
  nothingToAsk:
    'There’s nothing to approve: this grant was already sent or asked about, or is no longer stored. To start over, use /grant.',
  directThere: 'A request can’t be posted in a direct message. Choose a channel.',
  isOver:
    'This request is no longer stored, or its time has passed. Whoever asked can ask again with /grant.',
  ownRequest:
    'You asked for this yourself, so somebody else has to decide. To take it back, press Withdraw.',
  forYou: 'This is your own access, so somebody else has to approve it.',
  noAddress:
    'I can’t see an email address in Slack, so I can’t tell whether the access is for whoever approves it. Whoever runs Bellhop can add the scope users:read.email.',
  notYetPosted:
    'Your request is saved, but Slack didn’t accept it just now. I’ll post it as soon as Slack accepts it.',
  sameToken:
    'You share a token with whoever asked for this or gets it, so you can’t approve it. Connect your own with /alert connect.',
  noAccount:
    'To decide on this, I need your monitoring account. Connect it, then press the button again.',
} as const

export const askView = 'approval.ask'
export const declineView = 'approval.decline'
export const reasonInput = 'reason'
export const channelInput = 'post-to'

export const noReason = 'Add a reason in a few words.'

const longestReason = 1000

function reasonBlock(hint: string): KnownBlock {
  const how = { multiline: true, max_length: longestReason, focus_on_load: true }
  return input(reasonInput, 'Reason', textElement(reasonInput, '', how), { hint })
}

function channelBlock(): KnownBlock {
  const element: ConversationsSelect = {
    type: 'conversations_select',
    action_id: channelInput,
    // A request is not for readers outside the organisation.
    filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
  }

  const hint = 'Choose a channel where colleagues can approve it.'
  return input(channelInput, 'Post to', element, { hint })
}

interface AskedAccess {
  readonly access: Access
  readonly container: string
  /** True if no channel is known, so that the form asks for one. */
  readonly asksWhere?: boolean
}

export function askModal(privateMetadata: string, asked: AskedAccess, roles: Roles): View {
  return formView(askView, 'Ask for approval', privateMetadata, [
    ...askedBlocks(asked, 'You’re asking for', roles),
    reasonBlock(
      'Your colleagues read this before they decide. They approve exactly what you see above.',
    ),
    ...(asked.asksWhere ? [channelBlock()] : []),
  ])
}

export function declineModal(privateMetadata: string, request: Approval, roles: Roles): View {
  const { askerName, container } = request.approval
  const asked = { access: accessOf(request), container }
  const blocks = [
    ...askedBlocks(asked, `${askerName} is asking for`, roles),
    reasonBlock('Whoever asked gets this reason, and everyone can see it on the request.'),
  ]
  return formView(declineView, 'Decline request', privateMetadata, blocks, 'Decline')
}

/** Access in full, as text that Slack does not interpret. */
function askedBlocks(
  { access, container }: AskedAccess,
  headline: string,
  roles: Roles,
): readonly KnownBlock[] {
  const lines = [inOnePiece([accessLine(access, roles, container), ...inFull(access, roles)])]
  return describe({ headline, lines }).blocks
}
