// Looks at whom a follow calls, before each call: somebody may have left the channel, or Slack.
import type { House } from '../house.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { inTime } from '../work/under-way.ts'
import { type Call, type Callee, callDue } from './followed.ts'

/** How long a call waits for Slack to say whether somebody is there. */
const withinMs = 3_000

/**
 * The call as it is to be stored: made now, or with whoever was found away, whom no message mentions. Where Slack can’t say
 * whether they are there, they are called.
 * @param isThird - The third time, which goes to whoever is behind “then”; to the first where those are away.
 * @returns Undefined where nobody is to be called now.
 */
export async function callNow(
  house: House,
  channelId: string,
  call: Call | undefined,
  severity: number,
  isThird = false,
): Promise<Call | undefined> {
  const due = callDue(call, severity, house.now())
  if (!call || !due) return undefined

  const third = isThird && call.third ? await lookedFor(house, channelId, call.third) : undefined
  if (third !== undefined && third.away === undefined) return { ...due, third }

  const { away } = await lookedFor(house, channelId, call)
  // Without a call, the next alert tries it again.
  const made = away === undefined ? due : call
  return { ...made, away, third: third ?? call.third }
}

async function lookedFor(house: House, channelId: string, callee: Callee): Promise<Callee> {
  const isAway = await inTime(isAwayFrom(house, channelId, callee.mention), withinMs)
  return { ...callee, away: isAway ? (callee.away ?? 'untold') : undefined }
}

/** Whom a message mentions for this call; undefined where they are away. */
export function mentionOf(call: Call | undefined, isThird = false): string | undefined {
  const third = isThird ? call?.third : undefined
  const callee = third !== undefined && third.away === undefined ? third : call
  return callee?.away === undefined ? callee?.mention : undefined
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
