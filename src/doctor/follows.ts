// Doctor's look at what the asker's channel follows: whose account reads, and when it last did.
import type { House } from '../house.ts'
import { utc } from '../slack/text/mrkdwn.ts'
import { amber, type Check, green, red, untested } from './check.ts'

/** A look that is this many intervals old is late. */
const lateIntervals = 4
const leastLateMs = 5 * 60_000

const whyLate =
  'Monitoring may be slow or unreachable. If it isn’t, ask whoever runs Bellhop to look at its log.'

/** Nothing where the channel follows nothing. Whether Bellhop can post there is told by the check of the channel. */
export function followsCheck({ storage, config, now }: House, workspaceId: string, channelId: string): Check {
  const lateMs = Math.max(leastLateMs, lateIntervals * config.follow.intervalMs)
  return {
    name: 'Followed here',
    async run() {
      const follows = await storage.follows.list({ workspaceId, ref: channelId })
      return follows.map(({ container, carrier, lostAt, readAt }) => {
        if (lostAt !== undefined)
          return red(
            `Nobody’s account reads ${container} any more, so new alerts don’t appear here.`,
            'Type /alert follows and press Take over with my account.',
          )
        if (readAt === 0)
          return untested(`${container} has not been looked at yet, with ${carrier.name}’s account.`)
        const looked = `${container} was last looked at ${utc(Math.floor(readAt / 1000))}, with ${carrier.name}’s account.`
        return now() - readAt < lateMs ? green(looked) : amber(looked, whyLate)
      })
    },
  }
}
