// Which installation something of Slack's is for. Where the bot is not installed, nothing happens.
import { LRUCache } from 'lru-cache'
import type { Log } from '../../log/log.ts'
import { type Bot, type Bots, type Installation, workspaceIdOf } from '../workspace/installation.ts'

/** The installation that Slack has delivered something for, as the payload names it. */
export interface Addressed {
  readonly teamId: string | undefined
  readonly enterpriseId: string | undefined
}

/** What an event says of whom it is for. */
export interface Delivered extends Addressed {
  /** Undefined where Slack's word counts alone. */
  readonly hints: Hints | undefined
}

/** Where several installations could see an event, and Slack names but one of them. */
interface Hints {
  /** User ids in the text: one of them may be a bot of ours. */
  readonly mentioned: readonly string[]
  /** Of whom it is about, the likeliest first; Slack leaves them out at times. */
  readonly teamIds: readonly string[]
}

/**
 * Of an organisation's installation and a workspace's, the organisation's: people have one account in all of it.
 * Undefined where the bot is not installed, which is logged once.
 */
export interface Owners {
  ofRequest(addressed: Addressed): Promise<Installation | undefined>
  /**
   * Where several installations could see it: the one whose bot is mentioned, else that of whom it is about, else the
   * one that Slack names.
   */
  ofEvent(delivered: Delivered): Promise<Installation | undefined>
  /** All that an event about somebody may be for: the one that Slack names, and that person's own. */
  ofPerson(delivered: Delivered): Promise<readonly Installation[]>
  /**
   * Of an event that takes the bot away, which Slack may tell of late and more than once: a workspace's own
   * installation, or its organisation's, whichever token Slack refuses. `'stays'` where every token is good: the bot is
   * installed again, or Slack has told of it before it took the token back. Throws where Slack does not say.
   */
  ofLeaving(addressed: Addressed): Promise<Installation | 'stays' | undefined>
}

const mostLogged = 1_000

export function createOwners(room: {
  readonly bots: Bots
  readonly log: Log
  /** The installation where there is but one: what is asked in its organisation's other workspaces is for it. */
  readonly only: (() => Promise<Installation>) | undefined
  /** Whether Slack takes the bot's token there still. Throws where it does not say. */
  readonly isGood: (workspaceId: string) => Promise<boolean>
}): Owners {
  const { bots, log, only, isGood } = room
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

  async function findLeaving({
    teamId,
    enterpriseId,
  }: Addressed): Promise<Installation | 'stays' | undefined> {
    const ids = [teamId, enterpriseId]
    // One that another process has installed anew would be judged by its former token.
    const found = await Promise.all(ids.map((id) => (id ? bots.findAnew(id) : undefined)))
    const here = found.filter((one) => one !== undefined)
    if (here.length === 0) return find(ids)
    for (const { installation } of here) {
      if (!(await isGood(workspaceIdOf(installation)))) return installation
    }
    return 'stays'
  }

  const ofAddressed = ({ teamId, enterpriseId }: Addressed) => find([enterpriseId, teamId])

  /** The organisation's, where there is one. */
  async function widest({ installation }: Bot): Promise<Installation> {
    const { enterpriseId, isOrgWide } = installation
    const wider = enterpriseId !== undefined && !isOrgWide ? await bots.find(enterpriseId) : undefined
    return wider?.installation ?? installation
  }

  async function ofEvent({ hints, ...addressed }: Delivered): Promise<Installation | undefined> {
    if (hints === undefined) return ofAddressed(addressed)
    const { mentioned, teamIds } = hints
    const ids = [...teamIds, addressed.enterpriseId, addressed.teamId].filter((id) => id !== undefined)
    const near = (await Promise.all([...new Set(ids)].map((id) => bots.find(id)))).flatMap((bot) => bot ?? [])
    const isMentioned = ({ installation }: Bot) => mentioned.includes(installation.botUserId)
    const found = near.find(isMentioned) ?? (await bots.ofBotUsers(mentioned)) ?? near[0]
    return found === undefined ? ofAddressed(addressed) : widest(found)
  }

  return {
    ofRequest: async (addressed) => (await findOnly(addressed)) ?? ofAddressed(addressed),
    ofEvent,
    async ofPerson(delivered) {
      const all = await Promise.all([ofAddressed(delivered), ofEvent(delivered)])
      const byId = new Map(
        all.flatMap((one) => (one === undefined ? [] : [[workspaceIdOf(one), one] as const])),
      )
      return [...byId.values()]
    },
    ofLeaving: findLeaving,
  }
}

/** What is said before it is known whose it is goes out in the name of whom the payload names. */
export function presumedIdOf({ teamId, enterpriseId }: Addressed): string {
  return teamId || enterpriseId || ''
}
