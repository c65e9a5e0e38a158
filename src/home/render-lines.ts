// Lists on the Home tab, a line each. Pure. Rich text: what others wrote is shown as it is.
import type { KnownBlock, RichTextElement } from '@slack/types'
import { cut, richDate } from '../slack/text/mrkdwn.ts'

const longestName = 100

export function listBlock(lines: readonly (readonly RichTextElement[])[]): KnownBlock {
  const elements = lines.map((line) => ({ type: 'rich_text_section' as const, elements: [...line] }))
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }
}

/** @param text - Raw. */
export function words(text: string): RichTextElement {
  return { type: 'text', text }
}

/** @param name - Raw; shortened. @param link - Where it leads, when that is known. */
export function linked(name: string, link: string | undefined): RichTextElement {
  const text = cut(name, longestName)
  return link === undefined ? words(text) : { type: 'link', url: link, text }
}

/** @param at - Milliseconds since 1970. */
export function when(at: number): RichTextElement {
  return richDate(Math.floor(at / 1000))
}
