// Sender of a request, and its place, read from the several ways in which Slack names them.
import type {
  BlockAction,
  BlockSuggestion,
  GlobalShortcut,
  MessageShortcut,
  SlashCommand,
  ViewSubmitAction,
} from '@slack/bolt'
import type { House } from '../../house.ts'
import { inTime } from '../../work/under-way.ts'
import { wordOf } from '../client/slack-error.ts'
import { isDirectId, type Person } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { belonging, type Team } from '../workspace/people.ts'

/** Somebody who sent a request, as its payload names them, and where they did. */
export interface Sent {
  readonly place: Place
  readonly handle: string | undefined
  readonly team: Team
}

type Interaction = BlockAction | BlockSuggestion | GlobalShortcut | MessageShortcut | ViewSubmitAction

/** From no conversation, unless `where` says from which. */
export function sentBy(payload: Interaction, where: Partial<Place> = {}): Sent {
  const { user, team, enterprise } = payload
  // `team` is whom Slack delivers it for, and `user.team_id` is the sender's own. The enterprise is the installation's.
  const isSame = !user.team_id || user.team_id === team?.id
  const enterpriseId = enterprise?.id || team?.enterprise_id || undefined
  const spot = { channelId: undefined, responseUrl: undefined, isDirect: false }
  return {
    place: { workspaceId: team?.id ?? enterpriseId ?? '', userId: user.id, ...spot, ...where },
    handle: ('username' in user && user.username) || ('name' in user && user.name) || undefined,
    team: { teamId: user.team_id || team?.id, enterpriseId: isSame ? enterpriseId : undefined },
  }
}

/** A command goes to the sender's own workspace. */
export function sentAsCommand(command: SlashCommand): Sent {
  const { team_id: teamId, enterprise_id: enterpriseId, channel_id: channelId } = command
  return {
    place: {
      workspaceId: teamId,
      userId: command.user_id,
      channelId,
      responseUrl: command.response_url,
      isDirect: isDirectOrGroup({ id: channelId, name: command.channel_name }),
    },
    handle: command.user_name,
    team: { teamId, enterpriseId: enterpriseId || undefined },
  }
}

/** Slack names direct and group messages alike in commands, presses and shortcuts. */
export function isDirectOrGroup({
  id,
  name,
}: {
  readonly id: string
  readonly name: string | null
}): boolean {
  return isDirectId(id) || name === 'directmessage' || name?.startsWith('mpdm-') === true
}

/** Where a button was pressed. */
export function placeOfPress({ channel, container, response_url: responseUrl }: BlockAction): Partial<Place> {
  const pressedTs: string | undefined = container.message_ts
  const threadTs: string | undefined = container.thread_ts
  return {
    channelId: channel?.id,
    responseUrl,
    isDirect: channel !== undefined && isDirectOrGroup(channel),
    pressedTs,
    // A message that has replies names itself.
    threadTs: threadTs === pressedTs ? undefined : threadTs,
  }
}

/** Payloads carry a handle. Nobody waits longer than this for the name that their colleagues know them by. */
const nameWaitMs = 500

/**
 * Tells the installation's people from others who send something, and what they are called. Whoever is certainly one of
 * them does not wait long for it. Undefined when they belong to another organisation. @throws SlackError where that is
 * not known.
 */
export async function personOf(
  { slack }: Pick<House, 'slack'>,
  { place: { userId, channelId }, handle, team }: Sent,
): Promise<Person | undefined> {
  const installation = await slack.learned()
  const belongs = belonging(installation, team)
  if (belongs === 'not-ours') return undefined
  // Nobody of another organisation gets to a view, or to the menu of global shortcuts.
  const isOurs = belongs === 'ours' || channelId === undefined
  const canAsk = (await slack.scopes.granted())?.has('users:read') !== false
  const asked = canAsk ? slack.people.writerOf(userId) : Promise.resolve(undefined)
  const writer = await (isOurs ? inTime(asked, nameWaitMs) : asked).catch((error: unknown) => {
    if (isOurs || wordOf(error) === 'missing_scope') return undefined
    throw error
  })
  if (!isOurs && writer === undefined) return undefined
  if (belongs !== 'ours' && writer?.isStranger) return undefined
  const name = writer?.name === userId ? undefined : writer?.name
  return { workspaceId: workspaceIdOf(installation), userId, name: name ?? handle ?? userId, handle }
}
