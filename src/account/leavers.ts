// Background job: finds people who left without Bellhop noticing, as Slack's event about it may get lost, for instance
// while Bellhop is down. Slack answers about one person at a time.
import type { House } from '../house.ts'
import { every, type Repeated } from '../work/repeat.ts'

const dayMs = 24 * 60 * 60_000
/** Between two people: Slack takes about a hundred such questions a minute. */
const pauseMs = 1_000

/** Looks at the start and once a day, and forgets the tokens of those who have left. */
export function forgetLeavers({ storage, slack, tokens, stopping, wait, log }: House): Repeated {
  async function look(): Promise<void> {
    const due = await storage.accounts.keptFor(dayMs)
    const workspaceId = due.length === 0 ? '' : (await slack.learned()).workspaceId
    let failure: unknown
    // Others are from before the bot was moved.
    for (const owner of due.filter((one) => one.workspaceId === workspaceId)) {
      if (stopping.aborted) return
      // About one person Slack may refuse to answer for ever.
      const hasLeft = await slack.people.hasLeft(owner.userId).catch((error: unknown) => {
        failure = error
      })
      if (hasLeft && (await tokens.forget(owner, 'left')))
        log.info({ user: owner.userId }, 'somebody has left; their token was deleted')
      await wait(pauseMs)
    }
    if (failure !== undefined) throw failure
  }

  return every(dayMs, () =>
    look().catch((error: unknown) =>
      log.failedJob('warn', { err: error }, 'could not find out who has left; trying again in a day'),
    ),
  )
}
