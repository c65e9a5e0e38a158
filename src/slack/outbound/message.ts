// The bot's messages and views, as the renders make them and outbound sends them.
import type { HomeView, KnownBlock, ModalView } from '@slack/types'
import { limits } from '../text/limits.ts'
import { cut, escapeText, mrkdwn } from '../text/mrkdwn.ts'

/** `text` is a complete sentence in mrkdwn, already escaped: the notification, and what a screen reader says. */
export interface Message {
  readonly text: string
  readonly blocks: readonly KnownBlock[]
}

/** Where a message stands. */
export interface Posted {
  readonly channelId: string
  readonly ts: string
  /** The parent of the thread it stands in, when it is a reply itself. Slack takes no reply to a reply. */
  readonly threadTs?: string | undefined
}

export interface View extends ModalView {
  blocks: KnownBlock[]
}

/** The Home tab, as one person sees it. */
export interface Home extends HomeView {
  blocks: KnownBlock[]
}

/** A sentence in a message of its own. @param text - Raw text, escaped here, and cut where it would not fit. */
export function say(text: string): Message {
  return sayMarked(escapeText(cut(text, limits.sectionText)))
}

/** As `say`, for text that is mrkdwn already. */
export function sayMarked(text: string): Message {
  return { text, blocks: [{ type: 'section', text: mrkdwn(text) }] }
}
