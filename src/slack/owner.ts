// Which installation something of Slack's is for. Where the bot is not installed, nothing happens.
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'
import type { Bots } from './bots.ts'
import type { Installation } from './installation.ts'

/** The installation that Slack has delivered something for, as the payload names it. */
export interface Addressed {
  readonly teamId: string | undefined
  readonly enterpriseId: string | undefined
}

/**
 * Of an organisation's installation and a workspace's, the organisation's: people have one account in all of it.
 * Undefined where the bot is not installed, which is logged once.
 */
export interface Owners {
  ofRequest(addressed: Addressed): Promise<Installation | undefined>
  ofEvent(addressed: Addressed): Promise<Installation | undefined>
  /** Of an event that takes the bot away: a workspace's own installation, and not that of its organisation. */
  ofLeaving(addressed: Addressed): Promise<Installation | undefined>
}

const mostLogged = 1_000

/** @param only - The installation where there is but one: what is asked in its organisation's other workspaces is for it. */
export function createOwners(bots: Bots, log: Log, only?: () => Promise<Installation>): Owners {
  const logged = new LRUCache<string, true>({ max: mostLogged })

  async function find(ids: readonly (string | undefined)[]): Promise<Installation | undefined> {
    for (const id of ids) {
      const bot = id ? await bots.find(id) : undefined
      if (bot !== undefined) return bot.installation
    }
    const workspaces = ids.filter((id) => id)
    const named = workspaces.toSorted().join()
    if (!logged.has(named)) log.info({ workspaces }, 'Bellhop is not installed where this comes from')
    logged.set(named, true)
    return undefined
  }

  async function findOnly({ enterpriseId }: Addressed): Promise<Installation | undefined> {
    const installation = enterpriseId ? await only?.() : undefined
    return installation?.enterpriseId === enterpriseId ? installation : undefined
  }

  const ofEvent = ({ teamId, enterpriseId }: Addressed) => find([enterpriseId, teamId])
  return {
    ofRequest: async (addressed) => (await findOnly(addressed)) ?? ofEvent(addressed),
    ofEvent,
    ofLeaving: ({ teamId, enterpriseId }) => find([teamId, enterpriseId]),
  }
}

/** What is said before it is known whose it is goes out in the name of whom the payload names. */
export function presumedIdOf({ teamId, enterpriseId }: Addressed): string {
  return teamId || enterpriseId || ''
}
