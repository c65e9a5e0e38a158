// Posts in a look, each by itself: what Slack refuses or doesn’t confirm is noted, and nothing else is tried after it.

import { callNow } from '../alert/call.ts'
import type { House } from '../house.ts'
import { unconfirmedMs } from '../live/live-cards.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { SlackError } from '../slack/client.ts'
import { calling, type Line, type Message, type Posted } from '../slack/outbound/message.ts'
import type { DocKey } from '../storage/docs.ts'
import { takenBy } from '../work/lease.ts'
import { type AfterLook, type Follow, leaseMs } from './follows.ts'
import type { Search } from './placing.ts'
import { renderUnshown } from './render.ts'

/** The follow is as before the look, but for the container's name. */
export interface Look extends Search {
  readonly found: AfterLook
  /** Lines on all in maintenance, for the follow’s own message. */
  ownLines: readonly Line[]
  /** Set once Slack asks to wait, doesn’t answer or refuses the place: this look tries nothing else. */
  failure?: SlackError
  /** Number of new alerts left for the next look. */
  waiting: number
  isSaid: boolean
  /** True once a message was redrawn, or was to be: Slack takes few edits. */
  isDrawn: boolean
}

/**
 * Doesn’t wait for Slack: a later look posts what Slack does not take now.
 * @param threadTs - A message that it is a reply to; the reply is seen in the channel as well.
 */
export function post(
  { slack, pace }: House,
  { channelId }: Follow,
  message: Message,
  threadTs?: string,
): Promise<Posted> {
  const isReply = threadTs !== undefined
  return pace.inTurn(channelId, () => slack.postOnce(channelId, message, threadTs, isReply))
}

/**
 * @param about - New alerts that it tells of.
 * @returns Where it is; undefined where it is to be said later.
 */
export async function postInLook(
  look: Look,
  about: readonly OpenAlert[],
  send: () => Promise<Posted>,
  calls?: string,
): Promise<Posted | undefined> {
  const { house, follow } = look
  if (look.failure) return undefined

  try {
    const posted = await send()
    look.isSaid = true
    return posted
  } catch (error) {
    if (!(error instanceof SlackError)) throw error

    if (error.meaning === 'message' && about.length > 0) {
      house.log.error({ err: error }, 'Slack does not take a new alert as it is')
      const unshown = renderUnshown(follow, about.length)
      // Sent as being about no alert, so that it is not replaced once more.
      return sayInLook(look, calling(unshown, calls))
    }

    look.failure = error
    house.log.failedJob('warn', { err: error }, 'a followed channel can’t be told what is new yet')
    if (error.mayBeDone) noteUnconfirmed(look, about)
    return undefined
  }
}

/** Notes alerts that Slack may have posted: they are tried again, but later. */
function noteUnconfirmed({ found, at }: Look, about: readonly OpenAlert[]): void {
  const { unconfirmed = {} } = found
  const again = about.map(({ ks }) => {
    const tries = (unconfirmed[ks]?.tries ?? 0) + 1
    const againAt = at + unconfirmedMs(tries)
    return [ks, { tries, againAt }] as const
  })

  found.unconfirmed = { ...unconfirmed, ...Object.fromEntries(again) }
}

/** Says what is about no new alert. */
export function sayInLook(look: Look, message: Message): Promise<Posted | undefined> {
  const { house, follow } = look
  return postInLook(look, [], () => post(house, follow, message))
}

/**
 * Draws again what stands, if Slack takes that now.
 * @returns `later`, or what Slack’s refusal for good means.
 */
export async function redrawNow({ house }: Look, posted: Posted, message: Message) {
  const { slack, updates, log } = house
  try {
    const isDone = await updates.run(() => slack.updateOnce(posted, message))
    return isDone ? 'drawn' : 'later'
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    log.info({ err: error }, 'a message of a followed container could not be drawn again')
    return error.isForGood ? error.meaning : 'later'
  }
}

/**
 * The follow as it is stored, with a lease that begins now: a look that waits for a failing service may outlast its own.
 * @returns Undefined while another process has the follow.
 */
export function withLease({ storage, poller }: House, follow: DocKey): Promise<Follow | undefined> {
  return storage.follows.change(follow, (one, now) => takenBy(one, poller.owner, leaseMs, now))
}

/** @returns False where it is worth another try. */
export async function tellCarrier(
  house: House,
  { carrier }: Follow,
  message: Message,
): Promise<boolean> {
  const { userId } = carrier
  try {
    await house.slack.post(userId, message)
    return true
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    house.log.failedJob(
      'warn',
      { err: error, user: userId },
      'a carrier could not be told of their follow',
    )
    return error.isForGood
  }
}

/** Whom to call for these alerts: somebody, where one that nobody owns is grave enough. */
export async function callForNew({ house, follow, found }: Look, alerts: readonly OpenAlert[]) {
  const gravest = alerts.find(({ ownerId }) => ownerId === null)
  const call = found.call ?? follow.call
  return gravest && (await callNow(house, follow.channelId, call, gravest.lastSeverity))
}

/** The place of an alert, as far as this look or one before it has found it. */
export function whereIs({ found, placed, at }: Look, { ks }: OpenAlert) {
  const { asset = placed.get(ks), since = at } = found.seen.get(ks) ?? {}
  return { asset, since }
}
