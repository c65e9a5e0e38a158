// Messages of followed containers. Pure.
import type { Button } from '@slack/types'
import { openLine } from '../alert/input.ts'
import { renderList, type ShortList } from '../alert/render/open-list.ts'
import { type SeverityNames, severityName, span } from '../alert/render/state.ts'
import { button, describe, type Line, type Message, say } from '../slack/outbound/message.ts'
import { literal, richDateWithin } from '../slack/text/mrkdwn.ts'
import { type Follow, type Lost, leastGrave } from './follows.ts'

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

/** Comes back with a button: which container, how grave. */
function lineFor({ containerId, least }: Pick<Follow, 'containerId' | 'least'>): string {
  return openLine({ container: containerId, least: String(least), whose: undefined, after: 0 })
}

/** Before somebody follows a container: what they agree to. @param open - So many of its alerts are open. */
export function renderConsent(
  settings: FollowSettings,
  wanted: Pick<Follow, 'containerId' | 'container' | 'least'>,
  open: number,
): Message {
  const { container, least } = wanted
  const which = least >= leastGrave ? 'all its alerts' : `its alerts of ${leastInWords(settings, least)}`
  return describe({
    headline: `Follow ${container} in this channel?`,
    lines: [
      `Your account reads it ${every(settings)}, and everybody here sees ${which}, whatever they may see in monitoring.`,
      `${open} of them ${open === 1 ? 'is' : 'are'} open now.`,
    ],
    buttons: [button(followActions.begin, 'Follow', lineFor(wanted), 'primary')],
  })
}

/** Its own message, which says how far it can be trusted; or, elsewhere, one of those that somebody's account reads. */
export function renderFollow(settings: FollowSettings, follow: Follow, isHere = true): Message {
  const { id, channelId, container, carrier, least, lostAt, readAt } = follow
  const where: Line[] = isHere ? [] : [['In ', { type: 'channel', channel_id: channelId }]]
  if (lostAt !== undefined)
    return describe({
      headline: `⚠️ ${container}: nobody’s account reads it`,
      lines: [['New alerts haven’t appeared since ', moment(readAt || lostAt), '.'], ...where],
      buttons: isHere ? [takeOverButton(follow), stopButton(follow)] : [stopButton(follow)],
    })
  const looks = `Looks ${every(settings)}`
  return describe({
    headline: `Following ${container}`,
    lines: [
      `${leastInWords(settings, least)}, with ${carrier.name}’s account`,
      readAt === 0 ? looks : [`${looks} · last look `, moment(readAt)],
      ...where,
    ],
    buttons: [
      stopButton(follow),
      settings.publicUrl === undefined ? undefined : button(followActions.bell, 'Get alerts at once', id),
    ],
  })
}

function stopButton({ id }: Follow): Button {
  return button(followActions.stop, 'Stop following', id)
}

function takeOverButton(follow: Follow): Button {
  return button(followActions.takeOver, 'Take over with my account', lineFor(follow), 'primary')
}

function moment(ms: number) {
  return richDateWithin(Math.floor(ms / 1000))
}

/** Two screens of a phone. */
const mostListed = 8

/**
 * What was open already when it began; or many new ones at once.
 * @param told - So many were new, those that are not open any more among them. Undefined when it began.
 */
export function renderSeveral(settings: SeverityNames, list: ShortList, told?: number): Message {
  const { container, containerId, alerts } = list
  const count = alerts.length
  if (count + (told ?? 0) === 0) return say(`Nothing is open in ${container} now. New alerts appear here.`)
  const still = count === told ? '' : ` · ${count} still open`
  const what =
    told === undefined
      ? `${count} open in ${container} already`
      : `${told} new alerts in ${container}${still}`
  const more = literal(`${count - mostListed} more: type /alert open ${containerId}`)
  return renderList(
    settings,
    count > 1 ? `${what}, worst first` : what,
    { ...list, alerts: alerts.slice(0, mostListed) },
    count > mostListed ? [{ type: 'context', elements: [more] }] : [],
  )
}

/** While it lasts. */
export function renderSilence({ container, readAt }: Follow): Message {
  return describe({
    headline: `⚠️ I can’t look at ${container} just now`,
    lines: [['Last look: ', moment(readAt), '. New alerts appear here once monitoring answers again.']],
  })
}

/** Nobody looked for some time. Both are milliseconds since 1970. */
export function renderGap({ container }: Follow, from: number, to: number): Message {
  const missed = '. An alert that opened and closed in between isn’t shown here.'
  return describe({
    lines: [[`I couldn’t look at ${container} from `, moment(from), ' to ', moment(to), missed]],
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
  const because = lostWords[why](carrier.name)
  return describe({
    headline: `⚠️ I can’t read ${container} any more`,
    lines: [`${because} New alerts don’t appear here until somebody takes over.`],
    buttons: [takeOverButton(follow), stopButton(follow)],
  })
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

/** Of two blocks each; Slack takes 50. A channel has fewer. */
const mostShown = 20

/** Those that a channel follows; or, elsewhere, those that somebody's account reads for. */
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
  const names = follows.map(({ container }) => container).join(', ')
  const { text, blocks } = say(`${isHere ? 'This channel follows' : 'Your account reads for'}: ${names}`)
  const each = follows.slice(0, mostShown).map((follow) => renderFollow(settings, follow, isHere).blocks)
  return { text, blocks: [...blocks, ...each.flat()] }
}
