// Posts and edits the messages of a look at a follow (a channel that gets a container’s new alerts), and tells its carrier
// directly. After a post that Slack refuses or doesn’t confirm, the look posts nothing more; but if Slack doesn’t take a
// new alert’s message as it is, a plain line is posted in the message’s place.

import { callNow } from '../alert/call.ts'
import type { House } from '../house.ts'
import { unconfirmedMs } from '../live/live-cards.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { SlackError } from '../slack/client.ts'
import { calling, type Message, type Posted } from '../slack/outbound/message.ts'
import type { DocKey } from '../storage/docs.ts'
import { takenBy } from '../work/lease.ts'
import { type AfterLook, type Follow, leaseMs } from './follows.ts'
import type { Search } from './placing.ts'
import { renderUnshown } from './render.ts'

/**
 * A look under way. `follow` stays as it was before the look, but for the container’s name. All changes go into `found`.
 */
export interface Look extends Search {
  readonly found: AfterLook
  /** Set once Slack asks to wait, doesn’t answer or refuses a post: after that, this look posts nothing more. */
  failure?: SlackError
  /** Number of new alerts left for the next look. */
  waiting: number
  /** True once a message was posted. */
  isSaid: boolean
  /** True once this look has edited a message, or has tried to. A look makes one edit at most, as Slack takes few. */
  isDrawn: boolean
}

/**
 * Posts in the follow’s channel, a second after the last post there. Fails at once if Slack asks to wait: a later look
 * posts the message.
 * @param threadTs - Time of the message that this one replies to, if any; the reply is seen in the channel as well.
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
 * Posts a message, and notes in `look` if that fails.
 * @param about - New alerts that the message tells of.
 * @param calls - Slack’s id of whoever the message calls.
 * @returns The message; undefined if a later look has to post it.
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
      // `sayInLook` names no new alerts. So if Slack refuses this line as well, no second line is tried in its place.
      return sayInLook(look, calling(unshown, calls))
    }

    look.failure = error
    house.log.failedJob('warn', { err: error }, 'a followed channel can’t be told what is new yet')
    if (error.mayBeDone) noteUnconfirmed(look, about)
    return undefined
  }
}

/** Notes alerts that Slack may have posted: each is tried again, but some minutes later. */
function noteUnconfirmed({ found, at }: Look, about: readonly OpenAlert[]): void {
  const { unconfirmed = {} } = found
  const again = about.map(({ ks }) => {
    const tries = (unconfirmed[ks]?.tries ?? 0) + 1
    const againAt = at + unconfirmedMs(tries)
    return [ks, { tries, againAt }] as const
  })

  found.unconfirmed = { ...unconfirmed, ...Object.fromEntries(again) }
}

/** Posts a message that tells of no new alert. */
export function sayInLook(look: Look, message: Message): Promise<Posted | undefined> {
  const { house, follow } = look
  return postInLook(look, [], () => post(house, follow, message))
}

/**
 * Edits a message that stands in the channel, if Slack takes the edit now.
 * @returns `drawn`; `later` if it may be tried again; or the meaning of Slack’s refusal for good.
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
 * Gives the follow a lease that begins now. A look needs this if it may have outlasted its first lease, as when the service
 * answers slowly.
 * @returns The follow as it is stored now; undefined while another process holds it.
 */
export function withLease({ storage, poller }: House, follow: DocKey): Promise<Follow | undefined> {
  return storage.follows.change(follow, (one, now) => takenBy(one, poller.owner, leaseMs, now))
}

/** Tells the carrier directly. @returns True once told, or refused for good; false if it is worth another try. */
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

/**
 * The call to make for these new alerts; undefined unless one that nobody owns is grave enough.
 * @param alerts - The gravest first.
 */
export async function callForNew({ house, follow, found }: Look, alerts: readonly OpenAlert[]) {
  const gravest = alerts.find(({ ownerId }) => ownerId === null)
  const call = found.call ?? follow.call
  return gravest && (await callNow(house, follow.channelId, call, gravest.lastSeverity))
}
