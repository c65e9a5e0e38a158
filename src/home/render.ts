// The Home tab put together: account, watches, requests, what was done lately, help. Pure.
import type { KnownBlock } from '@slack/types'
import type { Home } from '../slack/outbound/message.ts'
import { exactDate, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import { linked, listBlock, when, words } from './render-lines.ts'

/** A request of somebody's own that waits for an approval. */
export interface OwnRequest {
  /** What is asked for, in a few words; raw. */
  readonly words: string
  /** Of its card; undefined when Slack did not say where it stands. */
  readonly link: string | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Undefined where a part could not be read. */
type Part = readonly KnownBlock[] | undefined

export interface HomeParts {
  readonly account: Part
  readonly watches: Part
  readonly requests: Part
  readonly lately: Part
  /** Links of alerts are known as such. */
  readonly takesLinks: boolean
  /** Unix seconds. */
  readonly asOf: number
}

export function renderHome({ account, watches, requests, lately, takesLinks, asOf }: HomeParts): Home {
  return {
    type: 'home',
    blocks: [
      ...part('Account', account),
      ...part('Watches', watches),
      // Few ask for approvals: without any, there is nothing to say.
      ...(requests?.length === 0 ? [] : part('Your open requests', requests)),
      ...part('Lately', lately),
      ...part('Help', [{ type: 'section', text: mrkdwn(help(takesLinks)) }]),
      { type: 'context', elements: [mrkdwn(`as of ${exactDate(asOf)}`)] },
    ],
  }
}

/** For a Slack that refuses the tab as it is drawn: an empty one would leave people without a way on. */
export function renderPlainHome(): Home {
  const text =
    'Slack doesn’t accept this tab as Bellhop draws it. Commands work: `/alert connect` connects your account, `/alert watches` lists what you watch, and `/alert help` and `/grant help` show the rest. Whoever runs Bellhop finds the reason in its log.'
  return { type: 'home', blocks: [{ type: 'section', text: mrkdwn(text) }] }
}

const unread = 'This could not be read just now. Open this tab again in a moment.'

function part(title: string, blocks: Part): KnownBlock[] {
  return [
    { type: 'header', text: plain(title) },
    ...(blocks ?? [{ type: 'section' as const, text: mrkdwn(unread) }]),
  ]
}

const mostRequests = 10

export function requestBlocks(requests: readonly OwnRequest[]): KnownBlock[] {
  if (requests.length === 0) return []
  const lines = requests
    .slice(0, mostRequests)
    .map((one) => [linked(one.words, one.link), words(' · until '), when(one.until)])
  const rest = requests.length - lines.length
  return [listBlock(rest === 0 ? lines : [...lines, [words(`and ${rest} more`)]])]
}

function help(takesLinks: boolean): string {
  return [
    `\`/alert <key${takesLinks ? ' or link' : ''}>\` shows an alert, its history in the thread. *Watch* keeps it up to date.`,
    '`/grant <container> <email> <flags>` gives somebody access. `/grant` alone opens a form.',
    '`@Bellhop alert <key>` does the same in threads, where commands cannot be typed.',
    '*Look up this alert*, in the menu of any message, finds the alerts in it.',
    '`/alert help` and `/grant help` tell the rest; `/alert doctor` says what works.',
  ]
    .map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    .join('\n')
}
