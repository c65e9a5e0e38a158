// Lists that may be longer than one message: a page takes as many rows as Slack takes, and says where the next one begins.
import type { Button, KnownBlock, Overflow } from '@slack/types'
import { escapeText, limits } from '../text/mrkdwn.ts'
import { button, type Described, describe, type Marked, type Message, section } from './message.ts'

/** One entry of a list, of two blocks at most. */
export type Row = Message

/**
 * Rows of a page: two screens of a laptop. With two blocks each, heading and buttons, a page stays below Slack’s 50 blocks.
 */
export const mostRows = 20
/** Characters of all rows of a page, in JSON; the other 2,000 are for heading and buttons. */
const mostSize = limits.messageSize - 2_000
/** Most characters of a page’s rows in its notification: together with the heading, they fit without a cut. */
const mostSaid = 3_000

export interface Page {
  readonly rows: readonly Row[]
  /** How many rows come before this page. */
  readonly begin: number
  readonly end: number
  /** How many rows are on all pages. */
  readonly all: number
}

/**
 * Takes a page out of a list: by rows and by size, and one at least.
 * @param after - How many rows come before the page. If the list has no more rows than that by now, this is the first page.
 * @param most - Rows at most. Default: 20.
 */
export function pageOf<T>(
  list: readonly T[],
  rowOf: (one: T) => Row,
  after = 0,
  most = mostRows,
): Page {
  const begin = after > 0 && after < list.length ? after : 0
  const rows: Row[] = []
  let [size, said] = [0, 0]
  for (const one of list.slice(begin, begin + most)) {
    const next = rowOf(one)
    size += JSON.stringify(next.blocks).length
    said += next.text.length + 1
    if (rows.length > 0 && (size > mostSize || said > mostSaid)) break
    rows.push(next)
  }
  return { rows, begin, end: begin + rows.length, all: list.length }
}

/** “21 to 40 of 45”; “45” if all are on one page. */
export function partOf({ begin, end, all }: Page): string {
  return end - begin === all ? String(all) : `${begin + 1} to ${end} of ${all}`
}

/** *Show more*, below all pages but the last. @param valueFor - Gets how many rows come before the next page. */
export function moreButton(
  { end, all }: Page,
  actionId: string,
  valueFor: (after: number) => string = String,
): Button | undefined {
  return end < all ? button(actionId, 'Show more', valueFor(end)) : undefined
}

/** Words for the rows behind the page when there is no *Show more*, in mrkdwn. @param where - “`/grant due` lists them”. */
export function moreWords({ end, all }: Page, where: string): string | undefined {
  return end < all ? `and ${all - end} more: ${where}` : undefined
}

/**
 * A page as a message. If Slack doesn’t take the blocks, its sentence names the rows.
 * @param heading - mrkdwn; in bold. @param aside - mrkdwn, beside the heading, and at the end of the sentence.
 */
export function renderPage(
  { rows }: Page,
  heading: string,
  below: Pick<Described, 'notes' | 'buttons'>,
  aside = '',
): Message {
  return {
    text: [heading, ...rows.map(({ text }) => text), aside].filter(Boolean).join('\n'),
    blocks: [
      section([`*${heading}*`, aside].filter(Boolean).join(' · ')),
      ...rows.flatMap(({ blocks }) => blocks),
      ...describe(below).blocks,
    ],
  }
}

/** The first rows of a list, without a heading, and words that say where the others are. */
export function firstOf<T>(
  list: readonly T[],
  rowOf: (one: T) => Row,
  most: number,
  where: string,
): readonly KnownBlock[] {
  const page = pageOf(list, rowOf, 0, most)
  const { blocks } = describe({ notes: [moreWords(page, where)] })
  return [...page.rows.flatMap((one) => one.blocks), ...blocks]
}

/** A row of words with something to press beside them. @param words - The first line says what the row is. */
export function sectionRow(words: Marked, pressed?: Button | Overflow): Row {
  const said = typeof words === 'string' ? words : escapeText(words.text)
  const [text = ''] = said.split('\n')
  return { text, blocks: [section(words, pressed)] }
}
