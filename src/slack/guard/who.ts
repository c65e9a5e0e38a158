// Senders of requests, read from the several ways in which Slack names them: where they ask, what they are called, and
// whether they belong to the installation that it is for.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { inTime } from '../../work/under-way.ts'
import { classify } from '../client/refusals.ts'
import { type Clock, isDirectId, type Person, type PerWorkspace } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { type Installation, workspaceIdOf } from '../workspace/installation.ts'
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

/** What Slack sends, apart from what it asks for. */
export interface Sent {
  /** Of the payload, which in a shared channel may be the sender's own. */
  readonly workspaceId: string
  readonly sender: Sender
  readonly spot: Spot
}

type Interaction = Pick<z.infer<typeof shortcutPayload>, 'user' | 'team' | 'enterprise'>

export function sentBy(payload: Interaction, spot: Spot): Sent {
  const isInside = spot.channelId === undefined
  const { user, team } = payload
  const workspaceId = team?.id || user.team_id || enterpriseIn(payload) || ''
  return { workspaceId, sender: { ...whoIs(payload), isInside }, spot }
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
    workspaceId: team_id || enterprise_id || '',
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

/** Undefined when they belong to another organisation. Throws what Slack's client throws. */
export type PersonOf = (installation: Installation, sender: Sender) => Promise<Person | undefined>

const hourMs = 60 * 60_000
const mostTeams = 1_000
const mostNames = 10_000
/** Payloads carry a handle. Nobody waits longer than this for the name that their colleagues know them by. */
export const nameWaitMs = 500
/** Nobody whose request can only come from inside waits longer than this for Slack to say that they belong. */
const insideWaitMs = 500
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
