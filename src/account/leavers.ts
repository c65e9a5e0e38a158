// Background job: finds people who left without Bellhop noticing, as Slack's event about it may get lost, for instance
// while Bellhop is down. It is slow, as Slack answers about one person at a time.
import type { House } from '../house.ts'
import { createTrouble } from '../log/log.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import { every, type Repeated } from '../work/repeat.ts'

const minuteMs = 60_000
/** Bellhop asks about a person again only after this, counted from connecting too. */
const askedEveryMs = 24 * 60 * minuteMs
/** If Slack didn't answer about somebody: they come behind everybody due by then, so that they hold nobody up. */
const againMs = 50 * minuteMs
const turnMs = 10 * minuteMs
/** People in one turn: one a minute, where Slack takes a hundred. */
const mostInTurn = 10

/** Looks again and again, slowly, and forgets the tokens of those who have left. */
export function forgetLeavers(house: House): Repeated {
  const { storage, slack, tokens, stopping, log } = house
  const silence = createTrouble(house)

  async function look(): Promise<void> {
    const due = await storage.accounts.notAskedFor(askedEveryMs, mostInTurn)
    const workspaceId = due.length === 0 ? '' : (await slack.learned()).workspaceId
    for (const owner of due) {
      if (stopping.aborted) return
      // Noted first: neither another process nor the next turn asks about them again.
      await storage.accounts.noteAsked(owner, askedEveryMs - againMs)
      // From before the bot was moved.
      if (owner.workspaceId !== workspaceId) continue
      const hasLeft = await slack.people.hasLeft(owner.userId)
      await storage.accounts.noteAsked(owner)
      silence.ends({}, 'Slack says again who is still in the workspace')
      if (hasLeft && (await tokens.forget(owner, 'left')))
        log.info({ user: owner.userId }, 'somebody has left; their token was deleted')
    }
  }

  return every(turnMs, async () => {
    try {
      await look()
    } catch (error) {
      if (!(error instanceof SlackError))
        log.failedJob('warn', { err: error }, 'could not find out who has left; trying again in ten minutes')
      else
        silence.begins(
          { err: error },
          'Slack does not say who is still in the workspace; no token is deleted',
        )
    }
  })
}
