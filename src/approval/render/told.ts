// Messages to one person about a request: the asker, the approver, whoever pressed too late. Pure.
import type { KnownBlock } from '@slack/types'
import { writeWords } from '../../send/words.ts'
import { type Message, say, sayMarked } from '../../slack/outbound/message.ts'
import { date, literal, mrkdwn } from '../../slack/text/mrkdwn.ts'
import type { Approval } from '../approvals.ts'
import type { whyOpen } from '../verdict.ts'
import { button, renderCard, sentence, sentenceOf, shortName, storyBlocks } from './card.ts'

/** Action ids of buttons on messages that one person sees; they stand for the card's own. */
export const privateActions = {
  approve: 'approval.approve-after-all',
  withdraw: 'approval.withdraw-own',
  post: 'approval.post-again',
} as const

/** A channel by its id, which Slack shows by its name to those who may see it. */
function channel(channelId: string | undefined): string {
  return channelId === undefined ? 'the channel' : `<#${channelId}>`
}

/** Said once the card stands. */
export function renderAsked({ channelId, until }: Approval): Message {
  const open = `It can be approved until ${date(Math.floor(until / 1000))}.`
  return sayMarked(
    `Asked for approval in ${channel(channelId)}. ${open} A direct message tells you what becomes of it.`,
  )
}

/** Said while Slack is not to be reached. */
export function renderAskedLater(): Message {
  return say('Your request is kept, but Slack did not take it just now. It is posted as soon as Slack does.')
}

export function renderAskedBefore({ channelId }: Approval): Message {
  return sayMarked(
    `You have asked for this already: the request in ${channel(channelId)} shows how it stands.`,
  )
}

/**
 * Reasons why a card stands nowhere: the bot is not in the channel, nobody can post there, other organisations read
 * there, or Slack refuses it otherwise.
 */
export type WhyNowhere = 'not-invited' | 'archived' | 'shared' | 'refused'

const mends: Readonly<Record<WhyNowhere, string>> = {
  'not-invited':
    'Invite it there with /invite @Bellhop, then press Ask for approval; or withdraw the request.',
  archived:
    'The channel is archived. Press Ask for approval once it is not any more; or withdraw the request.',
  shared:
    'Another organisation reads that channel. Withdraw the request, then ask again from a channel of your own.',
  refused:
    'Slack refuses it there. Press Ask for approval once Bellhop may post there; or withdraw the request.',
}

/** Said when no way leads into the channel. The request is open all the same. */
export function renderNotPosted({ id, channelId }: Approval, why: WhyNowhere): Message {
  const text = `Your request is kept, but Bellhop cannot post it in ${channel(channelId)}. ${mends[why]}`
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      {
        type: 'actions',
        elements: [
          button(privateActions.post, 'Ask for approval', id, 'primary'),
          button(privateActions.withdraw, 'Withdraw', id),
        ],
      },
    ],
  }
}

export function renderDeclined({ askerName }: Approval): Message {
  return say(`Declined. ${shortName(askerName)} is told why.`)
}

export function renderWithdrawn(): Message {
  return say('Withdrawn. Nothing was granted.')
}

function renderEnd(approval: Approval, intro: string): Message {
  return {
    text: sentence(`${intro} ${sentenceOf(approval)}`),
    blocks: [{ type: 'context', elements: [literal(intro)] }, ...storyBlocks(approval)],
  }
}

/** The end of it, for who asked. */
export function renderEndForAsker(approval: Approval): Message {
  return renderEnd(approval, 'This is what became of the approval you asked for.')
}

/** The end of it, for who approved. */
export function renderEndForApprover(approval: Approval): Message {
  return renderEnd(approval, `You approved what ${shortName(approval.askerName)} asked for.`)
}

const { refusals } = writeWords['add-user']

/** Says that nothing was granted, for a reason that concerns the approver alone, or that passes. Raw. */
export function stillOpenWords(why: ReturnType<typeof whyOpen>, containerId: number): string {
  const [because, next] =
    why === 'not-sent'
      ? ['Bellhop was stopped before it could send anything', '; approve it again']
      : [refusals[why].approver(containerId), refusals[why].staysOpen]
  return `Nothing was granted: ${because}. The request stays open${next}.`
}

/** Says how a request stands that can no longer be decided on. Raw. @param readerId - Whoever pressed too late. */
export function tooLateWords(approval: Approval, readerId: string): string {
  const { state, ending, approver } = approval
  const first = approver?.userId === readerId ? 'You' : shortName(approver?.name ?? '')
  if (state === 'open') return 'This request is open again. Press once more.'
  if (state === 'granting' || ending === undefined) {
    return `${first} approved this first, and it is being granted. The request shows what becomes of it.`
  }
  switch (ending.kind) {
    case 'approved':
      return `${first} approved this first. ${sentenceOf(approval)}`
    case 'declined':
      return `${ending.by.userId === readerId ? 'You' : shortName(ending.by.name)} declined this before.`
    case 'withdrawn':
      return `${shortName(approval.askerName)} withdrew this before.`
    case 'expired':
      return `This request has expired, and nothing was granted. ${shortName(approval.askerName)} can ask again with /grant.`
    default:
      return ending satisfies never
  }
}

/** An approval that has waited for an account, and is confirmed again. */
export function renderApproveAfterAll(approval: Approval): Message {
  const intro = 'You wanted to approve this a while ago. Is it still what you want?'
  const { text, blocks } = renderCard(approval)
  const shown = blocks.filter(({ type }): boolean => type !== 'actions')
  const approve: KnownBlock = {
    type: 'actions',
    elements: [button(privateActions.approve, 'Approve', approval.id, 'primary')],
  }
  return {
    text: `${intro} ${text}`,
    blocks: [{ type: 'section', text: mrkdwn(intro) }, ...shown, approve],
  }
}
