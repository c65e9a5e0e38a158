// Who sent a request, and from where, read from the several ways in which Slack names people, teams and conversations.
import type { z } from 'zod'
import { type Installed, isOurs, workspaceIdOf } from './installation.ts'
import { say } from './message.ts'
import type { actionPayload, shortcutPayload } from './payloads.ts'
import type { Place } from './place.ts'
import type { Person } from './requests.ts'

/** As a payload names them. */
export interface Named {
  readonly userId: string
  readonly name: string | null | undefined
  readonly teamId: string | null | undefined
  readonly enterpriseId: string | null | undefined
}

/** Undefined when they belong to another organisation. */
export type PersonFrom = (from: Named) => Promise<Person | undefined>

export const stranger = say(
  'Bellhop works for the people of the workspace it is installed in, and you belong to another organisation. Ask a colleague there.',
)

export function createPersonFrom(installed: Installed): PersonFrom {
  return async ({ userId, name, teamId, enterpriseId }) => {
    const installation = await installed.installation()
    if (!isOurs(installation, { teamId: teamId ?? undefined, enterpriseId: enterpriseId ?? undefined }))
      return undefined
    return { workspaceId: workspaceIdOf(installation), userId, name: name ?? userId }
  }
}

type Sender = Pick<z.infer<typeof shortcutPayload>, 'user' | 'team' | 'enterprise'>

/** Each payload has some of the ways. */
export function whoIs({ user, team, enterprise }: Sender): Named {
  return {
    userId: user.id,
    name: user.username ?? user.name,
    teamId: user.team_id ?? team?.id,
    enterpriseId: enterprise?.id ?? team?.enterprise_id,
  }
}

/** Where there is no conversation. */
export function nowhere(userId: string): Place {
  return { userId, channelId: undefined, responseUrl: undefined, isDirect: false }
}

export function isDirect(channelId: string, channelName: string): boolean {
  return channelId.startsWith('D') || channelName === 'directmessage' || channelName.startsWith('mpdm-')
}

type Pressed = Pick<z.infer<typeof actionPayload>, 'user' | 'channel' | 'container' | 'response_url'>

/** Where a button was pressed. */
export function placeOfPress({ user, channel, container, response_url: responseUrl }: Pressed): Place {
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
