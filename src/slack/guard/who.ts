// Who sent a request, from where and to whom, read from the several ways in which Slack names people, teams and
// conversations.
import type { z } from 'zod'
import type { Place } from '../outbound/delivery.ts'
import type { Team } from '../workspace/people.ts'
import type { Addressed } from './owner.ts'
import type { actionPayload, commandPayload, shortcutPayload } from './payloads.ts'

/** As a payload names them. */
export interface Sender {
  readonly userId: string
  readonly name: string | null | undefined
  readonly team: Team
  /** Where nobody of another organisation comes: in a view, or the menu of global shortcuts. */
  readonly isInside: boolean
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

/** Where there is no conversation. */
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
      isDirect: isDirect(channelId, command.channel_name),
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

export function isDirect(channelId: string, channelName: string): boolean {
  return channelId.startsWith('D') || channelName === 'directmessage' || channelName.startsWith('mpdm-')
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
    isDirect: channel != null && isDirect(channel.id, channel.name),
    pressedTs,
    // A message that has replies names itself.
    threadTs: threadTs === pressedTs ? undefined : threadTs,
  }
}
