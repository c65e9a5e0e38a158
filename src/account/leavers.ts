// Background job: finds people who left without Bellhop noticing, as Slack's event about it may get lost, for instance
// while Bellhop is down. It is slow, as Slack answers about one person at a time.

import { classify } from '../slack/client/refusals.ts'
import type { SlackUser } from '../slack/ids.ts'
import { every, type Repeated } from '../work/repeat.ts'
import type { AccountRoom } from './room.ts'

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
const mostInAll = 200

/** Looks again and again, slowly, and forgets the tokens of those who have left. */
export function forgetLeavers(room: AccountRoom): Repeated {
  /** Workspaces about which Slack doesn't answer, and the log already says so. */
  const silent = new Set<string>()
  return every(turnMs, () => lookAtAll(room, silent))
}

async function lookAtAll(room: AccountRoom, silent: Set<string>): Promise<void> {
  try {
    const due = await room.accounts.notAskedFor(askedEveryMs, { mostEach, most: mostInAll })
    for (const [workspaceId, owners] of Map.groupBy(due, (owner) => owner.workspaceId)) {
      await lookAt(room, silent, workspaceId, owners)
    }
  } catch (error) {
    room.log.failedJob('warn', { err: error }, 'could not find out who has left; trying again in ten minutes')
  }
}

/** Looks at one after the other; if Slack doesn't answer, the turn ends. */
async function lookAt(
  room: AccountRoom,
  silent: Set<string>,
  workspaceId: string,
  owners: readonly SlackUser[],
): Promise<void> {
  // One process has this turn. The next needs to know nothing: it begins with whoever waited longest.
  if (!(await room.once.claim(workspaceId, 'left', turnTakenMs))) return
  try {
    for (const owner of owners) {
      if (room.stopping.aborted) return
      await lookAtOne(room, silent, owner)
    }
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    if (silent.has(workspaceId)) return
    silent.add(workspaceId)
    room.log.warn(
      { err: error, workspace: workspaceId },
      'Slack does not say who is still in the workspace; no token is deleted, asking again within the hour',
    )
  }
}

async function lookAtOne(
  { accounts, people, tokens, log }: AccountRoom,
  silent: Set<string>,
  owner: SlackUser,
): Promise<void> {
  const { workspaceId, userId } = owner
  // Noted first: if the process dies here, they don't come up again in every turn.
  await accounts.noteAsked(owner, askedEveryMs - againMs)
  const hasLeft = await people.in(workspaceId).hasLeft(userId)
  await accounts.noteAsked(owner)
  if (silent.delete(workspaceId))
    log.warn({ workspace: workspaceId }, 'Slack says again who is still in the workspace')
  if (hasLeft && (await tokens.forget(owner, 'left'))) {
    log.info({ workspace: workspaceId, user: userId }, 'somebody has left; their token was deleted')
  }
}
