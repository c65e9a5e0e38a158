// The access that a request asks for, on the card, in the modals and in words. Pure.
import type { RichTextBlock } from '@slack/types'
import { flagMeanings } from '../../grant/flags.ts'
import { lookAlikeReasons } from '../../grant/line/look-alikes.ts'
import type { Wish } from '../../grant/wish.ts'

function text(words: string, isBold = false) {
  return { type: 'text' as const, text: words, ...(isBold ? { style: { bold: true } } : {}) }
}

function besides(wish: Wish): string {
  const { member, authProvider, permissions } = wish
  const lines = [
    ...(permissions.length === 0 ? ['no flags'] : []),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
    ...lookAlikeReasons(wish),
  ]
  return lines.length === 0 ? '' : `\n${lines.join(' · ')}`
}

/**
 * For whom, on which container, and what each flag means: text that Slack does not interpret.
 * @param isBrief - Flags by their names alone, for a message that Slack would not take otherwise.
 */
export function askedBlock(wish: Wish, heading: string, isBrief = false): RichTextBlock {
  const { emails, containerId, permissions } = wish
  if (isBrief) {
    const named = permissions.length === 0 ? '' : `\n${permissions.join(', ')}`
    const elements = [
      text(`${heading}\n`, true),
      text(emails.join(', '), true),
      text(` · container ${containerId}${besides(wish)}${named}`),
    ]
    return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
  }
  const meanings = permissions.map((flag) => ({
    type: 'rich_text_section' as const,
    elements: [text(flag, true), text(`: ${flagMeanings[flag]}`)],
  }))
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          text(`${heading}\n`, true),
          text(emails.join(', '), true),
          text(` · container ${containerId}${besides(wish)}`),
        ],
      },
      ...(meanings.length === 0
        ? []
        : [{ type: 'rich_text_list' as const, style: 'bullet' as const, elements: meanings }]),
    ],
  }
}

/** Somebody's words, as they wrote them. */
export function quoteBlock(intro: string, words: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_section', elements: [text(intro, true)] },
      { type: 'rich_text_quote', elements: [text(words)] },
    ],
  }
}
