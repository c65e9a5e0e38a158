// Background job: finds people who left without Bellhop noticing, as Slack's event about it may get lost, for instance
// while Bellhop is down. It is slow, as Slack answers about one person at a time.
import type { House } from '../house.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import type { SlackUser } from '../slack/ids.ts'
import { workspaceIdOf } from '../slack/workspace/installation.ts'
import { every, type Repeated } from '../work/repeat.ts'

const minuteMs = 60_000
/** Bellhop asks about a person again only after this, counted from connecting too. */
const askedEveryMs = 24 * 60 * minuteMs
const turnMs = 10 * minuteMs
/** If Slack didn't answer about somebody: they come behind everybody due by then, so that they hold nobody up. */
const againMs = 50 * minuteMs
/** A process that looks a little early doesn't take the next turn. */
const turnTakenMs = 9 * minuteMs
/** People of one workspace in one turn: one a minute, where Slack takes a hundred. */
const mostEach = 10
/** The database may hold people of other workspaces too, from before the bot was moved. */
const mostInAll = 200

/** Looks again and again, slowly, and forgets the tokens of those who have left. */
export function forgetLeavers(house: House): Repeated {
  const { storage, slack, tokens, stopping, log } = house
  /** Slack doesn't answer about people, and the log already says so. */
  let isSilent = false

  async function lookAtAll(): Promise<void> {
    try {
      const due = await storage.accounts.notAskedFor(askedEveryMs, { mostEach, most: mostInAll })
      if (due.length > 0) await lookAtOwn(due)
    } catch (error) {
      if (!(error instanceof SlackError)) {
        const sentence = 'could not find out who has left; trying again in ten minutes'
        return log.failedJob('warn', { err: error }, sentence)
      }
      if (isSilent) return
      isSilent = true
      log.warn(
        { err: error },
        'Slack does not say who is still in the workspace; no token is deleted, asking again within the hour',
      )
    }
  }

  /** Looks at one after the other; if Slack doesn't answer, the turn ends. */
  async function lookAtOwn(due: readonly SlackUser[]): Promise<void> {
    const workspaceId = workspaceIdOf(await slack.learned())
    const owners = due.filter((owner) => owner.workspaceId === workspaceId)
    // One process has this turn. The next needs to know nothing: it begins with whoever waited longest.
    if (owners.length === 0 || !(await storage.once.claim(workspaceId, 'left', turnTakenMs))) return
    for (const owner of owners) {
      if (stopping.aborted) return
      await lookAt(owner)
    }
  }

  async function lookAt(owner: SlackUser): Promise<void> {
    const { workspaceId, userId } = owner
    // Noted first: if the process dies here, they don't come up again in every turn.
    await storage.accounts.noteAsked(owner, askedEveryMs - againMs)
    const hasLeft = await slack.people.hasLeft(userId)
    await storage.accounts.noteAsked(owner)
    if (isSilent) log.warn('Slack says again who is still in the workspace')
    isSilent = false
    if (hasLeft && (await tokens.forget(owner, 'left')))
      log.info({ workspace: workspaceId, user: userId }, 'somebody has left; their token was deleted')
  }

  return every(turnMs, lookAtAll)
}
