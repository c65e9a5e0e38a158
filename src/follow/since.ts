// Answers `/alert since 18:00`: shows how the night went to whoever asks. Open alerts are read with the asker’s own token.
// Counts are those of the follows of the channel that they ask in; in a direct message, of the follows that their account
// reads for. (A follow is a channel that gets a container’s new alerts.)

import { withToken } from '../account/connect-first.ts'
import { readOpenIn } from '../alert/open.ts'
import { onlyReads } from '../alert/render/look-up.ts'
import { bucketMs, countedMs, countsSince } from '../alert/tally.ts'
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import { sinceMeant } from '../grant/input/times.ts'
import type { House } from '../house.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { Account } from '../slack/person.ts'
import { quote } from '../slack/text/typed.ts'
import { minuteMs } from '../work/durations.ts'
import { followsFor, isInChannel } from './following.ts'
import type { Follow } from './follows.ts'
import { nightOf } from './night.ts'
import { renderFollows } from './render.ts'
import { type Night, renderNights } from './render-night.ts'

export interface SinceAsk {
  /** The line with the moment, as typed: “since 18:00”. Raw. Not read if `since` is there. */
  readonly line: string
  /** The moment itself, in milliseconds since 1970; undefined until `line` is read. */
  readonly since?: number | undefined
}

const howToSay =
  'Type since when, at most seven days back, as in /alert since 18:00, /alert since yesterday or /alert since 4h.'
const carriesNone =
  'Your account reads for no channel. Type this in a channel that follows a container, or list what is open, as in /alert open 12.'
const isOthersToo =
  'People of another organisation may read in this channel, so I don’t show this there.'

/**
 * Shows how the night went.
 * @param isShared - True: to the whole channel, unless people of another organisation may read there. False: to the asker
 * alone.
 */
export async function showSince(
  house: House,
  from: From,
  ask: SinceAsk,
  isShared = false,
): Promise<void> {
  const { config, slack, now } = house
  const { place } = from
  const { channelId = '' } = place
  if (!config.hasAllOperations) throw new UserError(onlyReads)

  const isClear = !isShared || (await slack.channels.outsiders(channelId, true)) === 'none'
  if (!isClear) throw new UserError(isOthersToo)

  const since = ask.since ?? (await momentIn(house, from, ask.line))
  // One minute more is allowed: *Show in channel* is pressed a moment after `7d` was typed.
  const isNear = since <= now() && since >= now() - countedMs - minuteMs
  if (!isNear) throw new UserError(`I can’t look back that far. ${howToSay}`)

  const isHere = isInChannel(from)
  const follows = await followsFor(house, from)
  if (follows.length === 0 && !isHere) throw new UserError(carriesNone)
  if (follows.length === 0) return slack.privately(place, renderFollows(config, [], isHere))

  const wanted = { feature: 'since', ask: { ...ask, since } } as const
  await withToken(house, from, wanted, async (token) => {
    const reader = { owner: from.asker, token }
    const nights = await Promise.all(follows.map((one) => nightSince(house, one, reader, since)))
    const shareSince = isHere && !isShared ? since : undefined
    const shown = renderNights(config, nights, now(), { isShared, shareSince })
    await (isShared ? slack.announce(place, channelId, shown) : slack.privately(place, shown))
  })
}

/** *Show in channel*: open alerts are read again, with the token of whoever pressed. */
export function shareSince(house: House, pressed: ActionRequest): Promise<void> {
  return showSince(house, pressed, { line: '', since: Number(pressed.value) }, true)
}

async function momentIn({ slack, now }: House, { asker }: From, line: string): Promise<number> {
  const text = line.replace(/^since\s+/i, '')
  const zone = await slack.people.zoneOf(asker.userId)
  const since = text === '' ? undefined : await sinceMeant(text, { zone, now: now() })
  if (since === undefined)
    throw new UserError(text === '' ? howToSay : `I can’t read ${quote(text)}. ${howToSay}`)

  return since
}

/**
 * How the night of a follow went, with the open alerts that the asker’s own token shows.
 * @throws MonitorError `refused` if the service no longer takes the token.
 */
async function nightSince(
  house: House,
  follow: Follow,
  reader: Account,
  since: number,
): Promise<Night> {
  const found = await orMonitorError(readOpenIn(house, reader, follow.containerId))
  const code = found instanceof MonitorError ? found.code : undefined
  if (code === 'refused') throw found

  const alerts = found instanceof MonitorError ? undefined : found
  const isHidden = code === undefined || code === 'forbidden'
  const whyUnread = isHidden
    ? 'Your account can’t read what is open there.'
    : 'I can’t read what is open now.'
  // Each bucket holds the counts of five minutes. The one that the moment is in counts as a whole.
  const counts = countsSince(follow.tally, since - bucketMs)
  return nightOf(house, follow, { ...reader, alerts, whyUnread }, since, counts)
}
