// Wishes as they are shown: who is to get what, for one person and for several. Pure.
import type { RichTextBlock, RichTextElement } from '@slack/types'
import { access } from '../../send/words.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, escapeText } from '../../slack/text/mrkdwn.ts'
import type { Wish } from '../wish.ts'

const bold = { bold: true }

/** What is granted, and a line for each person. Raw text that Slack does not interpret. */
export function linesBlock(
  heading: string,
  wish: Pick<Wish, 'containerId' | 'permissions' | 'member' | 'authProvider'>,
  lines: readonly string[],
): RichTextBlock {
  const said: RichTextElement[] = [
    { type: 'text', text: `${heading}\n`, style: bold },
    { type: 'text', text: `container ${wish.containerId} · ${access(wish)}\n` },
    { type: 'text', text: lines.join('\n') },
  ]
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: said }] }
}

/** Who is to get what, raw text that Slack does not interpret: addresses stand as they were typed. */
export function wishBlock(wish: Wish, heading: string): RichTextBlock {
  const [email = '', ...others] = wish.emails
  if (others.length > 0)
    return linesBlock(
      heading,
      wish,
      wish.emails.map((one) => `• ${one}`),
    )
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: `${heading}\n`, style: bold },
          { type: 'text', text: email, style: bold },
          { type: 'text', text: ` · container ${wish.containerId}\n${access(wish)}` },
        ],
      },
    ],
  }
}

const longestNames = 2000

/** The same in a line, raw. */
export function wishWords(wish: Wish): string {
  const names = cut(wish.emails.join(', '), longestNames)
  const who = wish.emails.length === 1 ? names : `${wish.emails.length} people (${names})`
  return `${who} on container ${wish.containerId} with ${access(wish)}`
}

/** Shown while the service is asked, in place of the confirmation. */
export function renderSending(wish: Wish): Message {
  return { text: escapeText(`Sending: ${wishWords(wish)}.`), blocks: [wishBlock(wish, 'Sending…')] }
}
