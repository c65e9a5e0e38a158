// Puts the Home tab together: what can be pressed, what waits, live cards, what was done lately, account, help. Pure.
import type { Button, HomeView, KnownBlock } from '@slack/types'
import { renderConnectFirst } from '../account/render.ts'
import type { Card } from '../alert/cards.ts'
import type { CardSettings } from '../alert/render/card.ts'
import { alertRow, type ShortList } from '../alert/render/open-list.ts'
import { standingWords } from '../alert/render/state.ts'
import { standingTold } from '../alert/thread.ts'
import { dueRow, type ShownEnd } from '../ends/render.ts'
import type { Follow } from '../follow/follows.ts'
import { type FollowSettings, renderFollow } from '../follow/render.ts'
import type { Roles } from '../grant/roles.ts'
import { type ListedWatch, watchRow, worstFirst } from '../live/render.ts'
import type { ShownLink } from '../names/own-id.ts'
import { firstOf } from '../slack/outbound/list.ts'
import { button, describe, type LineElement, note, section } from '../slack/outbound/message.ts'
import { nameInLine } from '../slack/person.ts'
import {
  since as ago,
  cut,
  date,
  linkTo,
  literal,
  plain,
  richDateWithin,
  richSince,
  seconds,
} from '../slack/text/mrkdwn.ts'
import type { ListedRequest } from './requests.ts'

export const homeActions = {
  lookUp: 'home.look-up',
  /** A button whose value is the alert's key. */
  lookUpAgain: 'home.look-up-again',
  grant: 'home.grant',
  disconnect: 'home.disconnect',
  forgetWho: 'home.forget-who',
} as const

export interface HomeParts {
  /** Since when the person is connected, in milliseconds since 1970; undefined if they are not. */
  readonly since: number | undefined
  /** How many accesses they gave for a time: only their account can take those back. */
  readonly ends: number
  readonly link: ShownLink | undefined
  /** Lists by title, in the order shown. A list without any lines has no title either. */
  readonly lists: Readonly<Record<string, readonly KnownBlock[]>>
  readonly takesLinks: boolean
  /** Time of the data, in Unix seconds. */
  readonly asOf: number
}

export function renderHome({ since, ends, link, lists, takesLinks, asOf }: HomeParts): HomeView {
  const listed = Object.entries(lists).flatMap(([title, blocks]): readonly KnownBlock[] =>
    blocks.length === 0 ? [] : [{ type: 'header', text: plain(title) }, ...blocks],
  )
  const nothing = note('Alerts you look up or watch, and access you grant, will be listed here.')
  const what = takesLinks ? 'key or link' : 'key'
  const isConnected = since !== undefined
  const who = link && (nameInLine(link.name ?? '') || `user ${link.userId}`)

  return {
    type: 'home',
    blocks: [
      ...(isConnected ? [] : connectFirst.blocks),
      ...describe({
        buttons: [
          button(homeActions.lookUp, 'Look up an alert', '-', isConnected ? 'primary' : undefined),
          button(homeActions.grant, 'Grant access', '-'),
        ],
      }).blocks,
      ...(listed.length === 0 ? [nothing] : listed),
      { type: 'divider' },
      ...(isConnected
        ? [section(`Connected since ${date(seconds(since))}.`, disconnectButton(ends))]
        : []),
      ...(who ? [section(literal(`You’re ${who} in monitoring.`), forgetButton)] : []),
      note(
        `\`/alert &lt;${what}&gt;\` shows an alert · in threads, mention @Bellhop\n\`/alert help\` and \`/grant help\` list everything`,
      ),
      note(`as of ${date(asOf)}`),
    ],
  }
}

/** Nothing else works before an account is connected. */
const connectFirst = renderConnectFirst(
  'Connect your monitoring account so that I can look up alerts and grant access as you.',
)

/** @param ends - How many accesses only this account can take back. */
function disconnectButton(ends: number): Button {
  const stays =
    ends === 0 ? '' : ` I can no longer take back access that you gave for a time (${ends}).`
  const told = `I delete your token. You stop watching alerts, and channels that follow a container with your account are told.${stays} If you no longer need the token, revoke it in monitoring too.`
  return {
    ...button(homeActions.disconnect, 'Disconnect', '-'),
    confirm: {
      title: plain('Disconnect'),
      text: plain(told),
      confirm: plain('Disconnect'),
      deny: plain('Cancel'),
      style: 'danger',
    },
  }
}

const forgetButton = button(homeActions.forgetWho, 'Forget', '-')

const mostOpen = 5

/**
 * Open alerts of the container used last: the person’s own, then the worst of all others.
 * @param ownId - The person’s number at the service.
 */
export function openBlocks(
  settings: CardSettings,
  list: ShortList | undefined,
  ownId: number | undefined,
) {
  if (!list) return {}

  const container = cut(list.container, longestTitle)
  if (list.alerts.length === 0)
    return { 'Open now': [section(literal(`Nothing is open in ${container}.`))] }

  const { own = [], rest = [] } = Object.groupBy(list.alerts, ({ ownerId }) =>
    ownerId !== null && ownerId === ownId ? 'own' : 'rest',
  )
  const blocks = (alerts: ShortList['alerts'], line: string): readonly KnownBlock[] => {
    const { length } = alerts
    if (length === 0) return []

    const count =
      length > mostOpen ? `the worst ${mostOpen} of ${length}. ${line} lists them all` : length
    const rows = alerts.slice(0, mostOpen).map(alertRow(settings, list))
    return [note(literal(`${container}: ${count}`)), ...rows.flatMap((one) => one.blocks)]
  }
  const line = `/alert open ${list.containerId}`
  return { 'Assigned to you': blocks(own, `${line} mine`), 'Open now': blocks(rest, line) }
}

const mostRequests = 10

/** Draws a line for each request, as rich text: what others wrote is shown as it is. */
export function requestBlocks(requests: readonly ListedRequest[]): readonly KnownBlock[] {
  const rest = requests.length - mostRequests
  const lines = requests.slice(0, mostRequests).map(({ words, askedAt, until, link: url }) => {
    const text = cut(words, longestLine)
    const what: string | LineElement = url ? { type: 'link', url, text } : text
    const when = until
      ? [' · expires ', richDateWithin(seconds(until))]
      : [' · ', richSince(seconds(askedAt))]
    return ['• ', what, ...when]
  })
  const more = rest > 0 ? `• and ${rest} more, which appear here as these end` : undefined

  return describe({ lines: [...lines, more] }).blocks
}

const longestLine = 200

/** Enough at a glance: the tab has eight lists, and Slack takes 100 blocks. */
const mostListed = 10

interface Lists {
  readonly due: readonly ShownEnd[]
  readonly live: readonly ListedWatch[]
  readonly follows: readonly Follow[]
}

/**
 * Draws the tab’s lists. A list that is too long for the tab ends with a line that says what to type for all of it. That is
 * `/alert follows` in a direct message for follows: in a channel, it would list what that channel follows.
 */
export function listBlocks(
  settings: CardSettings & FollowSettings & { readonly roles: Roles },
  { due, live, follows }: Lists,
) {
  const elsewhere = (follow: Follow) => renderFollow(settings, follow, false)
  return {
    'Access that ends': firstOf(due, dueRow(settings.roles), mostListed, '`/grant due` lists them'),
    Live: firstOf(worstFirst(live), watchRow(settings), mostListed, '`/alert watches` lists them'),
    Following: firstOf(
      follows,
      elsewhere,
      mostListed,
      '`/alert follows`, typed in Messages, lists them',
    ),
  }
}

export interface LinkedLookUp extends Pick<Card, 'ks' | 'title' | 'at' | 'told'> {
  readonly cardLink: string | undefined
  /** Leads to the alert in monitoring. */
  readonly webLink: string | undefined
}

const longestTitle = 150
const recentWords = 'As I last saw them. For any other, type `/alert &lt;key&gt;`.'

/**
 * Draws recent look-ups. Their titles are the service's: plain text, in which nothing is bold and nothing a quote.
 * @param lookUps - Newest first.
 */
export function alertBlocks(
  settings: CardSettings,
  lookUps: readonly LinkedLookUp[],
): readonly KnownBlock[] {
  const rows = lookUps.flatMap((lookUp): readonly KnownBlock[] => {
    const { ks, title, at, told, cardLink, webLink } = lookUp
    const stands = standingTold(told)
    const words = stands === undefined ? '' : `${standingWords(settings, stands)} · `
    const shown = cut(`${words}${title.replaceAll(/\s+/g, ' ').trim()}`, longestTitle)
    const facts = [
      ago(seconds(at)),
      cardLink && linkTo(cardLink, 'See the card'),
      webLink && linkTo(webLink, 'Open in monitoring'),
    ]

    return [
      section(literal(shown), button(homeActions.lookUpAgain, 'Look up again', ks)),
      note(facts.filter(Boolean).join(' · ')),
    ]
  })
  return rows.length === 0 ? [] : [note(recentWords), ...rows]
}
