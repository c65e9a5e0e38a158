// Who of those who send something is one of the installation's people. Where the payload does not say, Slack is asked.
import { LRUCache } from 'lru-cache'
import { type Installation, workspaceIdOf } from './installation.ts'
import { belonging } from './members.ts'
import { say } from './message.ts'
import type { People } from './people.ts'
import type { PerWorkspace } from './per-workspace.ts'
import { isSlackFailure, refusalOf } from './refusals.ts'
import type { Person } from './requests.ts'
import type { Sender } from './who.ts'

export const stranger = say(
  'Nothing was done: here, Bellhop works for another organisation than yours. Ask somebody who belongs to it.',
)

/** Undefined when they belong to another organisation. Throws what Slack's client throws. */
export type PersonOf = (installation: Installation, sender: Sender) => Promise<Person | undefined>

const hourMs = 60 * 60_000
const mostTeams = 1_000

export function createPersonOf(people: PerWorkspace<Pick<People, 'isOurs'>>): PersonOf {
  /** Workspaces of an installation's organisation. */
  const siblings = new LRUCache<string, true>({ max: mostTeams, ttl: hourMs })

  async function ask(workspaceId: string, { userId, team, isInside }: Sender): Promise<boolean> {
    const key = JSON.stringify([workspaceId, team.teamId])
    if (siblings.has(key)) return true
    try {
      const isOurs = await people.in(workspaceId).isOurs(userId)
      if (isOurs && team.teamId) siblings.set(key, true)
      return isOurs
    } catch (error) {
      if (isInside && isSlackFailure(error)) return true
      if (refusalOf(error) === 'missing_scope') return false
      throw error
    }
  }

  return async (installation, sender) => {
    const workspaceId = workspaceIdOf(installation)
    const belongs = belonging(installation, sender.team)
    const isOurs = belongs === 'unknown' ? await ask(workspaceId, sender) : belongs === 'ours'
    const { userId, name } = sender
    return isOurs ? { workspaceId, userId, name: name ?? userId } : undefined
  }
}
