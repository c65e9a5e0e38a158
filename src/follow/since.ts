// Answers `/alert since 18:00`: shows how the night went to whoever asks. Open alerts are read with the asker’s own token.
// Counts are those of the follows of the channel that they ask in; in a direct message, of the follows that their account
// reads for. (A follow is a channel that gets a container’s new alerts.)

import { askToConnect } from '../account/connect-first.ts'
import { readOpenIn } from '../alert/open.ts'
import { onlyReads } from '../alert/render/look-up.ts'
import { countedMs, countsSince } from '../alert/tally.ts'
import { MonitorError, type MonitorErrorCode, orMonitorError, UserError } from '../errors.ts'
import { sinceMeant } from '../grant/input/times.ts'
import type { House } from '../house.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { quote } from '../slack/text/typed.ts'
import { followsFor, isInChannel } from './following.ts'
import type { Follow } from './follows.ts'
import { nightOf } from './night.ts'
import { renderFollows } from './render.ts'
import { type Night, renderNights } from './render-night.ts'

export interface SinceAsk {
  /** The line with the moment, as typed: “since 18:00”. Raw. Not read if `since` is there. */
  readonly line: string
  /** The moment itself, in milliseconds since 1970, once it is known. */
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

  const since = checked(ask.since ?? (await momentIn(house, from, ask.line)), now())
  const isHere = isInChannel(from)
  const follows = await followsFor(house, from)
  if (follows.length === 0 && !isHere) throw new UserError(carriesNone)
  if (follows.length === 0) return slack.privately(place, renderFollows(config, [], isHere))

  const { nights, problem } = await nightsFor(house, from, follows, since)
  if (isShared && problem === undefined)
    return slack.announce(place, channelId, renderNights(config, nights, now()))

  const shareSince = isHere && problem === undefined ? since : undefined
  const shown = renderNights(config, nights, now(), { isShared: false, shareSince })
  await slack.privately(place, shown)
  if (problem !== undefined)
    await askToConnect(house, from, { feature: 'since', ask: { ...ask, since } }, problem)
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

/** @throws UserError for a moment that lies ahead, or more than seven days back. */
function checked(since: number, now: number): number {
  // One minute more is allowed: *Show in channel* is pressed a moment after `7d` was typed.
  const isNear = since <= now && since >= now - countedMs - 60_000
  if (!isNear) throw new UserError(`I can’t look back that far. ${howToSay}`)

  return since
}

/**
 * Puts together how the night went for each follow.
 * @returns `problem`: `none` if the asker has no token, `refused` if the service doesn’t take it; else undefined.
 */
async function nightsFor(house: House, { asker }: From, follows: readonly Follow[], since: number) {
  const token = await house.tokens.find(asker)
  let problem: 'none' | 'refused' | undefined = token === undefined ? 'none' : undefined

  const readOne = async (follow: Follow): Promise<Night> => {
    const { containerId, tally } = follow
    const counts = tally ? countsSince(tally, since) : {}
    const asked = token && orMonitorError(readOpenIn(house, { owner: asker, token }, containerId))
    const found = await asked
    const code = found instanceof MonitorError ? found.code : undefined
    if (code === 'refused') problem = 'refused'
    const alerts = found instanceof MonitorError ? undefined : found
    const unread = whyUnread(token === undefined ? 'refused' : code)
    return nightOf(
      house,
      follow,
      { owner: asker, token, alerts: alerts || undefined, unread },
      { since, missed: [], counts },
    )
  }

  return { nights: await Promise.all(follows.map(readOne)), problem }
}

/** Says why open alerts aren’t shown. @param code - Of the failed read; undefined if the service hides the container. */
function whyUnread(code: MonitorErrorCode | undefined): string {
  if (code === 'refused') return 'To see what is open, connect your account.'
  const isHidden = code === undefined || code === 'forbidden'
  return isHidden ? 'Your account can’t read what is open there.' : 'I can’t read what is open now.'
}
