// Renders the messages of follows: the question before, the follow’s own message, many alerts in one message, warnings and
// calls. (A follow is a channel that gets a container’s new alerts, read with the token of its carrier.) Pure.
import { hash } from 'node:crypto'
import type { Button } from '@slack/types'
import { type Call, type Callee, calleesOf, type Unsaid } from '../alert/followed.ts'
import { openLine, type Somebody } from '../alert/input.ts'
import { alertRow, asOfWords, type ShortList } from '../alert/render/open-list.ts'
import { type SeverityNames, severityName, span } from '../alert/render/state.ts'
import { moreButton, moreWords, pageOf, partOf, renderPage } from '../slack/outbound/list.ts'
import {
  button,
  describe,
  type Line,
  type Message,
  say,
  sayMarked,
  section,
} from '../slack/outbound/message.ts'
import {
  escapeText,
  mentionLinks,
  mrkdwn,
  richDateWithin,
  seconds,
  time,
} from '../slack/text/mrkdwn.ts'
import { minuteMs } from '../work/durations.ts'
import { type Daily, dailyInWords, dailyLine, isSameDaily } from './daily.ts'
import { type Agreed, type AlertList, type Follow, type Lost, leastGrave } from './follows.ts'

export const followActions = {
  begin: 'follow.begin',
  stop: 'follow.stop',
  takeOver: 'follow.take-over',
  bell: 'follow.bell',
  more: 'follow.more',
} as const

export interface FollowSettings extends SeverityNames {
  readonly follow: { readonly intervalMs: number }
  readonly publicUrl: string | undefined
}

/** The severities that a follow shows: “CRITICAL and worse”. Raw. */
export function leastInWords(settings: SeverityNames, least: number): string {
  return least >= leastGrave ? 'all severities' : `${severityName(settings, least)} and worse`
}

function intervalWords({ follow: { intervalMs } }: FollowSettings): string {
  return intervalMs === 60_000 ? 'every minute' : `every ${span(intervalMs / 1000)}`
}

/** A line that follows a container with these settings, as a button carries it. Equal for equal settings. */
export function followLine({ containerId, least, call, daily }: Agreed): string {
  const { from, third } = call ?? {}
  const calls = { ...inLine(call), from: from?.toString(), third: third && inLine(third) }
  return openLine({
    container: containerId,
    least: String(least),
    whose: undefined,
    after: 0,
    call: calls,
    daily: dailyLine(daily),
  })
}

function inLine(callee: Callee | undefined): Somebody {
  return { who: callee?.mention ?? 'nobody', name: callee?.name ?? '' }
}

/** “@oncall for CRITICAL and worse, then @leads”. Raw. */
function whomInWords(settings: SeverityNames, call: Call | undefined): string {
  if (call === undefined) return 'nobody'

  const first = `${call.name} for ${leastInWords(settings, call.from)}`
  return call.third === undefined ? first : `${first}, then ${call.third.name}`
}

/**
 * Whom a follow calls, and when: a line each. The third time, it may call somebody else (`third`). If the first person is
 * away, nobody is called, so the lines only say who is away.
 */
function callWords(settings: SeverityNames, call: Call | undefined): Line[] {
  if (call === undefined) return []

  const { third } = call
  const away = calleesOf(call)
    .filter((callee) => callee.away)
    .map(({ name }) => `${name} isn’t in the channel any more, so they aren’t called.`)
  if (call.away) return away

  const first = `It calls ${call.name} for ${leastInWords(settings, call.from)}, at most once in five minutes.`
  const times =
    third === undefined || third.away
      ? 'after 10 and 30 minutes'
      : `after 10 minutes, and ${third.name} after 30`
  return [first, `Until somebody takes or watches the alert, it calls again ${times}.`, ...away]
}

function dailyLines(daily: Daily | undefined): Line[] {
  return daily === undefined ? [] : [`Posts how the night went ${dailyInWords(daily)}.`]
}

/**
 * Changes to a follow that the channel already has, in one sentence. Undefined if nothing changes. Raw.
 */
export function changeInWords(
  settings: SeverityNames,
  before: Agreed,
  after: Agreed,
): string | undefined {
  const agreed = [before, after]
  const shows = agreed.map(({ least }) => leastInWords(settings, least))
  const calls = agreed.map(({ call }) => whomInWords(settings, call))
  const posts = after.daily
    ? `posts how the night went ${dailyInWords(after.daily)}`
    : 'no longer posts how the night went'
  const changed = Object.entries({ shows, calls })
    .filter(([, [from, to]]) => from !== to)
    .map(([verb, [from, to]]) => `${verb} ${to} in place of ${from}`)
  const changes = isSameDaily(before.daily, after.daily) ? changed : [...changed, posts]
  return changes.length === 0 ? undefined : `From now on, it ${changes.join(', and ')}.`
}

/**
 * Shows what somebody agrees to before they follow a container.
 * @param open - Number of the container’s alerts that are open.
 * @param known - The channel’s follow of the container, if it has one.
 */
export function renderConsent(
  settings: FollowSettings,
  wanted: Agreed & Pick<Follow, 'container'>,
  open: number,
  known?: Agreed,
): Message {
  const { container, least, call, daily } = wanted
  const which = leastInWords(settings, least)
  return describe({
    headline: `Follow ${container} in this channel?`,
    lines: [
      `Your account reads it ${intervalWords(settings)}, and everybody here sees its alerts of ${which}, whatever they may see in monitoring.`,
      `${open} of them ${open === 1 ? 'is' : 'are'} open now.`,
      ...callWords(settings, call),
      ...dailyLines(daily),
      known && changeInWords(settings, known, wanted),
    ],
    buttons: [button(followActions.begin, 'Follow', followLine(wanted), 'primary')],
  })
}

/**
 * The follow’s own message, or an entry in a list of follows.
 * @param isHere - False for a message outside the follow’s channel, which then names the channel.
 * @param quiet - Lines on what is in maintenance.
 */
export function renderFollow(
  settings: FollowSettings,
  follow: Omit<Follow, 'ownMessage'>,
  isHere = true,
  quiet: readonly Line[] = [],
): Message {
  const { id, channelId, container, carrier, least, lostAt, isOut, readAt, unsaid, call, daily } =
    follow
  const where: Line[] = isHere ? [] : [['In ', { type: 'channel', channel_id: channelId }]]
  if (lostAt !== undefined)
    return describe({
      headline: `⚠️ ${container}: ${isOut ? 'I’m not in the channel' : 'nobody’s account reads it'}`,
      lines: [
        ['New alerts haven’t appeared since ', moment(readAt || lostAt), '.'],
        isOut ? 'Unarchive the channel, or type /invite @Bellhop there, and I go on.' : undefined,
        ...where,
      ],
      buttons: [isHere && !isOut ? takeOverButton(follow) : undefined, stopButton(follow)],
    })
  const looks = `Looks ${intervalWords(settings)}`
  const isRefused = unsaid?.word !== undefined
  return describe({
    headline: isRefused ? `⚠️ ${container}: I can’t post new alerts here` : `Following ${container}`,
    lines: [
      ...(isRefused ? [['Since ', moment(unsaid.since), `: ${refusedWords(unsaid.word)}.`]] : []),
      `Shows ${leastInWords(settings, least)}, with ${carrier.name}’s account`,
      ...callWords(settings, call),
      ...dailyLines(daily),
      ...quiet,
      readAt === 0 ? looks : [`${looks} · last look `, moment(readAt)],
      ...where,
    ],
    buttons: [
      stopButton(follow),
      settings.publicUrl === undefined
        ? undefined
        : button(followActions.bell, 'Get alerts at once', id),
    ],
  })
}

function stopButton({ id }: Pick<Follow, 'id'>): Button {
  return button(followActions.stop, 'Stop following', id)
}

function takeOverButton(follow: Agreed): Button {
  return button(followActions.takeOver, 'Take over with my account', followLine(follow), 'primary')
}

/** Equal for messages that look the same. */
export function fingerprintOf(message: Message): string {
  return hash('sha256', JSON.stringify(message), 'base64url').slice(0, 12)
}

export function moment(ms: number) {
  return richDateWithin(seconds(ms))
}

/** Most lines of a message of many alerts: more would be over two screens of a phone. */
const mostListed = 8

/**
 * Many alerts in one message.
 * @param told - `count`: how many alerts the message tells, closed ones too.
 * @param list - The alerts that are still open.
 */
export function renderAlerts(
  settings: SeverityNames,
  { kind, count: told }: { readonly kind: AlertList['kind']; readonly count: number },
  least: number,
  list: ShortList,
): Message {
  const { container, containerId, alerts, asOf } = list
  const open = alerts.length
  if (told === 0) {
    const which = leastInWords(settings, least)
    return say(`Nothing is open in ${container} now (${which}). New alerts appear here.`)
  }

  const news = `${told} new alert${told === 1 ? '' : 's'} in ${container}`
  const what = kind === 'new' ? news : `${told} open in ${container} already`
  if (open === 0)
    return describe({ lines: [[`✅ ${what}, none still open · `, moment(asOf * 1000)]] })

  const page = pageOf(alerts, alertRow(settings, list, true), 0, mostListed)
  const heading = escapeText(open === told ? what : `${what}, ${open} still open`)
  const notes = [moreWords(page, `\`/alert open ${containerId}\` lists them`)]
  return renderPage(page, heading, { notes }, asOfWords(list))
}

export function renderSilence({ container, readAt }: Follow): Message {
  return describe({
    headline: `⚠️ I can’t look at ${container} just now`,
    lines: [
      ['Last look: ', moment(readAt), '. New alerts appear here once monitoring answers again.'],
    ],
  })
}

/** Says afterwards that nobody looked, or nothing could be posted. Times are milliseconds since 1970. */
export function renderGap({ container }: Follow, from: number, to: number): Message {
  const what = `New alerts of ${container} couldn’t appear here from `
  const missed = '. An alert that opened and closed in between isn’t shown.'
  return describe({ lines: [[what, moment(from), ' to ', moment(to), missed]] })
}

/** A plain line in place of new alerts whose message Slack refuses as it is. */
export function renderUnshown({ containerId }: Agreed, count: number): Message {
  const what = count === 1 ? '1 new alert' : `${count} new alerts`
  return say(`${what} can’t be shown here: /alert open ${containerId}`)
}

/**
 * Slack’s reason for taking nothing, in the middle of a sentence. Raw.
 * @param word - Slack’s word for the refusal.
 */
function refusedWords(word: string): string {
  return word === 'restricted_action'
    ? 'only some people may post in this channel'
    : `Slack says ${word}`
}

/** Tells the carrier directly that the channel takes no messages, and how many alerts wait. */
export function renderUnsaid(
  { channelId, containerId }: Pick<Follow, 'channelId' | 'containerId'>,
  { alerts, word = '' }: Unsaid,
): Message {
  const counted = alerts === 1 ? '1 alert is' : `${alerts} alerts are`
  const waiting =
    alerts === 0 ? 'Changes to its alerts don’t appear there' : `${counted} waiting to be told`
  return sayMarked(
    `I can’t post in <#${channelId}> any more: ${refusedWords(word)}. ${waiting}: \`/alert open ${containerId}\``,
  )
}

/** Tells the carrier directly that the channel takes no daily message. */
export function renderNightUnsaid({ channelId, container }: Follow, word = ''): Message {
  const what = `how the night of ${escapeText(container)} went in <#${channelId}>`
  return sayMarked(
    `I can’t post ${what}: ${refusedWords(word)}. To see it, type \`/alert since yesterday\` here.`,
  )
}

/** A call that nobody has answered. */
export interface Unanswered {
  /** The gravest alert that waits for somebody. Raw. */
  readonly title: string
  /** Number of alerts that wait. */
  readonly count: number
  /** Time since the first mention, in milliseconds. */
  readonly forMs: number
  /** Time of monitoring’s last answer, in milliseconds since 1970, if it doesn’t answer now; undefined if it does. */
  readonly lastSeenAt: number | undefined
}

/**
 * The message that makes a call again.
 * @param place - `card`: a reply to the alert’s card. `list`: a reply to a message of many alerts. The channel sees both
 * replies, too. `channel`: no reply, but a message by itself.
 * @param mention - Slack’s id of whoever is called.
 */
export function renderUnanswered(
  unanswered: Unanswered,
  place: 'card' | 'list' | 'channel',
  mention: string,
): Message {
  const { title, count, lastSeenAt } = unanswered
  const more = count === 1 ? '' : ` and ${count - 1} more`
  const whats = { card: `this${more}`, list: `${count} of these`, channel: `${title}${more}` }
  const told = takenWords(unanswered, whats[place])
  const seen =
    lastSeenAt === undefined
      ? ''
      : ` Monitoring doesn’t answer; last seen open at ${time(seconds(lastSeenAt))}.`
  const words = `${escapeText(told)}${seen} ${mentionLinks([mention])}`
  const spoken = escapeText(takenWords(unanswered, `${title}${more}`))

  return { text: `${mentionLinks([mention])} ${spoken}`, blocks: [section(mrkdwn(words))] }
}

function takenWords({ forMs }: Unanswered, what: string): string {
  return `Nobody has taken ${what} for ${Math.floor(forMs / minuteMs)} minutes.`
}

/** Tells the carrier that nobody has answered a call, and that the channel takes no message on that. */
export function renderUnansweredTo(
  { channelId }: Pick<Follow, 'channelId'>,
  unanswered: Unanswered,
  word = '',
): Message {
  const told = escapeText(takenWords(unanswered, unanswered.title))
  return sayMarked(`I can’t call anybody in <#${channelId}>: ${refusedWords(word)}. ${told}`)
}

/** Tells channel and carrier that whoever is to be called can’t be. */
export function renderUncalled(
  { channelId, containerId }: Pick<Follow, 'channelId' | 'containerId'>,
  { name }: Callee,
): Message {
  const again = `invite them again, or type \`/alert follow ${containerId} call\` with somebody else`
  return sayMarked(
    `⚠️ I can’t call ${escapeText(name)} in <#${channelId}>: they left it, or Slack. To have somebody called, ${again}.`,
  )
}

/**
 * The reason why nobody reads any more, as a sentence. Raw.
 * @param whose - “your”, or the carrier’s name, as in “Dave’s”.
 */
function whyLost(why: Lost, whose: string): string {
  const reasons = {
    disconnected: `I no longer have ${whose} token.`,
    refused: `Monitoring no longer accepts ${whose} token.`,
    forbidden: `API or READ is missing from ${whose} token there.`,
    'no-container': `Monitoring no longer shows it to ${whose} token.`,
  }
  return reasons[why]
}

export function renderLost(follow: Follow, why: Lost): Message {
  const reason = whyLost(why, `${follow.carrier.name}’s`)
  return describe({
    headline: `⚠️ I can’t read ${follow.container} any more`,
    lines: [`${reason} New alerts don’t appear here until somebody takes over.`],
    buttons: [takeOverButton(follow), stopButton(follow)],
  })
}

export function renderYouLost({ channelId, container }: Follow, why: Lost): Message {
  return sayMarked(
    `${whyLost(why, 'your')} <#${channelId}> gets no new alerts of ${escapeText(container)} until somebody presses *Take over with my account* there.`,
  )
}

/** Body for the webhook, in the service’s own variables: the alert’s key, and numbers. A name could break the JSON. */
const ringBody =
  '{"ks": "{{ ks }}", "asset": {{ asset_id }}, "condition": {{ condition_id }}, "time": {{ alert_timestamp }}, "container": {{ container_id }}}'

/** Shows the address of the doorbell to the carrier alone, and only once. */
export function renderBell(container: string, address: string): Message {
  return describe({
    headline: `Get new alerts of ${container} at once`,
    lines: [
      'In monitoring, add a webhook with the method POST, this address and, below it, this body, and a rule that calls it for this container. I then look the moment it rings, and where it says.',
      'I show the address only now. Whoever has it can make me look, and nothing else. Press Get alerts at once again for another one, which replaces it.',
    ],
    toCopy: `${address}\n\n${ringBody}`,
  })
}

/**
 * A list of follows.
 * @param isHere - True for the follows of a channel, shown there; false for those that somebody’s account reads for.
 * @param after - Number of follows on the pages before.
 */
export function renderFollows(
  settings: FollowSettings,
  follows: readonly Follow[],
  isHere: boolean,
  after = 0,
): Message {
  if (follows.length === 0)
    return say(
      isHere
        ? 'This channel follows nothing. To have new alerts of a container appear here, type /alert follow 12.'
        : 'Your account reads for no channel.',
    )
  const page = pageOf(follows, (follow) => renderFollow(settings, follow, isHere), after)
  const what = `${partOf(page)} ${page.all === 1 ? 'container' : 'containers'}`
  const heading = `${isHere ? 'This channel follows' : 'Your account reads'} ${what}`
  return renderPage(page, heading, { buttons: [moreButton(page, followActions.more)] })
}
