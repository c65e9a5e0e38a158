// Tells the installation's people from others who send something, and what they are called. Where the payload does
// not say, Slack is asked.
import { LRUCache } from 'lru-cache'
import { isSlackFailure, refusalOf } from '../client/refusals.ts'
import type { Clock, Person } from '../ids.ts'
import { say } from '../outbound/message.ts'
import type { PerWorkspace } from '../per-workspace.ts'
import { type Installation, workspaceIdOf } from '../workspace/installation.ts'
import { belonging, type People } from '../workspace/people.ts'
import type { Scopes } from '../workspace/scopes.ts'
import type { Sender } from './who.ts'

export const stranger = say(
  'Nothing was done: here, Bellhop works for another organisation than yours. Ask somebody who belongs to it.',
)

/** Undefined when they belong to another organisation. Throws what Slack's client throws. */
export type PersonOf = (installation: Installation, sender: Sender) => Promise<Person | undefined>

const hourMs = 60 * 60_000
const mostTeams = 1_000
const mostNames = 10_000
/** Payloads carry a handle. Nobody waits longer than this for the name that their colleagues know them by. */
export const nameWaitMs = 500
/** After this, Slack is asked again for a name that it did not say. */
const untoldMs = 5 * 60_000

export function createPersonOf(room: {
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'granted'>>
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
}): PersonOf {
  const { people, scopes, now, wait } = room
  /** Workspaces of an installation's organisation. */
  const siblings = new LRUCache<string, true>({ max: mostTeams, ttl: hourMs })
  /** By workspace and person. `told`: undefined where Slack did not say. */
  const names = new LRUCache<string, { readonly told: string | undefined }>({
    max: mostNames,
    ttl: hourMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
  })
  const asking = new Map<string, Promise<string | undefined>>()

  const keyOf = (workspaceId: string, userId: string) => JSON.stringify([workspaceId, userId])

  function keepName(key: string, told: string | undefined): void {
    names.set(key, { told }, told === undefined ? { ttl: untoldMs } : {})
  }

  async function ask(workspaceId: string, { userId, team, isInside }: Sender): Promise<boolean> {
    const key = JSON.stringify([workspaceId, team.teamId])
    if (siblings.has(key)) return true
    try {
      const { isStranger, name } = await people.in(workspaceId).writerOf(userId)
      if (isStranger) return false
      keepName(keyOf(workspaceId, userId), name)
      if (team.teamId) siblings.set(key, true)
      return true
    } catch (error) {
      if (isInside && isSlackFailure(error)) return true
      if (refusalOf(error) === 'missing_scope') return false
      throw error
    }
  }

  /** Never rejects: where the name cannot be found out, there is the handle. */
  async function askName(workspaceId: string, userId: string, key: string): Promise<string | undefined> {
    try {
      const granted = await scopes.in(workspaceId).granted()
      const mayAsk = granted === undefined || granted.has('users:read')
      const name = mayAsk ? (await people.in(workspaceId).writerOf(userId)).name : undefined
      const told = name === userId ? undefined : name
      keepName(key, told)
      return told
    } catch {
      keepName(key, undefined)
      return undefined
    } finally {
      asking.delete(key)
    }
  }

  /** Slack is asked once an hour, and only the first answer in that time may have to wait a little. */
  async function nameOf(workspaceId: string, userId: string): Promise<string | undefined> {
    const key = keyOf(workspaceId, userId)
    const kept = names.get(key)
    if (kept !== undefined) return kept.told
    const asked = asking.get(key) ?? askName(workspaceId, userId, key)
    asking.set(key, asked)
    return Promise.race([asked, wait(nameWaitMs).then(() => undefined)])
  }

  return async (installation, sender) => {
    const workspaceId = workspaceIdOf(installation)
    const belongs = belonging(installation, sender.team)
    const isOurs = belongs === 'unknown' ? await ask(workspaceId, sender) : belongs === 'ours'
    if (!isOurs) return undefined
    const { userId, name: handle } = sender
    const name = (await nameOf(workspaceId, userId)) ?? handle ?? userId
    return { workspaceId, userId, name, handle: handle ?? undefined }
  }
}
