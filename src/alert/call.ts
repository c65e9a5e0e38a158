// Looks at whom a follow calls, before each call: somebody may have left the channel, or Slack.
import type { House } from '../house.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { inTime } from '../work/under-way.ts'
import { type Call, callDue } from './followed.ts'

/** How long a call waits for Slack to say whether somebody is there. */
const withinMs = 3_000

/**
 * The call as it is to be stored now, `away` set for somebody who isn’t there; undefined where none is due. Where Slack
 * can’t say whether they are there, they are called.
 */
export async function callNow(
  house: House,
  channelId: string,
  call: Call | undefined,
  severity: number,
): Promise<Call | undefined> {
  const due = callDue(call, severity, house.now())
  if (!call || !due) return undefined

  const isAway = await inTime(isAwayFrom(house, channelId, due.mention), withinMs)
  // Somebody away isn’t called, and `at` stays as it was: the next alert tries again.
  return isAway ? { ...call, away: call.away ?? 'seen' } : { ...due, away: undefined }
}

/** The person or group that a message mentions for this call: none while they are away. */
export function mentionOf(call: Call | undefined): string | undefined {
  return call?.away === undefined ? call?.mention : undefined
}

/** True of a person who is certainly not in the channel, or has left Slack. Never of a group: Slack can’t tell. */
export async function isAwayFrom(
  { slack }: House,
  channelId: string,
  mention: string,
): Promise<boolean> {
  if (mention.startsWith('S')) return false
  if ((await slack.channels.isMember(channelId, mention)) === false) return true

  return (await unlessSlackFails(slack.people.hasLeft(mention))) === true
}
