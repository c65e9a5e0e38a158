// Messages to one person about a request: the asker, the approver, whoever pressed too late or may not do what they
// pressed. Pure; sentences are raw text.
import type { KnownBlock, RichTextBlock, RichTextElement } from '@slack/types'
import { type GlimpseByEmail, glimpseBlocks, glimpseWords } from '../../grant/render/look.ts'
import { doubtedNote, lookedBlock } from '../../grant/render/receipt.ts'
import type { Roles } from '../../grant/roles.ts'
import { writeWords } from '../../send/words.ts'
import { fullest, type Message, say, sayMarked } from '../../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  linkTo,
  type MentionIds,
  mentionElements,
  mrkdwn,
  richDateWithin,
} from '../../slack/text/mrkdwn.ts'
import { type Approval, attemptIdOf, isPossibleLater, verdictOf, type whyOpen } from '../approvals.ts'
import {
  afterApproval,
  button,
  type CardLook,
  detailBlocks,
  detailsOf,
  renderCard,
  sentence,
  sentenceOf,
  shortName,
  standingElements,
  stateWordsOf,
  storyBlocks,
  wantedInFull,
  whereOf,
} from './card.ts'

/** Action ids of buttons on messages that one person sees; they stand for the card's own. */
export const privateActions = {
  approve: 'approval.approve-after-all',
  withdraw: 'approval.withdraw-own',
  post: 'approval.post-again',
  look: 'approval.look-again',
} as const

/** A channel by its id, which Slack shows by its name to those who may see it. */
function channel(channelId: string | undefined): string {
  return channelId === undefined ? 'the channel' : `<#${channelId}>`
}

/** @param text - In mrkdwn. */
function withButtons(text: string, buttons: readonly ReturnType<typeof button>[]): Message {
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      { type: 'actions', elements: [...buttons] },
    ],
  }
}

/** Said once the card stands. */
export function renderAsked({ id, channelId, until }: Approval): Message {
  const expires = `It expires ${date(Math.floor(until / 1000))}.`
  return withButtons(
    `Asked for approval in ${channel(channelId)}. ${expires} I’ll send you the result by direct message.`,
    [button(privateActions.withdraw, 'Withdraw', id)],
  )
}

/** Said while Slack is not to be reached. */
export function renderAskedLater(): Message {
  return say(
    'Your request is saved, but Slack didn’t accept it just now. I’ll post it as soon as Slack accepts it.',
  )
}

export function renderAskedBefore({ channelId }: Approval): Message {
  return sayMarked(`You already asked for this. See the request in ${channel(channelId)}.`)
}

/**
 * Reasons why a card stands nowhere: the bot is not in the channel, nobody can post there, other organisations read
 * there, or Slack refuses it otherwise.
 */
export type WhyNowhere = 'not-invited' | 'archived' | 'shared' | 'refused'

const nextSteps: Readonly<Record<WhyNowhere, string>> = {
  'not-invited':
    'Invite it there with /invite @Bellhop, then press Ask for approval. Or withdraw the request.',
  archived: 'The channel is archived. Press Ask for approval once it’s open again, or withdraw the request.',
  shared:
    'Another organisation can read that channel. Withdraw the request, then ask again from a channel of your own.',
  refused:
    'Slack doesn’t let Bellhop post there. Press Ask for approval once it does, or withdraw the request.',
}

/** Said when no way leads into the channel. The request is open all the same. */
export function renderNotPosted({ id, channelId }: Approval, why: WhyNowhere): Message {
  return withButtons(
    `Your request is saved, but Bellhop can’t post it in ${channel(channelId)}. ${nextSteps[why]}`,
    [
      button(privateActions.post, 'Ask for approval', id, 'primary'),
      button(privateActions.withdraw, 'Withdraw', id),
    ],
  )
}

export function renderDeclined({ askerName }: Approval): Message {
  return say(`Declined. I’ll send ${shortName(askerName)} your reason.`)
}

export function renderWithdrawn(): Message {
  return say('Withdrawn. Nothing was granted.')
}

/** What a message about a request can point to. */
export interface Pointers {
  readonly roles: Roles
  /** Leads to its card, where Slack has said where that stands. */
  readonly link: string | undefined
}

const seeRequest = (link: string | undefined) => (link === undefined ? [] : [linkTo(link, 'See the request')])

/**
 * The end of it, for who asked: how it ended, and what to do next.
 * @param how.isInThread - The details stand in the thread of the card, and not here.
 */
export function renderEndForAsker(
  approval: Approval,
  { roles, link, isInThread }: Pointers & { readonly isInThread: boolean },
): Message {
  const { ending } = approval
  const next = nextWords(approval, isInThread)
  const wasDoubted = ending?.kind === 'approved' && ending.results.some((one) => one.wasDoubted)
  const below = [...(isInThread && wasDoubted ? [doubtedNote] : []), ...(next === '' ? [] : [next])]
  const marked = [...below.map(escapeText), ...seeRequest(link)].join(' ')
  const blocks = (isBrief: boolean): KnownBlock[] => [
    endBlock(approval, { roles }),
    ...(isInThread ? [] : detailBlocks(approval, isBrief)),
    ...(marked === '' ? [] : [{ type: 'section' as const, text: mrkdwn(marked) }]),
  ]
  return {
    text: sentence([sentenceOf(approval, { roles }), ...below].join(' ')),
    blocks: fullest([() => blocks(false), () => blocks(true)]),
  }
}

/** How it ended, and below it what was asked for. */
function endBlock(approval: Approval, { roles }: CardLook): RichTextBlock {
  const standing = stateWordsOf(approval)
  const elements: RichTextElement[] = [
    ...(standing === undefined ? [] : standingElements(standing)),
    { type: 'text', text: `\n${wantedInFull(approval, roles)}` },
  ]
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
}

function nextWords(approval: Approval, isInThread: boolean): string {
  const { ending } = approval
  switch (ending?.kind) {
    case 'declined':
      return 'To ask for something else, use /grant.'
    case 'expired':
      return 'Nothing was granted. To ask again, use /grant.'
    case 'approved':
      break
    default:
      return ''
  }
  const { results } = ending
  const verdict = verdictOf(results)
  switch (verdict) {
    case 'granted':
      return ''
    case 'uncertain':
      return `Check ${whereOf(approval)} in monitoring before you ask again.${isInThread ? ' The request’s thread says what to look for.' : ''}`
    case 'in-part': {
      const who = isInThread ? 'The request’s thread lists everyone. ' : ''
      return `${who}${results.some(isPossibleLater) ? 'To ask again for the others, use /grant.' : ''}`.trim()
    }
    case 'not-granted':
      return `${isInThread ? 'The request’s thread has the details. ' : ''}To try something else, use /grant.`
    default:
      return verdict satisfies never
  }
}

/** Characters of parts of a message that stand in one section, with a link between them. */
const [longestLine, longestSaid] = [1500, 1200]

/**
 * The end of it, for who approved, in a line.
 * @param how.said - Lines of what the service said to their token, raw.
 * @param how.glimpses - What their token has shown of those who are not certain.
 * @param how.lookedAt - When they had it looked at once more, in Unix seconds.
 */
export function renderEndForApprover(
  approval: Approval,
  { roles, link }: Pointers,
  how: {
    readonly said?: readonly string[]
    readonly glimpses?: GlimpseByEmail | undefined
    readonly lookedAt?: number | undefined
  } = {},
): Message {
  const { said = [], glimpses, lookedAt } = how
  const { emails } = approval.wish
  const where = whereOf(approval)
  const words = stateWordsOf(approval, approval.approver?.userId)?.words ?? ''
  const line = cut(`${words}: ${wantedInFull(approval, roles)}.`, longestLine)
  const below = said.length === 0 ? [] : [escapeText(cut(said.join('\n'), longestSaid))]
  const message = sayMarked([[escapeText(line), ...seeRequest(link)].join(' '), ...below].join('\n'))
  if (glimpses === undefined || glimpses.size === 0) return message
  // What changes is told; nobody is told that nothing has.
  const seen = new Map([...glimpses].map(([email, one]) => [email, { ...one, isLookedAtLater: false }]))
  const look: KnownBlock = {
    type: 'actions',
    elements: [button(privateActions.look, 'Look again', attemptIdOf(approval))],
  }
  return {
    text: `${message.text} ${escapeText(glimpseWords(where, seen, emails.length === 1))}`,
    blocks: [
      ...message.blocks,
      ...glimpseBlocks(where, seen, emails.length === 1),
      ...(lookedAt === undefined ? [] : [lookedBlock(lookedAt)]),
      look,
    ],
  }
}

/** Said in the thread of a request that monitoring refused, or whose outcome is not certain; undefined of others. */
export function renderDetails(approval: Approval, look: CardLook): Message | undefined {
  const details = detailsOf(approval)
  if (details.length === 0) return undefined
  // In a thread about something else, it has to say what it is about.
  const about = approval.threadTs === undefined ? [] : [endBlock(approval, look)]
  const blocks = (isBrief: boolean): KnownBlock[] => [...about, ...detailBlocks(approval, isBrief)]
  return {
    text: sentence([sentenceOf(approval, look), ...details].join(' ')),
    blocks: fullest([() => blocks(false), () => blocks(true)]),
  }
}

/** Said in the thread of a request that nobody has decided on, for those who are mentioned. */
export function renderReminder(approval: Approval, { roles }: CardLook, mention: MentionIds): Message {
  const { askerName, until } = approval
  const lead = `Nobody has decided yet. ${shortName(askerName)}’s request expires `
  const wanted = wantedInFull(approval, roles)
  const untilSeconds = Math.floor(until / 1000)
  const elements: RichTextElement[] = [
    ...mentionElements(mention),
    { type: 'text', text: ` ${lead}` },
    richDateWithin(untilSeconds),
    { type: 'text', text: `: ${wanted}` },
  ]
  return {
    text: sentence(`${lead}soon: ${wanted}.`),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  }
}

const { refusals } = writeWords['add-user']

/** Says that nothing was granted, for a reason that concerns the approver alone, or that passes. Raw. */
export function stillOpenWords(why: ReturnType<typeof whyOpen>, approval: Approval): string {
  const [because, next] =
    why === 'not-sent'
      ? ['Bellhop was stopped before it could send anything', '; approve it again']
      : [refusals[why].approver(whereOf(approval)), refusals[why].staysOpen]
  return `Nothing was granted: ${because}. The request stays open${next}.`
}

/** Says how a request stands that can no longer be decided on. Raw. @param readerId - Whoever pressed too late. */
export function tooLateWords(approval: Approval, readerId: string): string {
  const { state, ending, approver } = approval
  const first = approver?.userId === readerId ? 'You' : shortName(approver?.name ?? '')
  if (state === 'open') return 'This request is open again, so you can decide now. Press again.'
  if (state === 'granting' || ending === undefined) {
    return `${first} approved this first, and it’s being granted. The request will show the result.`
  }
  switch (ending.kind) {
    case 'approved':
      return `${first} approved this first, ${afterApproval(ending.results)}.`
    case 'declined':
      return `${ending.by.userId === readerId ? 'You' : shortName(ending.by.name)} already declined this.`
    case 'withdrawn':
      return `${approval.asker.userId === readerId ? 'You' : shortName(approval.askerName)} already withdrew this.`
    case 'expired':
      return `This request has expired, and nothing was granted. ${shortName(approval.askerName)} can ask again with /grant.`
    default:
      return ending satisfies never
  }
}

/** Says who may decide on a request. Raw. */
export function whoCanApprove(approval: Approval): string {
  const asker = shortName(approval.askerName)
  return `Anyone whose token has API and CONTAINER_ACCESS on ${whereOf(approval)} can approve this, except ${asker} and whoever gets the access. Anyone but ${asker} can decline it.`
}

/** An approval that has waited for an account, and is confirmed again. */
export function renderApproveAfterAll(approval: Approval, look: CardLook): Message {
  const intro = 'You wanted to approve this a while ago. Do you still want to?'
  const { text } = renderCard(approval, look)
  const approve: KnownBlock = {
    type: 'actions',
    elements: [button(privateActions.approve, 'Approve', approval.id, 'primary')],
  }
  return {
    text: `${intro} ${text}`,
    blocks: [{ type: 'section', text: mrkdwn(intro) }, ...storyBlocks(approval, look), approve],
  }
}

export const whyNot = {
  nothingToAsk:
    'There’s nothing to approve: this grant was already sent, or is no longer stored. To start over, use /grant.',
  directThere: 'A request can’t be posted in a direct message. Choose a channel.',
  sharedApproval: {
    operator:
      'The approval channel is shared with another organisation, so the request wasn’t posted. Ask whoever runs Bellhop.',
    admins:
      'The approval channel is shared with another organisation, so the request wasn’t posted. Ask an admin to choose another one with /alert settings.',
  },
  sharedHere:
    'This channel is shared with another organisation, so the request wasn’t posted. Press Ask for approval again and choose another channel.',
  sharedThere:
    'That channel is shared with another organisation, so the request wasn’t posted. Press Ask for approval again and choose another channel.',
  postedAlready: 'This request has already been posted or closed.',
  notKept: 'This request is no longer stored. The requester can ask again with /grant.',
  ownRequest: 'You asked for this yourself, so somebody else has to approve it.',
  ownToDecline: 'You asked for this yourself. To take it back, choose Withdraw in the menu.',
  forYou: 'This access is for you, so somebody else has to approve it.',
  noAddress:
    'You can’t approve this: Bellhop can’t see your email address in Slack, so it can’t tell whether the access is for you. Whoever runs Bellhop can add the scope users:read.email.',
  noAddresses:
    'The request wasn’t posted: Bellhop can’t see email addresses in Slack, so nobody could approve it. Whoever runs Bellhop can add the scope users:read.email.',
  noRecipients:
    'The request wasn’t posted: Slack couldn’t say who gets the access. Press Ask for approval again in a minute.',
  noProfile: 'Couldn’t look you up in Slack right now, so you can’t approve this yet. Try again in a minute.',
} as const

export type Involved = 'requester' | 'recipient'

export function sameToken(other: Involved): string {
  return `You and the ${other} share the same token, so you can’t approve this. Connect your own with /alert connect.`
}

/** @param askerName - Raw. */
export function onlyTheAsker(askerName: string): string {
  return `Only ${shortName(askerName)}, who asked for this, can withdraw it.`
}

/** Asks somebody to connect who wants to approve, and has no account. */
export const connectToApprove =
  'To approve this, I need your monitoring account. Connect within 15 minutes and I’ll finish this for you.'

/** Some people were certainly not granted, as the approver's token was refused meanwhile (401). */
export const connectForNext =
  'Monitoring no longer accepts your token, so the rest wasn’t granted. Connect your account again with /alert connect before you approve the next request.'

/** The same, for want of rights (403). */
export function rightsForRest(approval: Approval): string {
  return writeWords['add-user'].refusals.forbidden.approverOfRest(whereOf(approval))
}

/** An earlier request for the same was granted. @param approverName - Raw. */
export function grantedBefore(approverName: string): string {
  return `${shortName(approverName)} already approved this, and access has been granted. There’s nothing left to ask for.`
}

/** An earlier request for the same ended so that nobody knows. @param approverName - Raw. */
export function notCertainBefore(approverName: string): string {
  return `${shortName(approverName)} already approved this, but it’s not certain whether it was granted. Check in monitoring before you use /grant again.`
}
