// The card of a request: who asks for what, for whom and why, and how it stands. Pure.
import type { ActionsBlockElement, Button, KnownBlock, RichTextBlock, RichTextElement } from '@slack/types'
import { showAllButtons } from '../../grant/render/wish.ts'
import type { Roles } from '../../grant/roles.ts'
import type { Wish } from '../../grant/wish.ts'
import { type Message, menu, sizeOf } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, date, escapeText, mrkdwn, plain, richSince } from '../../slack/text/mrkdwn.ts'
import { type MentionIds, mentionElements } from '../../slack/workspace/mention.ts'
import type { Approval } from '../approvals.ts'
import { detailsOf, type StateWords, shortName, stateWordsOf } from './outcome.ts'
import { flagWords, requestBlock, wantedInFull, wantedWords } from './wish.ts'

/** Action ids of the card's buttons. Each carries the request's id; a choice in the menu says first what was chosen. */
export const actions = {
  approve: 'approval.approve',
  decline: 'approval.decline',
  more: 'approval.more',
  /** On cards of the version before. */
  withdraw: 'approval.withdraw',
} as const

/** Slack takes no more in a message that is changed, though more in a new one; counted when it is escaped. */
const longestText = 3900
/** A message has buttons and some words around it. */
const longestStory = limits.messageSize - 1_500

/** How a card looks besides what is known of its request. */
export interface CardLook {
  /** Names for sets of flags, as this installation has them. */
  readonly roles: Roles
  /** Who is mentioned: when it is posted, and never again. */
  readonly mention?: MentionIds
}

export function renderCard(approval: Approval, look: CardLook): Message {
  const { id, until } = approval
  if (approval.state !== 'open') {
    return { text: sentence(sentenceOf(approval, look)), blocks: storyBlocks(approval, look) }
  }
  return {
    text: sentence(
      `${asksWords(approval, look)}. ${flagWords(approval.wish, look.roles)}. Reason: ${approval.reason}`,
    ),
    blocks: [
      ...storyBlocks(approval, look),
      ...mentionBlocks(look.mention ?? []),
      { type: 'actions', elements: buttonsOf(id) },
      {
        type: 'context',
        elements: [mrkdwn(`Expires ${date(Math.floor(until / 1000))}`)],
      },
    ],
  }
}

function buttonsOf(id: string): ActionsBlockElement[] {
  return [
    button(actions.approve, 'Approve', id, 'primary'),
    button(actions.decline, 'Decline', id),
    ...menu(actions.more, [
      { text: plain('Who can approve?'), value: `who:${id}` },
      { text: plain('Withdraw'), value: `withdraw:${id}` },
    ]),
  ]
}

/** “bob asks: Responder on container 12 for grace@example.com”, with everybody’s address. Raw. */
function asksWords(approval: Approval, { roles }: CardLook): string {
  return `${shortName(approval.askerName)} asks: ${wantedInFull(approval, roles)}`
}

/** Blocks with what is asked for, how it stands, and the flags. */
export function storyBlocks(approval: Approval, look: CardLook): KnownBlock[] {
  const { wish, reason } = approval
  const blocks = (isBrief: boolean): KnownBlock[] => [
    requestBlock(leadOf(approval, look), wish, reason),
    flagsBlock(wish, look),
    ...cardDetails(approval, isBrief),
  ]
  const whole = blocks(false)
  return sizeOf(whole) <= longestStory ? whole : blocks(true)
}

function mentionBlocks(mention: MentionIds): KnownBlock[] {
  if (mention.length === 0) return []
  const elements: RichTextElement[] = [{ type: 'text', text: 'To decide: ' }, ...mentionElements(mention)]
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]
}

function flagsBlock(wish: Wish, { roles }: CardLook): KnownBlock {
  const [showAll] = showAllButtons(wish.permissions)
  const said = mrkdwn(escapeText(flagWords(wish, roles)))
  return { type: 'section', text: said, ...(showAll && { accessory: showAll }) }
}

/** The first line: what is asked for, or how it ended and then what it was. */
function leadOf(approval: Approval, { roles }: CardLook): RichTextElement[] {
  const { askerName, endedAt } = approval
  const standing = stateWordsOf(approval)
  const asker = shortName(askerName)
  const wanted = wantedWords(approval, roles)
  if (standing === undefined) return [bold(`🔑 ${asker} asks: ${wanted}`)]
  const isTimed = standing.isTimed && endedAt !== undefined
  return [
    ...standingElements(standing),
    ...(isTimed ? [bold(' '), richSince(Math.floor(endedAt / 1000))] : []),
    { type: 'text', text: `\n${asker} asked: ${wanted}` },
  ]
}

/** The news in bold, and what is behind it. */
export function standingElements({ words, rest }: StateWords): RichTextElement[] {
  return [bold(words), ...(rest === '' ? [] : [{ type: 'text' as const, text: rest }])]
}

function bold(text: string): RichTextElement {
  return { type: 'text', text, style: { bold: true } }
}

/** Details stand in the thread of the card; without one, as Slack has not said where the card is, on the card. */
function cardDetails(approval: Approval, isBrief: boolean): KnownBlock[] {
  return approval.card.kind === 'posted' ? [] : detailBlocks(approval, isBrief)
}

/** Why it was not granted, or what to check. */
export function detailBlocks(approval: Approval, isBrief = false): RichTextBlock[] {
  const lines = detailsOf(approval, isBrief)
  if (lines.length === 0) return []
  const text = lines.join('\n')
  return [
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] },
  ]
}

/** A complete sentence about how it stands, raw. */
export function sentenceOf(approval: Approval, look: CardLook): string {
  const wanted = wantedInFull(approval, look.roles)
  const standing = stateWordsOf(approval)
  return standing === undefined
    ? `${asksWords(approval, look)}.`
    : `${standing.words}${standing.rest || '.'} Request: ${wanted}.`
}

/** A message's sentence, for a message that can be posted as well as changed. @param text - Raw. */
export function sentence(text: string): string {
  return escapeText(cut(text.replaceAll('\n', ' '), longestText))
}

export function button(actionId: string, label: string, value: string, style?: 'primary' | 'danger'): Button {
  return { type: 'button', action_id: actionId, text: plain(label), value, ...(style && { style }) }
}
