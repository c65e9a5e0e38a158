// Messages of followed containers. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { renderList, type ShortList } from '../alert/render/open-list.ts'
import { type SeverityNames, severityName, span } from '../alert/render/state.ts'
import { button, describe, type Line, type Message, say } from '../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, richDateWithin } from '../slack/text/mrkdwn.ts'
import { type Carrier, type Follow, type Lost, leastGrave } from './follows.ts'

/** Action ids of the buttons in here. */
export const followActions = {
  begin: 'follow.begin',
  stop: 'follow.stop',
  takeOver: 'follow.take-over',
  bell: 'follow.bell',
} as const

export interface FollowSettings extends SeverityNames {
  readonly follow: { readonly intervalMs: number }
  readonly publicUrl: string | undefined
}

/** “ERROR and worse”, “All severities”. Raw. */
function leastInWords(settings: SeverityNames, least: number): string {
  return least >= leastGrave ? 'All severities' : `${severityName(settings, least)} and worse`
}

function every({ follow }: FollowSettings): string {
  const seconds = follow.intervalMs / 1000
  return seconds === 60 ? 'every minute' : `every ${span(seconds)}`
}

/** Before somebody follows a container: what they agree to. @param line - Comes back with the button. */
export function renderConsent(
  settings: FollowSettings,
  { container, least, open }: { readonly container: string; readonly least: number; readonly open: number },
  line: string,
): Message {
  const which = least >= leastGrave ? 'all its alerts' : `its alerts of ${leastInWords(settings, least)}`
  const now =
    open === 0 ? 'Nothing of that is open now.' : `${open} of them ${open === 1 ? 'is' : 'are'} open now.`
  return describe({
    headline: `Follow ${container} in this channel?`,
    lines: [
      `Your account reads it ${every(settings)}, and everybody here sees ${which}, whatever they may see in monitoring.`,
      now,
    ],
    buttons: [button(followActions.begin, 'Follow', line, 'primary')],
  })
}

/** Its own message, which says how far it can be trusted. @param at - Milliseconds since 1970. */
export function renderFollow(settings: FollowSettings, follow: Follow, at: number): Message {
  const { container, carrier, least, lost, readAt } = follow
  if (lost !== undefined)
    return describe({
      headline: `⚠️ ${container}: nobody’s account reads it`,
      lines: [['New alerts don’t appear here since ', moment(readAt || lost.at), '.']],
      buttons: [takeOver(follow), stop(follow)],
    })
  const looks: Line =
    readAt === 0 ? `Looks ${every(settings)}` : [`Looks ${every(settings)} · last look `, moment(at)]
  return describe({
    headline: `Following ${container}`,
    lines: [`${leastInWords(settings, least)}, with ${possessive(carrier.name)} account`, looks],
    buttons: [
      stop(follow),
      settings.publicUrl === undefined
        ? undefined
        : button(followActions.bell, 'Get alerts at once', follow.id),
    ],
  })
}

/** In its place, once it has ended. */
export function renderStopped({ container }: Follow): Message {
  return say(`This channel followed ${container}.`)
}

function stop({ id }: Pick<Follow, 'id'>): Button {
  return button(followActions.stop, 'Stop following', id)
}

function takeOver({ id }: Pick<Follow, 'id'>): Button {
  return button(followActions.takeOver, 'Take over with my account', id, 'primary')
}

function moment(ms: number) {
  return richDateWithin(Math.floor(ms / 1000))
}

/** “Alice Archer’s”. Raw. */
function possessive(name: string): string {
  return `${cut(name, 80)}’s`
}

/** Two screens of a phone. */
const mostListed = 8

/** What is open in a followed container, or some of it. */
export interface ListInChannel extends ShortList {
  readonly containerId: number
}

/** What was open already when it began. */
export function renderOpenThere(settings: SeverityNames, list: ListInChannel): Message {
  const { container, alerts } = list
  if (alerts.length === 0) return say(`Nothing is open in ${container} now. New alerts appear here.`)
  return listed(settings, `${alerts.length} open in ${container} already`, list)
}

/** Many new ones at once. @param total - Those that are not open any more among them. */
export function renderStorm(settings: SeverityNames, list: ListInChannel, total: number): Message {
  const { container, alerts } = list
  const still = alerts.length === total ? '' : ` · ${alerts.length} still open`
  return listed(settings, `${total} new alerts in ${container}${still}`, list)
}

function listed(settings: SeverityNames, headline: string, list: ListInChannel): Message {
  const { alerts, containerId } = list
  const more = alerts.length - mostListed
  return renderList(
    settings,
    alerts.length > 1 ? `${headline}, worst first` : headline,
    { ...list, alerts: alerts.slice(0, mostListed) },
    more > 0
      ? [{ type: 'context', elements: [literal(`${more} more: type /alert open ${containerId}`)] }]
      : [],
  )
}

/** Nobody looked for some time. Both are milliseconds since 1970. */
export function renderGap({ container }: Follow, from: number, to: number): Message {
  return describe({
    lines: [
      [
        `I couldn’t look at ${container} from `,
        moment(from),
        ' to ',
        moment(to),
        '. An alert that opened and closed in between isn’t shown here.',
      ],
    ],
  })
}

/** Raw. */
const lostWords: Readonly<Record<Lost, (name: string) => string>> = {
  disconnected: (name) => `${name} is no longer connected.`,
  refused: (name) => `Monitoring no longer accepts ${name}’s token.`,
  forbidden: (name) => `${name}’s token lacks API or READ there.`,
  'no-container': (name) => `Monitoring no longer shows it to ${name}.`,
}

export function renderLost(follow: Follow, why: Lost): Message {
  const { container, carrier } = follow
  const because = lostWords[why](cut(carrier.name, 80))
  return describe({
    headline: `⚠️ I can’t read ${container} any more`,
    lines: [`${because} New alerts don’t appear here until somebody takes over.`],
    buttons: [takeOver(follow), stop(follow)],
  })
}

/** @param by - Who stopped it; undefined where people of another organisation may read: it names nothing then. */
export function renderEnded({ container }: Follow, by: Pick<Carrier, 'name'> | undefined): Message {
  return say(
    by === undefined
      ? 'I no longer follow a container here: people of another organisation may read in this channel now.'
      : `${cut(by.name, 80)} stopped following ${container} here.`,
  )
}

/** To the carrier alone, and never again. */
export function renderBell(container: string, address: string): Message {
  return describe({
    headline: `Get new alerts of ${container} at once`,
    lines: [
      'In monitoring, add a webhook with the method POST, this address and the body {}, and a rule that calls it for this container. I then look the moment it rings.',
      'I show the address only now. Whoever has it can make me look, and nothing else. Press Get alerts at once again for another one, which replaces it.',
    ],
    toCopy: address,
  })
}

/** In the channel, once somebody's account reads. */
export function renderTakenOver({ container }: Follow, name: string): Message {
  return say(`I follow ${container} with ${possessive(name)} account now.`)
}

/** What a channel follows, for whoever asks; or what somebody's account reads, all over. */
export function renderFollows(
  settings: FollowSettings,
  follows: readonly Follow[],
  isHere: boolean,
): Message {
  if (follows.length === 0)
    return say(
      isHere
        ? 'This channel follows nothing. To have new alerts of a container appear here, type /alert follow 12.'
        : 'Your account reads for no channel.',
    )
  const headline = isHere ? 'This channel follows:' : 'Your account reads for:'
  const blocks: KnownBlock[] = [{ type: 'section', text: mrkdwn(`*${headline}*`) }]
  for (const follow of follows) {
    const { container, carrier, least, lost, channelId } = follow
    const who =
      lost === undefined ? `with ${possessive(carrier.name)} account` : '⚠️ nobody’s account reads it'
    const where = isHere ? '' : ` · <#${channelId}>`
    const facts = escapeText(`${leastInWords(settings, least)}, ${who}`)
    blocks.push({
      type: 'section',
      text: mrkdwn(`${escapeText(cut(container, 200))}\n${facts}${where}`),
      accessory: lost === undefined ? stop(follow) : takeOver(follow),
    })
  }
  return { text: escapeText(`${headline} ${follows.map(({ container }) => container).join(', ')}`), blocks }
}
