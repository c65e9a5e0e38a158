// The card of a request: who asks, for what and why, and how it stands. Pure.
import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types'
import { whatBecame } from '../../grant/render/receipt.ts'
import { wishWords } from '../../grant/render/wish.ts'
import { hasCode, type Result, type Wish } from '../../grant/wish.ts'
import { declinedSign, doubtWords, signs, writeWords } from '../../send/words.ts'
import { type Message, sizeOf } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, date, escapeText, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import type { Approval } from '../approvals.ts'
import { isPossibleLater, type Verdict, verdictOf } from '../verdict.ts'
import { askedBlock, quoteBlock } from './wish.ts'

/** Action ids of the card's buttons. Each carries the request's id, and nothing else. */
export const actions = {
  approve: 'approval.approve',
  decline: 'approval.decline',
  withdraw: 'approval.withdraw',
} as const

const longestName = 80
/** Slack takes no more in a message that is changed, though more in a new one; counted when it is escaped. */
const longestText = 3900
/** A message has buttons and some words around it. */
const longestStory = limits.messageSize - 1_500
/** An address is no longer where it stands in full above. */
const briefEmail = 60

export function renderCard(approval: Approval): Message {
  const { id, askerName, reason, until, wish, state } = approval
  const isOpen = state === 'open'
  const asker = shortName(askerName)
  const untilDate = date(Math.floor(until / 1000))
  const buttons: ActionsBlockElement[] = [
    button(actions.approve, 'Approve', id, 'primary'),
    button(actions.decline, 'Decline', id),
    button(actions.withdraw, 'Withdraw', id),
  ]
  return {
    text: isOpen
      ? sentence(`${asker} asks for approval: ${wishWords(wish, {})}. Reason: ${reason}`)
      : sentence(`${sentenceOf(approval)} Asked by ${asker}.`),
    blocks: [
      ...storyBlocks(approval, [quoteBlock(`Why ${asker} asks`, reason)]),
      {
        type: 'context',
        elements: [
          mrkdwn(`asked by ${escapeText(asker)}${isOpen ? ` · can be approved until ${untilDate}` : ''}`),
        ],
      },
      ...(isOpen ? [{ type: 'actions' as const, elements: buttons }] : []),
    ],
  }
}

/** Blocks with what was asked for, and below it what became of it. @param middle - Between the two. */
export function storyBlocks(approval: Approval, middle: readonly KnownBlock[] = []): KnownBlock[] {
  const story = (isBrief: boolean) => [
    askedBlock(approval.wish, headingOf(approval), isBrief),
    ...middle,
    ...endingBlocks(approval, isBrief),
  ]
  const whole = story(false)
  return sizeOf(whole) <= longestStory ? whole : story(true)
}

function endingBlocks(approval: Approval, isBrief: boolean): KnownBlock[] {
  const { ending } = approval
  if (ending?.kind === 'declined') return [quoteBlock('Why it was declined', ending.reason)]
  const lines = detailsOf(approval, isBrief)
  if (lines.length === 0) return []
  const text = lines.join('\n')
  return [
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
    },
  ]
}

/** A complete sentence about how it stands, raw. */
export function sentenceOf(approval: Approval): string {
  const { wish, ending } = approval
  const why = ending?.kind === 'declined' ? [`Reason: ${ending.reason}`] : detailsOf(approval)
  return [`${headingOf(approval)}: ${wishWords(wish, {})}.`, ...why].join(' ').replaceAll('\n', ' ')
}

const { headings, refusals, shortWords } = writeWords['add-user']

const verdicts: Readonly<Record<Verdict, string>> = {
  granted: `${signs.granted} ${headings.granted}`,
  'in-part': '⚠️ Granted in part',
  'not-granted': `${signs['not-granted']} ${headings['not-granted']}`,
  uncertain: `${signs.uncertain} ${headings.uncertain}`,
}

/** Says how it stands, in a few words, raw. */
function headingOf({ state, ending, approver, askerName }: Approval): string {
  const approverName = shortName(approver?.name ?? '')
  if (state === 'open') return 'Waiting for approval'
  if (state === 'granting' || ending === undefined) return `Being granted, approved by ${approverName}`
  switch (ending.kind) {
    case 'approved':
      return `${verdicts[verdictOf(ending.results)]}, approved by ${approverName}`
    case 'declined':
      return `${declinedSign} Declined by ${shortName(ending.by.name)}`
    case 'withdrawn':
      return `Withdrawn by ${shortName(askerName)}`
    case 'expired':
      return 'Expired, nobody has approved it in time'
    default:
      return ending satisfies never
  }
}

/** Lines about how each person's grant ended, raw. */
function detailsOf({ wish, ending, approver }: Approval, isBrief = false): readonly string[] {
  if (ending?.kind !== 'approved') return []
  const results = isBrief
    ? ending.results.map((one) => ({ ...one, email: cut(one.email, briefEmail) }))
    : ending.results
  return resultLines(wish, results, approver?.name ?? '')
}

/**
 * Raw lines about one person or several, each told apart from the others; none when all there is to say is that it was
 * granted.
 * @param approverName - Raw.
 */
export function resultLines(wish: Wish, results: readonly Result[], approverName: string): readonly string[] {
  const [only] = results
  if (results.length === 1 && only !== undefined && only.outcome.kind !== 'not-sent') {
    const said = whatBecame(wish, only, approverName)
    return said === '' ? [] : [said]
  }
  const unsure = results.filter(({ outcome }) => outcome.kind === 'uncertain')
  // A container that is not there is not there for anybody.
  const isGone = hasCode(results, 'not-found')
  const later = isGone ? [] : results.filter(isPossibleLater)
  return [
    ...results.map(resultLine),
    ...listed('Check in monitoring, before anybody asks again, whether it was done for', unsure),
    ...listed('Not granted, and possible later with another request:', later),
  ]
}

function resultLine({ email, outcome }: Result): string {
  const said = (kind: keyof typeof signs) => `${signs[kind]} ${email}: ${shortWords[kind]}`
  switch (outcome.kind) {
    case 'granted':
      return said('granted')
    case 'not-sent':
      return `${said('not-granted')}; it was not sent`
    case 'not-granted': {
      // News of the approver's token is for them alone.
      const why = refusals[outcome.code].card
      return why === undefined ? said('not-granted') : `${said('not-granted')}; ${why}`
    }
    case 'uncertain':
      return `${said('uncertain')}; ${doubtWords[outcome.doubt].card}`
    default:
      return outcome satisfies never
  }
}

function listed(words: string, results: readonly Result[]): readonly string[] {
  return results.length === 0 ? [] : [`${words} ${results.map(({ email }) => email).join(', ')}.`]
}

/** A message's sentence, for a message that can be posted as well as changed. @param text - Raw. */
export function sentence(text: string): string {
  return escapeText(cut(text, longestText))
}

/** Names as they are shown, raw. */
export function shortName(name: string): string {
  return cut(name, longestName)
}

export function button(actionId: string, label: string, value: string, style?: 'primary' | 'danger'): Button {
  return { type: 'button', action_id: actionId, text: plain(label), value, ...(style && { style }) }
}
