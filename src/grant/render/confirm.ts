// Questions before a grant is sent: to its asker, who confirms it, or to a colleague, who has to approve it. Pure.
import type { Button, KnownBlock, SectionBlock } from '@slack/types'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, escapeText, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { type Flag, flagMeanings, sensitiveFlags } from '../flags.ts'
import { lookAlikeReasons } from '../line/people.ts'
import type { Roles } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { wishBlock, wishWords } from './wish.ts'

/** Action ids of the buttons, for the listeners. */
export const grantAction = 'grant.confirm'
export const cancelAction = 'grant.cancel'

/** Somebody whose address was found in their profile in Slack. */
export interface ProfileOrigin {
  readonly email: string
  /** Raw. */
  readonly name: string
  readonly isGuest: boolean
}

export const waitedReason = 'You asked for this a while ago. Is it still what you want?'

/** Why a grant asks before it is sent: raw text, one line each; empty when nothing calls for it. */
export function confirmReasons(wish: Wish, origins: readonly ProfileOrigin[]): readonly string[] {
  const sensitive = wish.permissions.filter((flag) => sensitiveFlags.has(flag))
  return [
    ...profileReasons(wish, origins),
    ...lookAlikeReasons(wish),
    ...(sensitive.length === 0
      ? []
      : ['Sensitive flags:', ...sensitive.map((flag) => `• ${flag}: ${flagMeanings[flag]}`)]),
    ...(wish.permissions.length === 0 ? ['No flags: they can open dashboards only.'] : []),
  ]
}

/** Each stands in full above; twenty of the longest would be more than Slack takes in one message. */
const longestEmail = 100

/** Whose Slack profile an address is from: raw text, one line each; empty when all were typed. */
function profileReasons({ emails }: Wish, origins: readonly ProfileOrigin[]): readonly string[] {
  const asked = new Set(emails.map((email) => email.toLowerCase()))
  const named = origins.filter(({ email }) => asked.has(email.toLowerCase()))
  const [only] = named
  if (only === undefined) return []
  const whose = ({ name, isGuest }: ProfileOrigin) => `${cut(name, 80)}${isGuest ? ', a guest here' : ''}`
  if (emails.length === 1) return [`This address is from the Slack profile of ${whose(only)}.`]
  return ['From Slack profiles:', ...named.map((one) => `• ${cut(one.email, longestEmail)}: ${whose(one)}`)]
}

/** The blocks of a confirmation, in a message and in the modal alike. */
export function confirmBlocks(wish: Wish, reasons: readonly string[], roles: Roles): KnownBlock[] {
  return [wishBlock(wish, 'Grant this access?', roles), ...reasonSections(reasons)]
}

const longestSection = 2900

/** As many lines in each as fit. */
function reasonSections(lines: readonly string[]): readonly SectionBlock[] {
  const texts: string[] = []
  for (const line of lines.map(escapeText)) {
    const longer = texts.length === 0 ? line : `${texts.at(-1)}\n${line}`
    if (texts.length === 0 || longer.length > longestSection) texts.push(line)
    else texts[texts.length - 1] = longer
  }
  return texts.map((text) => ({ type: 'section', text: mrkdwn(text) }))
}

const longestText = 3900

/** Asks before a grant is sent. */
export function renderConfirm(id: string, wish: Wish, reasons: readonly string[], roles: Roles): Message {
  const question = `Grant access to ${wishWords(wish, roles)}? ${reasons.join(' ')} Press Grant access or Cancel.`
  return {
    text: escapeText(cut(question, longestText)),
    blocks: [
      ...confirmBlocks(wish, reasons, roles),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: grantAction,
            text: plain('Grant access'),
            style: 'primary',
            value: id,
          },
          { type: 'button', action_id: cancelAction, text: plain('Cancel'), value: id },
        ],
      },
    ],
  }
}

/** Action id of the button, for whoever listens. Its value is the id of the wish. */
export const askApprovalAction = 'grant.ask-approval'

/** Asks a colleague for a grant that one cannot make alone. Who is asked, and how, is another feature's. */
export function askApprovalButton(wishId: string): Button {
  return { type: 'button', action_id: askApprovalAction, text: plain('Ask for approval'), value: wishId }
}

/**
 * Nothing was sent.
 * @param flags - Those that a colleague has to approve.
 * @param origins - Whose profile an address is from.
 * @param container - “Customer 1 (12)”, where its reader’s token has shown the name. Raw.
 */
export function renderNeedsApproval(
  grantId: string,
  wish: Wish,
  flags: readonly Flag[],
  origins: readonly ProfileOrigin[],
  roles: Roles,
  container?: string,
): Message {
  const from = [...profileReasons(wish, origins), ...lookAlikeReasons(wish)]
  const why = `A colleague has to approve ${flags.join(', ')} first. To ask one, press Ask for approval.`
  return {
    text: escapeText(
      cut(`Not sent yet: ${wishWords(wish, roles, container)}. ${[why, ...from].join(' ')}`, longestText),
    ),
    blocks: [
      wishBlock(wish, 'Not sent yet', roles, container),
      { type: 'section', text: mrkdwn(escapeText(why)) },
      ...reasonSections(from),
      {
        type: 'actions',
        elements: [{ ...askApprovalButton(grantId), style: 'primary' }],
      },
    ],
  }
}
