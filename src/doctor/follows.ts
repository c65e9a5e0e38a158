// Doctor's look at what the asker's channel follows: whose account reads, when it last did, and whether it can post.
import type { Follow } from '../follow/follows.ts'
import type { House } from '../house.ts'
import { utc } from '../slack/text/mrkdwn.ts'
import { amber, type Check, type Found, green, red, untested } from './check.ts'

/** A look that is this many intervals old is late. */
const lateIntervals = 4
const leastLateMs = 5 * 60_000

/** Nothing where the channel follows nothing. Whether Bellhop can post there is told by the check of the channel. */
export function followsCheck({ storage, config, now }: House, workspaceId: string, channelId: string): Check {
  return {
    name: 'Followed here',
    ifSlow: 'The database is slow. Try again in a minute.',
    async run() {
      const follows = await storage.follows.list({ workspaceId, ref: channelId })
      const lateMs = Math.max(leastLateMs, lateIntervals * config.follow.intervalMs)
      return follows.map((follow) => foundOf(follow, lateMs, now()))
    },
  }
}

function foundOf({ container, carrier, lost, readAt }: Follow, lateMs: number, now: number): Found {
  const looked =
    readAt === 0 ? 'has not been looked at yet' : `was last looked at ${utc(Math.floor(readAt / 1000))}`
  if (lost !== undefined)
    return red(
      `Nobody’s account reads ${container} any more, so new alerts don’t appear here.`,
      'Type /alert follows and press Take over with my account.',
    )
  const found = `${container} ${looked}, with ${carrier.name}’s account.`
  if (readAt === 0) return untested(found)
  if (now - readAt < lateMs) return green(found)
  return amber(
    found,
    'Monitoring may be slow or unreachable. If it isn’t, ask whoever runs Bellhop to look at its log.',
  )
}
