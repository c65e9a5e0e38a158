// Senders of requests, read from the several ways in which Slack names them: where they ask, which installation that is
// for, and whether they belong to it.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Log } from '../../log/log.ts'
import { inTime } from '../../work/under-way.ts'
import { classify } from '../client/refusals.ts'
import { type Clock, isDirectId, type Person, type PerWorkspace } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { type Bot, type Bots, type Installation, workspaceIdOf } from '../workspace/installation.ts'
import { belonging, type People, type Team } from '../workspace/people.ts'
import type { Scopes } from '../workspace/scopes.ts'
import type { actionPayload, commandPayload, shortcutPayload } from './payloads.ts'

/** Somebody who sent a request, as its payload names them. */
export interface Sender {
  readonly userId: string
  readonly name: string | null | undefined
  readonly team: Team
  /** It came from where nobody of another organisation gets: a view, or the menu of global shortcuts. */
  readonly isInside: boolean
}

/** The installation that Slack has delivered something for, as the payload names it. */
export interface Addressed {
  readonly teamId: string | undefined
  readonly enterpriseId: string | undefined
}

/** What Slack sends, apart from what it asks for. */
export interface Sent {
  readonly addressed: Addressed
  readonly sender: Sender
  readonly spot: Spot
}

type Interaction = Pick<z.infer<typeof shortcutPayload>, 'user' | 'team' | 'enterprise'> & {
  readonly view?: { readonly app_installed_team_id?: string | null | undefined } | null | undefined
}

export function sentBy(payload: Interaction, spot: Spot): Sent {
  const isInside = spot.channelId === undefined
  return { addressed: addressedBy(payload), sender: { ...whoIs(payload), isInside }, spot }
}

/** Of a request that comes from no conversation. */
export function sentFromNowhere(payload: Interaction): Sent {
  const spot = { channelId: undefined, responseUrl: undefined, isDirect: false }
  return sentBy(payload, { ...spot, userId: payload.user.id })
}

/** A command goes to the sender's own workspace. */
export function sentAsCommand(command: z.infer<typeof commandPayload>): Sent {
  const { team_id, enterprise_id, user_id: userId, user_name: name, channel_id: channelId } = command
  const team = { teamId: team_id || undefined, enterpriseId: enterprise_id || undefined }
  return {
    addressed: team,
    sender: { userId, name, team, isInside: false },
    spot: {
      userId,
      channelId,
      responseUrl: command.response_url,
      isDirect: isDirectOrGroup(channelId, command.channel_name),
    },
  }
}

/** An interaction's `team` is whom Slack delivers it for, and `user.team_id` is the sender's own. */
function whoIs({ user, team, enterprise }: Interaction): Omit<Sender, 'isInside'> {
  const teamId = user.team_id || team?.id || undefined
  // The enterprise is the installation's: of others, only Slack knows theirs.
  const isSame = !user.team_id || user.team_id === team?.id
  return {
    userId: user.id,
    name: user.username ?? user.name,
    team: { teamId, enterpriseId: (isSame && enterpriseIn({ team, enterprise })) || undefined },
  }
}

function addressedBy({ user, team, enterprise, view }: Interaction): Addressed {
  const installedIn = view?.app_installed_team_id || undefined
  const teamId = team?.id || user.team_id || undefined
  // A view that was opened in a shared channel names whose it is beside where its viewer is.
  if (installedIn !== undefined && installedIn !== teamId)
    return { teamId: installedIn, enterpriseId: undefined }
  return { teamId, enterpriseId: enterpriseIn({ team, enterprise }) }
}

function enterpriseIn({ team, enterprise }: Pick<Interaction, 'team' | 'enterprise'>): string | undefined {
  return enterprise?.id || team?.enterprise_id || undefined
}

/** Slack names direct and group messages alike in commands, presses and shortcuts. */
export function isDirectOrGroup(channelId: string, channelName: string): boolean {
  return isDirectId(channelId) || channelName === 'directmessage' || channelName.startsWith('mpdm-')
}

type Pressed = Pick<z.infer<typeof actionPayload>, 'user' | 'channel' | 'container' | 'response_url'>

/** A place of a workspace that is still to be found out. */
export type Spot = Omit<Place, 'workspaceId'>

/** Where a button was pressed. */
export function spotOfPress({ user, channel, container, response_url: responseUrl }: Pressed): Spot {
  const { message_ts: pressedTs, thread_ts: threadTs } = container ?? {}
  return {
    userId: user.id,
    channelId: channel?.id,
    responseUrl,
    isDirect: channel != null && isDirectOrGroup(channel.id, channel.name),
    pressedTs,
    // A message that has replies names itself.
    threadTs: threadTs === pressedTs ? undefined : threadTs,
  }
}

/** @returns When the message of a press was posted or changed last, in Unix seconds. */
export function drawnAtOf({
  message,
  container,
}: Pick<z.infer<typeof actionPayload>, 'message' | 'container'>): number | undefined {
  const seconds = Math.floor(Number(message?.edited.ts ?? container?.message_ts ?? Number.NaN))
  return Number.isFinite(seconds) ? seconds : undefined
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

/** Undefined when they belong to another organisation. Throws what Slack's client throws. */
export type PersonOf = (installation: Installation, sender: Sender) => Promise<Person | undefined>

const hourMs = 60 * 60_000
const mostTeams = 1_000
const mostNames = 10_000
/** Payloads carry a handle. Nobody waits longer than this for the name that their colleagues know them by. */
export const nameWaitMs = 500
/** Nobody whose request can only come from inside waits longer than this for Slack to say that they belong. */
const insideWaitMs = 1_000
/** After this, Slack is asked again for a name that it did not say. */
const unsaidMs = 5 * 60_000

/**
 * Tells the installation's people from others who send something, and what they are called. Where the payload does
 * not say, Slack is asked.
 */
export function createPersonOf(room: {
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'granted'>>
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
}): PersonOf {
  const { people, scopes, now, wait } = room
  /** Workspaces of an installation's organisation. */
  const siblings = new LRUCache<string, true>({ max: mostTeams, ttl: hourMs })
  /** By workspace and person. `name`: undefined where Slack did not say. */
  const names = new LRUCache<string, { readonly name: string | undefined }>({
    // `max` would take room for all of them at the start.
    maxSize: mostNames,
    sizeCalculation: () => 1,
    ttl: hourMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
  })
  const asking = new Map<string, Promise<string | undefined>>()

  const keyOf = (workspaceId: string, userId: string) => JSON.stringify([workspaceId, userId])

  function keepName(key: string, name: string | undefined): void {
    names.set(key, { name }, name === undefined ? { ttl: unsaidMs } : {})
  }

  /** Asks Slack, and keeps what it says; once an hour for each workspace of an organisation. */
  async function isOursBySlack(workspaceId: string, { userId, team, isInside }: Sender): Promise<boolean> {
    const key = JSON.stringify([workspaceId, team.teamId])
    if (siblings.has(key)) return true
    const asking = people.in(workspaceId).writerOf(userId)
    try {
      // A form waits for its ack meanwhile, and silence says no more there than a refusal does.
      const writer = isInside ? await inTime(asking, insideWaitMs) : await asking
      if (writer === undefined) return true
      if (writer.isStranger) return false
      keepName(keyOf(workspaceId, userId), writer.name)
      if (team.teamId) siblings.set(key, true)
      return true
    } catch (error) {
      if (isInside && classify(error).kind !== 'defect') return true
      if (classify(error).word === 'missing_scope') return false
      throw error
    }
  }

  /** Never rejects: where the name cannot be found out, there is the handle. */
  async function askName(workspaceId: string, userId: string, key: string): Promise<string | undefined> {
    try {
      const granted = await scopes.in(workspaceId).granted()
      const mayAsk = granted === undefined || granted.has('users:read')
      const said = mayAsk ? (await people.in(workspaceId).writerOf(userId)).name : undefined
      const name = said === userId ? undefined : said
      keepName(key, name)
      return name
    } catch {
      keepName(key, undefined)
      return undefined
    } finally {
      asking.delete(key)
    }
  }

  /** Slack is asked once an hour, and only the first answer in that time may have to wait a little. */
  function askedName(workspaceId: string, userId: string): Promise<string | undefined> {
    const key = keyOf(workspaceId, userId)
    const name = asking.get(key) ?? askName(workspaceId, userId, key)
    asking.set(key, name)
    return Promise.race([name, wait(nameWaitMs).then(() => undefined)])
  }

  return async (installation, sender) => {
    const workspaceId = workspaceIdOf(installation)
    const belongs = belonging(installation, sender.team)
    const isOurs = belongs === 'unknown' ? await isOursBySlack(workspaceId, sender) : belongs === 'ours'
    if (!isOurs) return undefined
    const { userId, name: handle } = sender
    const kept = names.get(keyOf(workspaceId, userId))
    const known = kept === undefined ? await askedName(workspaceId, userId) : kept.name
    const name = known ?? handle ?? userId
    return { workspaceId, userId, name, handle: handle ?? undefined }
  }
}
