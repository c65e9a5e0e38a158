// Looks at whom a follow calls, before each call: somebody may have left the channel, or Slack.
import type { House } from '../house.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { inTime } from '../work/under-way.ts'
import { type Call, callDue } from './followed.ts'

/** A call must not wait for Slack. */
const withinMs = 3_000

/** The call to make now; undefined for none. Where Slack can’t say whether they are there, they are called. */
export async function callNow(
  house: House,
  channelId: string,
  call: Call | undefined,
  severity: number,
): Promise<Call | undefined> {
  const due = callDue(call, severity, house.now())
  if (!call || !due) return undefined

  const isAway = await inTime(isAwayFrom(house, channelId, due.mention), withinMs)
  // Without a call, the next alert tries it again.
  return isAway ? { ...call, away: call.away ?? 'seen' } : { ...due, away: undefined }
}

/** Whom a message mentions for this call. */
export function mentionOf(call: Call | undefined): string | undefined {
  return call?.away === undefined ? call?.mention : undefined
}

/** True of somebody who certainly is not in the channel, or has left Slack; never of a group, which Slack doesn’t tell. */
export async function isAwayFrom(
  { slack }: House,
  channelId: string,
  mention: string,
): Promise<boolean> {
  if (mention.startsWith('S')) return false
  if ((await slack.channels.isMember(channelId, mention)) === false) return true

  return (await unlessSlackFails(slack.people.hasLeft(mention))) === true
}
