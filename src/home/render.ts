// The Home tab put together: what can be pressed, what waits, live cards, what was done lately, account, help. Pure.
import type { Button, KnownBlock, RichTextElement } from '@slack/types'
import { connectButton } from '../account/render.ts'
import type { CardSettings } from '../alert/render/card.ts'
import type { ListedRequest } from '../approval/listed.ts'
import { type ListedWatch, watchRow } from '../live/render.ts'
import type { ShownLink } from '../names/own-id.ts'
import { signs, writeWords } from '../send/words.ts'
import type { Home } from '../slack/outbound/message.ts'
import { limits } from '../slack/text/limits.ts'
import {
  since as ago,
  cut,
  date,
  escapeText,
  exactDate,
  linkTo,
  mrkdwn,
  plain,
  richDateWithin,
  richSince,
} from '../slack/text/mrkdwn.ts'
import { nameInLine } from '../slack/workspace/names.ts'
import type { GrantEnd, GrantedLately, LookedUp } from './recent.ts'

/** Action ids of the buttons in here, for the listeners. */
export const homeActions = {
  lookUp: 'home.look-up',
  /** Its value is the alert's key. */
  lookUpAgain: 'home.look-up-again',
  grant: 'home.grant',
  disconnect: 'home.disconnect',
  forgetWho: 'home.forget-who',
} as const

/** Undefined where a part could not be read. */
type Part = readonly KnownBlock[] | undefined

export interface HomeParts {
  readonly account: AccountPart | undefined
  readonly who: Part
  readonly waiting: Part
  readonly requests: Part
  readonly live: Part
  readonly alerts: Part
  readonly grants: Part
  /** Links of alerts are known as such. */
  readonly takesLinks: boolean
  /** Unix seconds. */
  readonly asOf: number
}

export function renderHome(parts: HomeParts): Home {
  const { account, who, waiting, requests, live, alerts, grants, takesLinks, asOf } = parts
  const lists = [
    // Nobody misses what they were not told of.
    ...titled('Waiting for you', waiting ?? []),
    ...titled('Your requests', requests),
    ...titled('Live', live),
    ...titled('Recent alerts', alerts),
    ...titled('Recent grants', grants),
  ]
  return {
    type: 'home',
    blocks: [
      ...(account?.first ?? []),
      buttons(
        button(homeActions.lookUp, 'Look up an alert', account?.first.length === 0 ? 'primary' : undefined),
        button(homeActions.grant, 'Grant access'),
      ),
      ...(lists.length === 0 ? [small(nothingYet)] : lists),
      { type: 'divider' },
      ...(account === undefined ? [section(unread('your account'))] : account.last),
      ...(who ?? []),
      small(help(takesLinks)),
      small(`as of ${exactDate(asOf)}`),
    ],
  }
}

const nothingYet = 'Alerts you look up or watch, and access you grant, will be listed here.'

function unread(what: string): string {
  return `Couldn’t read ${what} right now. Open this tab again in a moment.`
}

/** A list without any lines has no title either. */
function titled(title: string, blocks: Part): KnownBlock[] {
  if (blocks?.length === 0) return []
  return [{ type: 'header', text: plain(title) }, ...(blocks ?? [section(unread('these'))])]
}

function help(takesLinks: boolean): string {
  const what = takesLinks ? 'key or link' : 'key'
  return [
    `\`/alert &lt;${what}&gt;\` shows an alert · in threads, mention @Bellhop`,
    '`/alert help` and `/grant help` list everything',
  ].join('\n')
}

const mostRequests = 10

/** Requests of others that somebody can read already. */
export function waitingBlocks(requests: readonly ListedRequest[]): KnownBlock[] {
  return requestBlocks(requests, ({ askerName, words }) => {
    return `${nameInLine(askerName) || 'Somebody'} asks: ${words}`
  })
}

/** Somebody's own. */
export function ownRequestBlocks(requests: readonly ListedRequest[]): KnownBlock[] {
  return requestBlocks(requests, ({ words }) => words)
}

function requestBlocks(
  requests: readonly ListedRequest[],
  wordsOf: (request: ListedRequest) => string,
): KnownBlock[] {
  if (requests.length === 0) return []
  const lines = requests
    .slice(0, mostRequests)
    .map((one) => [
      linked(wordsOf(one), one.link),
      said(' · expires '),
      richDateWithin(Math.floor(one.until / 1000)),
    ])
  return [listBlock(withRest(lines, requests.length))]
}

const mostLive = 10

/** The worst first. */
export function liveBlocks(settings: CardSettings, watches: readonly ListedWatch[]): KnownBlock[] {
  const level = ({ shown }: ListedWatch) =>
    shown?.alert.closedTimestamp === null ? shown.alert.lastSeverity : Number.MAX_SAFE_INTEGER
  const rows = watches
    .toSorted((one, other) => level(one) - level(other))
    .slice(0, mostLive)
    .map((watch) => watchRow(settings, watch))
  const rest = watches.length - rows.length
  return rest === 0 ? rows : [...rows, small(`and ${rest} more: \`/alert watches\` lists them`)]
}

/** A look-up with the addresses it leads to, where they are known. */
export interface LinkedLookUp extends LookedUp {
  /** Of the card. */
  readonly link: string | undefined
  /** Of the alert in monitoring. */
  readonly webLink: string | undefined
}

const longestTitle = 150

/** @param lookUps - Newest first. */
export function alertBlocks(lookUps: readonly LinkedLookUp[]): KnownBlock[] {
  return lookUps.map((lookUp) => {
    const { ks } = lookUp
    const text = mrkdwn(firstThatFits(lookUpTexts(lookUp)))
    // Longer than Slack takes behind a button, which nobody can look up again either.
    if (escapeText(ks).length > limits.buttonValue) return { type: 'section', text }
    return {
      type: 'section',
      text,
      accessory: button(homeActions.lookUpAgain, 'Look up again', undefined, ks),
    }
  })
}

/** The same with fewer links each: addresses may be longer than Slack takes in a text. */
function lookUpTexts({ title, at, link, webLink }: LinkedLookUp): readonly string[] {
  const name = cut(title.replaceAll(/\s+/g, ' ').trim(), longestTitle)
  const when = ago(Math.floor(at / 1000))
  const first = link === undefined ? escapeText(name) : linkTo(link, name)
  const more = webLink === undefined ? '' : ` · ${linkTo(webLink, 'Open in monitoring')}`
  return [`${first}\n${when}${more}`, `${first}\n${when}`, `${escapeText(name)}\n${when}`]
}

function firstThatFits(texts: readonly string[]): string {
  return texts.find((text) => text.length <= limits.sectionText) ?? ''
}

/** A grant with the access it gave, in a few words, raw. */
export interface WordedGrant extends GrantedLately {
  readonly words: string
  /** “Customer 1 (12)”, where its name is known. Raw. */
  readonly container?: string | undefined
}

/** @param grants - Newest first. */
export function grantBlocks(grants: readonly WordedGrant[]): KnownBlock[] {
  if (grants.length === 0) return []
  return [
    listBlock(
      grants.map(({ at, containerId, container = `container ${containerId}`, people, words }) => [
        said(`${becameOf(people)} · ${words} on ${container} · `),
        richSince(Math.floor(at / 1000)),
      ]),
    ),
  ]
}

const endSigns: Readonly<Record<GrantEnd, string>> = { ...signs, 'under-way': '⏳' }
const endWords: Readonly<Record<GrantEnd, string>> = {
  ...writeWords['add-user'].shortWords,
  'under-way': 'under way',
}
const longestEmail = 100

/** “✅ dave@example.com” “⛔ dave@example.com: not granted” “❓ 2 of 3 granted, 1 not certain: dave@example.com and 2 more” */
function becameOf(people: GrantedLately['people']): string {
  const [first, ...others] = people
  const email = cut(first?.email ?? '', longestEmail)
  if (first !== undefined && others.length === 0) {
    const word = first.end === 'done' ? '' : `: ${endWords[first.end]}`
    return `${endSigns[first.end]} ${email}${word}`
  }
  const count = (end: GrantEnd) => people.filter((one) => one.end === end).length
  const open = (['under-way', 'uncertain'] as const).filter((end) => count(end) > 0)
  const granted = `${count('done')} of ${people.length} granted`
  const ends = [granted, ...open.map((end) => `${count(end)} ${endWords[end]}`)].join(', ')
  const sign = endSigns[open[0] ?? (count('done') > 0 ? 'done' : 'not-done')]
  return `${sign} ${ends}: ${email} and ${others.length} more`
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
    const text = 'Connect your monitoring account so that Bellhop can look up alerts and grant access as you.'
    return { first: [section(text), buttons(connectButton())], last: [] }
  }
  const connected = mrkdwn(`Connected since ${date(Math.floor(since / 1000))}.`)
  return { first: [], last: [{ type: 'section', text: connected, accessory: disconnectButton() }] }
}

const longestName = 80

/** Nothing where nobody knows who they are. */
export function whoBlocks(link: ShownLink | undefined): KnownBlock[] {
  if (link === undefined) return []
  const { userId } = link
  const name = cut(nameInLine(link.name ?? ''), longestName) || `user ${userId}`
  return [
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [said(`You’re ${name} in monitoring.`)] }],
    },
    buttons(button(homeActions.forgetWho, 'Forget')),
  ]
}

function disconnectButton(): Button {
  return {
    ...button(homeActions.disconnect, 'Disconnect'),
    confirm: {
      title: plain('Disconnect'),
      text: plain(
        'Bellhop deletes your token, and you stop watching alerts. If you no longer need the token, revoke it in monitoring too.',
      ),
      confirm: plain('Disconnect'),
      deny: plain('Cancel'),
      style: 'danger',
    },
  }
}

function button(actionId: string, label: string, style?: 'primary', value?: string): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(label),
    ...(style && { style }),
    ...(value && { value }),
  }
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

/** A list, a line each. Rich text: what others wrote is shown as it is. */
function listBlock(lines: readonly (readonly RichTextElement[])[]): KnownBlock {
  const elements = lines.map((line) => ({ type: 'rich_text_section' as const, elements: [...line] }))
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }
}

/** With a last line for what is not listed. @param count - Of all there are. */
function withRest(lines: readonly (readonly RichTextElement[])[], count: number) {
  const rest = count - lines.length
  return rest === 0 ? lines : [...lines, [said(`and ${rest} more`)]]
}

/** @param text - Raw. */
function said(text: string): RichTextElement {
  return { type: 'text', text }
}

/** @param name - Raw; shortened. @param link - Where it leads, when that is known. */
function linked(name: string, link: string | undefined): RichTextElement {
  const text = cut(name, longestLine)
  return link === undefined ? said(text) : { type: 'link', url: link, text }
}
