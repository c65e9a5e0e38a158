// What the bot says became of a grant: receipts for the asker, for the channel, and late ones. Pure.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import type { Message } from '../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import type { GrantOutcome, GrantRequest } from './grants.ts'
import { askApprovalButton } from './render-ask.ts'
import { doubts, type Reader, refusedWords, unsureWords, whyNobody } from './render-reasons.ts'
import { wishBlock, wishWords } from './render-wish.ts'
import { isForbidden, wishOf } from './wishes.ts'

/** Action ids of the buttons, for the listeners. */
export const grantAction = 'grant.confirm'
export const cancelAction = 'grant.cancel'
export const shareAction = 'grant.share'

const headings = {
  granted: '✅ Granted',
  'not-granted': '✋ Not granted',
  uncertain: '⚠️ Not certain',
} as const

/** What happened besides the heading, and what to do. Raw text; nothing for a grant that was made. */
function explanation(request: GrantRequest, outcome: GrantOutcome, reader: Reader): string {
  if (outcome.kind === 'granted') return ''
  if (outcome.kind === 'not-granted') {
    const { code } = outcome
    if (code !== 'bad-request') return whyNobody(code, request.containerId, reader)
    return refusedWords('The service refused it (400) and', `${request.email} is`, request)
  }
  const sent = outcome.doubt === 'stopped' ? 'It may have been sent' : 'It was sent'
  return unsureWords(`${sent}, but ${doubts[outcome.doubt]}`, `${request.email} is`, request, reader)
}

/** What happened besides the heading, for everybody, raw; nothing for a grant that was made. */
export function whatBecame(request: GrantRequest, outcome: GrantOutcome, senderName: string): string {
  return explanation(request, outcome, { is: 'channel', askerName: senderName })
}

function outcomeBlocks(request: GrantRequest, outcome: GrantOutcome, reader: Reader): KnownBlock[] {
  const why = explanation(request, outcome, reader)
  return [
    wishBlock(wishOf(request), headings[outcome.kind]),
    ...(why === '' ? [] : [{ type: 'section' as const, text: mrkdwn(escapeText(why)) }]),
  ]
}

const heads = {
  granted: 'Granted',
  'not-granted': 'Not granted',
  uncertain: 'Not certain whether granted',
} as const

/** Complete by itself: notifications and screen readers know nothing else. */
function sentence(request: GrantRequest, outcome: GrantOutcome, reader: Reader): string {
  const why = explanation(request, outcome, reader).replaceAll('\n', ' ')
  return escapeText(`${heads[outcome.kind]}: ${wishWords(wishOf(request))}. ${why}`.trim())
}

/** The receipt, for the asker alone. @param how.line - The command line that would have done the same. */
export function renderReceipt(
  grantId: string,
  request: GrantRequest,
  outcome: GrantOutcome,
  how: { readonly canShare: boolean; readonly line?: string | undefined; readonly note?: string | undefined },
): Message {
  const { canShare, line, note } = how
  const reader: Reader = { is: 'asker' }
  return {
    text: sentence(request, outcome, reader),
    blocks: [
      ...outcomeBlocks(request, outcome, reader),
      ...(note === undefined ? [] : [{ type: 'context' as const, elements: [literal(note)] }]),
      ...(line === undefined ? [] : lineBlocks('The same from the command line:', line)),
      ...buttonsBlock([
        ...(isForbidden(outcome) ? [askApprovalButton(grantId)] : []),
        ...(canShare ? [shareButton(grantId)] : []),
      ]),
    ],
  }
}

export function shareButton(id: string): ActionsBlockElement {
  return { type: 'button', action_id: shareAction, text: plain('Share in channel'), value: id }
}

/** Rich text, so that the line is copied exactly as it stands. */
export function lineBlocks(intro: string, line: string): KnownBlock[] {
  return [
    { type: 'context', elements: [literal(intro)] },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: line }] }],
    },
  ]
}

/** The receipt for everybody in the channel. @param askerName - Raw. @param about - What it is granted for. */
export function renderShared(
  askerName: string,
  request: GrantRequest,
  outcome: GrantOutcome,
  about?: { readonly name: string },
): Message {
  const reader: Reader = { is: 'channel', askerName }
  return {
    text: sentence(request, outcome, reader),
    blocks: [...outcomeBlocks(request, outcome, reader), requestedBy(askerName, about)],
  }
}

/** Raw. */
export function requestedBy(askerName: string, about: { readonly name: string } | undefined): KnownBlock {
  const reason = about === undefined ? '' : `, for ${cut(about.name, 200)}`
  return { type: 'context', elements: [literal(`requested by ${cut(askerName, 80)}${reason}`)] }
}

export const lateIntro = 'About a grant you asked for earlier, whose outcome could not be told at once.'

/** Below an outcome that takes the place of a doubt. */
export const doubtedNote = 'If I told you earlier that I wasn’t certain, this replaces it.'

/** The same, when the asker may have been told before that it is not certain. */
export const correctedIntro = `About a grant you asked for earlier. ${doubtedNote}`

export interface Late {
  /** What access was asked for, raw. */
  readonly about?: { readonly name: string } | undefined
  readonly wasDoubted?: boolean
}

/** What a late message is about. */
export function lateBlocks({ about, wasDoubted }: Late): KnownBlock[] {
  const reason = about === undefined ? [] : [literal(`It was for ${cut(about.name, 200)}.`)]
  return [{ type: 'context', elements: [literal(wasDoubted ? correctedIntro : lateIntro), ...reason] }]
}

/** Told when the outcome could not be told at once, after a restart for instance. */
export function renderLate(
  grantId: string,
  request: GrantRequest,
  outcome: GrantOutcome,
  late: Late = {},
): Message {
  const reader: Reader = { is: 'asker' }
  return {
    text: `${late.wasDoubted ? correctedIntro : lateIntro} ${sentence(request, outcome, reader)}`,
    blocks: [
      ...lateBlocks(late),
      ...outcomeBlocks(request, outcome, reader),
      ...buttonsBlock(isForbidden(outcome) ? [askApprovalButton(grantId)] : []),
    ],
  }
}

export function buttonsBlock(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }]
}
