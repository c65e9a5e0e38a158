// Installations that requests and events are for, found from the several ways in which Slack names them.

import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Log } from '../../log/log.ts'
import { type Bot, type Bots, type Installation, workspaceIdOf } from '../workspace/installation.ts'
import type { eventPayload } from './payloads.ts'

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
 * Finds the installation that something of Slack's is for. Of an organisation's installation and a workspace's, it is
 * the organisation's: people have one account in all of it. Undefined where the bot is not installed, which is logged
 * once; then nothing happens.
 */
export interface InstallationFinder {
  forRequest(addressed: Addressed): Promise<Installation | undefined>
  /**
   * Where several installations could see it: the one whose bot is mentioned, else that of whom it is about, else the
   * one that Slack names.
   */
  forEvent(delivered: Delivered): Promise<Installation | undefined>
  /** All that an event about somebody may be for: the one that Slack names, and that person's own. */
  forPerson(delivered: Delivered): Promise<readonly Installation[]>
  /**
   * Of an event that takes the bot away, which Slack may tell of late and more than once: a workspace's own
   * installation, or its organisation's, whichever token Slack refuses. `'stays'` where every token is good: the bot is
   * installed again, or Slack has told of it before it took the token back. Throws where Slack does not say.
   */
  forLeaving(addressed: Addressed): Promise<Installation | 'stays' | undefined>
}

const mostLogged = 1_000

export function createInstallationFinder(room: {
  readonly bots: Bots
  readonly log: Log
  /** The installation where there is but one: what is asked in its organisation's other workspaces is for it. */
  readonly only: (() => Promise<Installation>) | undefined
  /** Whether Slack takes the bot's token there still. Throws where it does not say. */
  readonly isGood: (workspaceId: string) => Promise<boolean>
}): InstallationFinder {
  const { bots, log, only, isGood } = room
  const logged = new LRUCache<string, true>({ max: mostLogged })

  async function find(ids: readonly (string | undefined)[]): Promise<Installation | undefined> {
    for (const id of ids) {
      const bot = id ? await bots.find(id) : undefined
      if (bot !== undefined) return bot.installation
    }
    const workspaces = ids.filter((id) => id)
    const named = workspaces.toSorted().join()
    if (!logged.has(named))
      log.info({ workspaces }, 'a request came from a workspace where Bellhop is not installed')
    logged.set(named, true)
    return undefined
  }

  async function findOnly(enterpriseId: string): Promise<Installation | undefined> {
    const installation = await only?.()
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

  async function forEvent({ hints, ...addressed }: Delivered): Promise<Installation | undefined> {
    if (hints === undefined) return ofAddressed(addressed)
    const { mentioned, teamIds } = hints
    const ids = [...teamIds, addressed.enterpriseId, addressed.teamId].filter((id) => id !== undefined)
    const near = (await Promise.all([...new Set(ids)].map((id) => bots.find(id)))).flatMap((bot) => bot ?? [])
    const isMentioned = ({ installation }: Bot) => mentioned.includes(installation.botUserId)
    const found = near.find(isMentioned) ?? (await bots.ofBotUsers(mentioned)) ?? near[0]
    return found === undefined ? ofAddressed(addressed) : widest(found)
  }

  return {
    async forRequest(addressed) {
      const { enterpriseId } = addressed
      const whole = enterpriseId ? await findOnly(enterpriseId) : undefined
      return whole ?? ofAddressed(addressed)
    },
    forEvent,
    async forPerson(delivered) {
      const all = await Promise.all([ofAddressed(delivered), forEvent(delivered)])
      const byId = new Map(
        all.flatMap((one) => (one === undefined ? [] : [[workspaceIdOf(one), one] as const])),
      )
      return [...byId.values()]
    },
    forLeaving: findLeaving,
  }
}

/** Until the installation is known, answers use the workspace id of the payload. */
export function presumedWorkspaceId({ teamId, enterpriseId }: Addressed): string {
  return teamId || enterpriseId || ''
}

/** What Slack wraps an event in, and the event. */
export type EventPayload = z.infer<typeof eventPayload>

/**
 * Installations that an event may be for: the one that Slack names and, where several customers of one Bellhop share
 * a channel, the others that the event itself speaks of. Slack names at most one, whoever was mentioned.
 * Source: docs.slack.dev/changelog/2020-09-15-events-api-truncate-authed-users; slackapi/bolt-js#2008 (it names the
 * one that joined last); superset-sh/superset#4531 (mentions without the writer's team).
 */
export function deliveredFor({ event, ...envelope }: EventPayload): Delivered {
  const addressed = addressedByEvent(envelope)
  if (event.type === 'user_change') return { ...addressed, hints: { mentioned: [], teamIds: homeOf(event) } }
  const isShared = envelope.is_ext_shared_channel === true && written.has(event.type)
  return { ...addressed, hints: isShared ? hintsIn(event) : undefined }
}

/**
 * What somebody writes in a channel. In a direct message, at Home and when the bot is taken out, one installation alone
 * is meant, and Slack names it.
 */
const written: ReadonlySet<string> = new Set(['app_mention', 'link_shared'])

const team = z.string().optional().catch(undefined)
const said = z.looseObject({ text: z.string().catch(''), user_team: team, team })

/** As much of a message as may hold the mention; and so many of its mentions. */
const most = { characters: 10_000, mentions: 20 }

function hintsIn(event: EventPayload['event']): Delivered['hints'] {
  const { text, user_team, team } = said.parse(event)
  const mentions = text.slice(0, most.characters).matchAll(/<@([UW][A-Z0-9]{1,30})(?:\|[^<>]{0,80})?>/g)
  return {
    mentioned: [...new Set([...mentions].map(([, id = '']) => id))].slice(0, most.mentions),
    teamIds: [user_team, team].flatMap((one) => one || []),
  }
}

const changed = z.looseObject({ user: z.looseObject({ team_id: team }).catch({}) })

/** Where somebody belongs: the customers they share channels with are told of them as well. */
function homeOf(event: EventPayload['event']): readonly string[] {
  const { team_id: teamId } = changed.parse(event).user
  return teamId ? [teamId] : []
}

/** Where it happened may be another organisation, in a channel that is shared with it. */
function addressedByEvent(envelope: Omit<EventPayload, 'event'>): Addressed {
  const { authorizations, context_team_id, context_enterprise_id, team_id, enterprise_id } = envelope
  const [first] = authorizations ?? []
  if (first !== undefined) {
    return { teamId: first.team_id || undefined, enterpriseId: first.enterprise_id || undefined }
  }
  return {
    teamId: context_team_id || team_id || undefined,
    enterpriseId: context_enterprise_id || enterprise_id || undefined,
  }
}
