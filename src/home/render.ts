// The Home tab put together: account, watches, requests, what was done lately, help. Pure.
import type { Button, KnownBlock, RichTextElement } from '@slack/types'
import { connectButton } from '../account/render.ts'
import { signs, writeWords } from '../send/words.ts'
import type { Home } from '../slack/outbound/message.ts'
import { cut, date, exactDate, mrkdwn, plain, richDate } from '../slack/text/mrkdwn.ts'
import type { GrantEnd, GrantedLately, LookedUp } from './recent.ts'
import type { Right, Rights } from './rights.ts'

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
      ...part('Help', [section(help(takesLinks))]),
      { type: 'context', elements: [mrkdwn(`as of ${exactDate(asOf)}`)] },
    ],
  }
}

/** For a Slack that refuses the tab as it is drawn: an empty one would leave people without a way on. */
export function renderPlainHome(): Home {
  const text =
    'Slack doesn’t accept this tab as Bellhop draws it. Commands work: `/alert connect` connects your account, `/alert watches` lists what you watch, and `/alert help` and `/grant help` show the rest. Whoever runs Bellhop finds the reason in its log.'
  return { type: 'home', blocks: [section(text)] }
}

const unread = 'This could not be read just now. Open this tab again in a moment.'

function part(title: string, blocks: Part): KnownBlock[] {
  return [{ type: 'header', text: plain(title) }, ...(blocks ?? [section(unread)])]
}

const mostRequests = 10

export function requestBlocks(requests: readonly OwnRequest[]): KnownBlock[] {
  if (requests.length === 0) return []
  const lines = requests
    .slice(0, mostRequests)
    .map((one) => [linked(one.words, one.link), words(' · until '), when(one.until)])
  return [listBlock(withRest(lines, requests.length))]
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

/** Action id of *Disconnect*, for the listeners. */
export const disconnectAction = 'home.disconnect'

/** Undefined when nobody is connected. */
export type Account = (Rights & { readonly since: number }) | undefined

const mostRights = 6
const longestKey = 100

export function accountBlocks(account: Account): KnownBlock[] {
  if (account === undefined) {
    const text =
      'You are not connected. Connect your own account at the monitoring service: Bellhop then looks up alerts and grants access as you, and can do nothing that you could not.'
    return [section(text), buttons(connectButton())]
  }
  const { since, refusedAt, seen } = account
  if (refusedAt !== undefined) {
    const text = `⚠️ *Connected* since ${time(since)}, but the monitoring service no longer accepts your token (${time(refusedAt)}). Connect your account again.`
    return [section(text), buttons(connectButton(), disconnectButton())]
  }
  const connected = `✅ *Connected* since ${time(since)}.`
  if (seen.length === 0) {
    const text = `${connected}\nWhat your token may do shows here once you have used it.`
    return [section(text), buttons(disconnectButton())]
  }
  const lines = seen.slice(0, mostRights).map(rightLine)
  return [
    section(`${connected}\nWhat your token may do, as far as seen:`),
    listBlock(withRest(lines, seen.length)),
    buttons(disconnectButton()),
  ]
}

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

function buttons(...elements: Button[]): KnownBlock {
  return { type: 'actions', elements }
}

function time(at: number): string {
  return date(Math.floor(at / 1000))
}

function rightLine({ at, isAllowed, of }: Right): RichTextElement[] {
  switch (of.kind) {
    case 'read':
      return [words('Look up alerts (API and READ): worked, '), when(at)]
    case 'read-alert': {
      const what = of.ks === undefined ? 'alerts' : cut(of.ks, longestKey)
      return [words(`Look up ${what}: refused, `), when(at), words('; it needs API and READ there')]
    }
    case 'grant': {
      const what = `Grant access on container ${of.containerId}`
      if (isAllowed) return [words(`${what} (API and CONTAINER_ACCESS): worked, `), when(at)]
      return [words(`${what}: refused, `), when(at), words('; it needs API and CONTAINER_ACCESS')]
    }
    default:
      return of satisfies never
  }
}

function disconnectButton(): Button {
  return {
    type: 'button',
    action_id: disconnectAction,
    text: plain('Disconnect'),
    confirm: {
      title: plain('Disconnect'),
      text: plain(
        'Bellhop forgets your token at once, and your watches end. If you do not need the token any more, revoke it at the monitoring service too.',
      ),
      confirm: plain('Disconnect'),
      deny: plain('Cancel'),
      style: 'danger',
    },
  }
}

export interface CardLinks {
  /** Of the card. */
  readonly link: string | undefined
  /** Of the alert in monitoring. */
  readonly webLink: string | undefined
}

/** @param lines - Newest first. */
export function latelyBlocks(lines: readonly ((LookedUp & CardLinks) | GrantedLately)[]): KnownBlock[] {
  if (lines.length === 0) {
    return [section('Nothing yet. What you look up and grant is listed here.')]
  }
  return [listBlock(lines.map((line) => (line.kind === 'look-up' ? lookUpLine(line) : grantLine(line))))]
}

function lookUpLine({ title, at, link, webLink }: LookedUp & CardLinks): RichTextElement[] {
  const line = [linked(title, link), words(' · '), when(at)]
  return webLink === undefined ? line : [...line, words(' · '), linked('Open in monitoring', webLink)]
}

const endSigns: Readonly<Record<GrantEnd, string>> = { ...signs, 'under-way': '⏳' }
const endWords: Readonly<Record<GrantEnd, string>> = {
  ...writeWords['add-user'].shortWords,
  'under-way': 'under way',
}

function grantLine({ at, containerId, people }: GrantedLately): RichTextElement[] {
  return [words(`${summary(people)} · container ${containerId} · `), when(at)]
}

const longestEmail = 100

/** “✅ dave@example.com: granted” “⚠️ 2 of 3 granted, 1 not certain: dave@example.com and 2 more” */
function summary(people: GrantedLately['people']): string {
  const [first, ...others] = people
  const email = cut(first?.email ?? '', longestEmail)
  if (first !== undefined && others.length === 0)
    return `${endSigns[first.end]} ${email}: ${endWords[first.end]}`
  const count = (end: GrantEnd) => people.filter((one) => one.end === end).length
  const open = (['under-way', 'uncertain'] as const).filter((end) => count(end) > 0)
  const granted = `${count('granted')} of ${people.length} granted`
  const said = [granted, ...open.map((end) => `${count(end)} ${endWords[end]}`)].join(', ')
  const sign = endSigns[open[0] ?? (count('granted') > 0 ? 'granted' : 'not-granted')]
  return `${sign} ${said}: ${email} and ${others.length} more`
}

const longestName = 100

/** A list, a line each. Rich text: what others wrote is shown as it is. */
function listBlock(lines: readonly (readonly RichTextElement[])[]): KnownBlock {
  const elements = lines.map((line) => ({ type: 'rich_text_section' as const, elements: [...line] }))
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }
}

/** With a last line for what is not listed. @param count - Of all there are. */
function withRest(lines: readonly (readonly RichTextElement[])[], count: number) {
  const rest = count - lines.length
  return rest === 0 ? lines : [...lines, [words(`and ${rest} more`)]]
}

/** @param text - Raw. */
function words(text: string): RichTextElement {
  return { type: 'text', text }
}

/** @param name - Raw; shortened. @param link - Where it leads, when that is known. */
function linked(name: string, link: string | undefined): RichTextElement {
  const text = cut(name, longestName)
  return link === undefined ? words(text) : { type: 'link', url: link, text }
}

/** @param at - Milliseconds since 1970. */
function when(at: number): RichTextElement {
  return richDate(Math.floor(at / 1000))
}
