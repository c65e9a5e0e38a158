// Which installation something of Slack's is for, and who of those who send it is one of its people.
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
 * @param first - Which one is looked for first, where it is to be another.
 * @returns Undefined where the bot is not installed, which is logged once.
 */
export type OwnerOf = (addressed: Addressed, first?: 'workspace') => Promise<Installation | undefined>

const mostLogged = 1_000

/** @param only - The installation where there is one alone: what its organisation sends is for it. */
export function createOwnerOf(bots: Bots, log: Log, only?: () => Promise<Installation>): OwnerOf {
  const logged = new LRUCache<string, true>({ max: mostLogged })

  async function findOnly({ enterpriseId }: Addressed): Promise<Installation | undefined> {
    const installation = enterpriseId === undefined ? undefined : await only?.()
    return installation?.enterpriseId === enterpriseId ? installation : undefined
  }

  return async ({ teamId, enterpriseId }, first) => {
    for (const id of first === 'workspace' ? [teamId, enterpriseId] : [enterpriseId, teamId]) {
      const bot = id ? await bots.find(id) : undefined
      if (bot !== undefined) return bot.installation
    }
    const alone = await findOnly({ teamId, enterpriseId })
    if (alone !== undefined) return alone
    const named = JSON.stringify([teamId, enterpriseId])
    if (!logged.has(named)) {
      log.info(
        { team: teamId, enterprise: enterpriseId },
        'not installed in a workspace that sends something',
      )
    }
    logged.set(named, true)
    return undefined
  }
}

/** What is said before it is known whose it is goes out in the name of whom the payload names. */
export function presumedIdOf({ teamId, enterpriseId }: Addressed): string {
  return teamId || enterpriseId || ''
}
