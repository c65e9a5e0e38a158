// Decides whom a follow (a channel that gets a container’s new alerts) mentions: before each call, Slack is asked whether
// the person has left the channel, or Slack.
import type { House } from '../house.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { inTime } from '../work/under-way.ts'
import { type Call, type Callee, callDue } from './followed.ts'

/** How long a call waits for Slack to say whether its person is there. */
const withinMs = 3_000

/** A call that is made now. */
interface MadeCall {
  /** The call to store: with the time of this mention or, if the person is away, with `away` and the former time. */
  readonly call: Call
  /** Slack’s id for the message to mention; undefined if the person is away. */
  readonly mention: string | undefined
}

/**
 * Makes the follow’s call, if one is due. A person of whom Slack can’t say whether they are there is called.
 * @param isThird - True for the third mention: it goes to the person behind “then”; if they are away, to the first person.
 * @returns Undefined if nobody is to be called now.
 */
export async function callNow(
  house: House,
  channelId: string,
  call: Call | undefined,
  severity: number,
  isThird = false,
): Promise<MadeCall | undefined> {
  const due = callDue(call, severity, house.now())
  if (!call || !due) return undefined

  const third = isThird && call.third ? await lookedFor(house, channelId, call.third) : call.third
  if (isThird && third && !third.away) return { call: { ...due, third }, mention: third.mention }

  const { away, mention } = await lookedFor(house, channelId, call)
  // If nobody was there to be called, the time stays as it was, so the next alert tries again.
  return away === undefined
    ? { call: { ...due, away, third }, mention }
    : { call: { ...call, away, third }, mention: undefined }
}

async function lookedFor(house: House, channelId: string, callee: Callee): Promise<Callee> {
  const isAway = await inTime(isAwayFrom(house, channelId, callee.mention), withinMs)
  return { ...callee, away: isAway ? (callee.away ?? 'untold') : undefined }
}

/** True of a person who is certainly not in the channel, or has left Slack. False of a group, as Slack can’t tell. */
export async function isAwayFrom(
  { slack }: House,
  channelId: string,
  mention: string,
): Promise<boolean> {
  if (mention.startsWith('S')) return false
  if ((await slack.channels.isMember(channelId, mention)) === false) return true

  return (await unlessSlackFails(slack.people.hasLeft(mention))) === true
}
