// The Home tab put together: what can be pressed, what waits, live cards, what was done lately, account, help. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { connectButton } from '../account/render.ts'
import type { Card } from '../alert/cards.ts'
import type { CardSettings } from '../alert/render/card.ts'
import { alertLines, type ShortList } from '../alert/render/open-list.ts'
import { type ListedWatch, watchRow } from '../live/render.ts'
import type { ShownLink } from '../names/own-id.ts'
import { declinedSign, outcomeWords } from '../send/outcome.ts'
import { button, describe, type Home, type LineElement } from '../slack/outbound/message.ts'
import { nameInLine } from '../slack/person.ts'
import {
  since as ago,
  cut,
  date,
  exactDate,
  linkTo,
  literal,
  mrkdwn,
  plain,
  richDateWithin,
  richSince,
} from '../slack/text/mrkdwn.ts'
import type { OwnRequest, RequestEnd, WaitingRequest } from './requests.ts'

/** Action ids of the buttons in here, for the listeners. */
export const homeActions = {
  lookUp: 'home.look-up',
  /** Its value is the alert's key. */
  lookUpAgain: 'home.look-up-again',
  grant: 'home.grant',
  disconnect: 'home.disconnect',
  forgetWho: 'home.forget-who',
} as const

export interface HomeParts {
  readonly account: AccountPart
  readonly who: readonly KnownBlock[]
  /** In their order. A list without any lines has no title either. */
  readonly lists: readonly (readonly [title: string, blocks: readonly KnownBlock[]])[]
  /** Links of alerts are known as such. */
  readonly takesLinks: boolean
  /** Unix seconds. */
  readonly asOf: number
}

export function renderHome({ account, who, lists, takesLinks, asOf }: HomeParts): Home {
  const { first, last } = account
  const listed = lists.flatMap(([title, blocks]): readonly KnownBlock[] =>
    blocks.length === 0 ? [] : [{ type: 'header', text: plain(title) }, ...blocks],
  )
  const nothing = small('Alerts you look up or watch, and access you grant, will be listed here.')
  const style = first.length === 0 ? 'primary' : undefined
  const what = takesLinks ? 'key or link' : 'key'
  return {
    type: 'home',
    blocks: [
      ...first,
      buttons(
        button(homeActions.lookUp, 'Look up an alert', '-', style),
        button(homeActions.grant, 'Grant access', '-'),
      ),
      ...(listed.length === 0 ? [nothing] : listed),
      { type: 'divider' },
      ...last,
      ...who,
      small(
        `\`/alert &lt;${what}&gt;\` shows an alert · in threads, mention @Bellhop\n\`/alert help\` and \`/grant help\` list everything`,
      ),
      small(`as of ${exactDate(asOf)}`),
    ],
  }
}

const mostOpen = 5

/** The worst of what is open where somebody looked last. */
export function openBlocks(settings: CardSettings, list: ShortList | undefined): readonly KnownBlock[] {
  if (list === undefined) return []
  const { alerts } = list
  const container = cut(list.container, longestTitle)
  if (alerts.length === 0) return [{ type: 'section', text: literal(`Nothing is open in ${container}.`) }]
  const count = alerts.length > mostOpen ? `the worst ${mostOpen} of ${alerts.length}` : `${alerts.length}`
  return [
    { type: 'context', elements: [literal(`${container}: ${count}`)] },
    ...alertLines(settings, { ...list, alerts: alerts.slice(0, mostOpen) }),
  ]
}

const mostRequests = 10

/** Requests of others that somebody can read already. */
export function waitingBlocks(waiting: readonly WaitingRequest[]): readonly KnownBlock[] {
  return shortList(
    waiting.map(({ askerName, words, link, until }) => [
      linked(`${nameInLine(askerName) || 'Somebody'} asks: ${words}`, link),
      ...untilWhen(until),
    ]),
  )
}

/** What somebody asked for or approved: what is open comes first. */
export function requestBlocks(requests: readonly OwnRequest[]): readonly KnownBlock[] {
  return shortList(
    requests.map((one) => [
      linked(`${becameOf(one)} · ${one.words}`, one.open?.link),
      ...(one.open ? untilWhen(one.open.until) : [' · ', richSince(Math.floor(one.at / 1000))]),
    ]),
  )
}

function untilWhen(until: number): readonly (string | LineElement)[] {
  return [' · expires ', richDateWithin(Math.floor(until / 1000))]
}

/** A line each. Rich text: what others wrote is shown as it is. */
function shortList(lines: readonly (readonly (string | LineElement)[])[]): readonly KnownBlock[] {
  const rest = lines.length - mostRequests
  const shown = lines.slice(0, mostRequests).map((line) => ['• ', ...line])
  return describe({ lines: [...shown, ...(rest > 0 ? [`• and ${rest} more`] : [])] }).blocks
}

const mostLive = 10

/** The worst first. */
export function liveBlocks(settings: CardSettings, watches: readonly ListedWatch[]): readonly KnownBlock[] {
  const level = ({ shown }: ListedWatch) =>
    shown?.alert.closedTimestamp === null ? shown.alert.lastSeverity : Number.MAX_SAFE_INTEGER
  const rows = watches
    .toSorted((one, other) => level(one) - level(other))
    .slice(0, mostLive)
    .map((watch) => watchRow(settings, watch))
  const rest = watches.length - rows.length
  return rest === 0 ? rows : [...rows, small(`and ${rest} more: \`/alert watches\` lists them`)]
}

/** A card with the addresses it leads to, where they are known. */
export interface LinkedLookUp extends Pick<Card, 'ks' | 'title' | 'at'> {
  readonly cardLink: string | undefined
  /** Of the alert in monitoring. */
  readonly webLink: string | undefined
}

const longestTitle = 150

/** Titles are the service's: plain text, in which nothing is bold and nothing a quote. @param lookUps - Newest first. */
export function alertBlocks(lookUps: readonly LinkedLookUp[]): readonly KnownBlock[] {
  return lookUps.flatMap(({ ks, title, at, cardLink, webLink }): readonly KnownBlock[] => {
    const links = [
      ...(cardLink === undefined ? [] : [linkTo(cardLink, 'See the card')]),
      ...(webLink === undefined ? [] : [linkTo(webLink, 'Open in monitoring')]),
    ]
    return [
      {
        type: 'section',
        text: literal(cut(title.replaceAll(/\s+/g, ' ').trim(), longestTitle)),
        accessory: button(homeActions.lookUpAgain, 'Look up again', ks),
      },
      small([ago(Math.floor(at / 1000)), ...links].join(' · ')),
    ]
  })
}

const ends: Readonly<Record<RequestEnd, readonly [sign: string, words: string]>> = {
  ...outcomeWords,
  'under-way': ['⏳', 'under way'],
  waiting: ['⏳', 'waiting for approval'],
  declined: [declinedSign, 'declined'],
  withdrawn: ['➖', 'withdrawn'],
  expired: ['⌛', 'expired'],
}
const longestEmail = 100

/** “✅ dave@example.com: granted by Carol” “⛔ dave@example.com: not granted” “❓ 2 of 3 granted, 1 not certain: dave@example.com and 2 more” */
function becameOf({ people, by }: OwnRequest): string {
  const [first, ...others] = people
  if (first === undefined) return ''
  const email = cut(first.email, longestEmail)
  if (others.length === 0) {
    const [sign, words] = ends[first.end]
    const isTheirs = by !== undefined && (first.end === 'done' || first.end === 'declined')
    if (first.end === 'done' && !isTheirs) return `${sign} ${email}`
    return `${sign} ${email}: ${words}${isTheirs ? ` by ${nameInLine(by)}` : ''}`
  }
  const count = (end: RequestEnd) => people.filter((one) => one.end === end).length
  const open = (['waiting', 'under-way', 'uncertain'] as const).filter((end) => count(end) > 0)
  const counted = open.map((end) => `, ${count(end)} ${ends[end][1]}`).join('')
  const [sign] = ends[open[0] ?? (count('done') > 0 ? 'done' : 'not-done')]
  const granted = `${count('done')} of ${people.length} granted${counted}`
  return `${sign} ${granted}: ${email} and ${others.length} more`
}

export interface AccountPart {
  /** What has to be done before anything else works. */
  readonly first: readonly KnownBlock[]
  /** What there is to know, below all the rest. */
  readonly last: readonly KnownBlock[]
}

/** @param since - Milliseconds since 1970; undefined when they are not connected. */
export function accountBlocks(since: number | undefined): AccountPart {
  if (since === undefined) {
    const text = 'Connect your monitoring account so that I can look up alerts and grant access as you.'
    return { first: [section(text), buttons(connectButton())], last: [] }
  }
  const disconnect: Button = {
    ...button(homeActions.disconnect, 'Disconnect', '-'),
    confirm: {
      title: plain('Disconnect'),
      text: plain(
        'I delete your token. You stop watching alerts, and channels that follow a container with your account are told. If you no longer need the token, revoke it in monitoring too.',
      ),
      confirm: plain('Disconnect'),
      deny: plain('Cancel'),
      style: 'danger',
    },
  }
  const connected = mrkdwn(`Connected since ${date(Math.floor(since / 1000))}.`)
  return { first: [], last: [{ type: 'section', text: connected, accessory: disconnect }] }
}

const longestName = 80

/** Nothing where nobody knows who they are. */
export function whoBlocks(link: ShownLink | undefined): readonly KnownBlock[] {
  if (link === undefined) return []
  const { userId } = link
  const name = cut(nameInLine(link.name ?? ''), longestName) || `user ${userId}`
  return [
    {
      type: 'section',
      text: literal(`You’re ${name} in monitoring.`),
      accessory: button(homeActions.forgetWho, 'Forget', '-'),
    },
  ]
}

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** Small and grey. */
function small(text: string): KnownBlock {
  return { type: 'context', elements: [mrkdwn(text)] }
}

function buttons(...elements: Button[]): KnownBlock {
  return { type: 'actions', elements }
}

const longestLine = 200

/** @param name - Raw; shortened. @param link - Where it leads, when that is known. */
function linked(name: string, link: string | undefined): string | LineElement {
  const text = cut(name, longestLine)
  return link === undefined ? text : { type: 'link', url: link, text }
}
