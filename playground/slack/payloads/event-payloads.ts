// Events as Slack sends them. Source: docs.slack.dev/reference/events.
import type { Json } from '../model/json.ts'
import type { Channel, Message } from '../model/model.ts'
import type { AppLink } from '../text/links.ts'
import type { SharedLink } from '../workspace/shared-links.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { messagePayload } from './message-payload.ts'

/**
 * What every event comes in. Its authorizations name one installation at most.
 * Source: docs.slack.dev/changelog/2020-09-15-events-api-truncate-authed-users.
 * @param from - Where it happened, when that is a channel.
 */
export function eventPayload(event: Json, workspace: Workspace, from?: Channel): Json {
  const { enterprise, isOrgWide, teamId, bot, stamps } = workspace
  const now = stamps.ts()
  return {
    token: workspace.verificationToken,
    team_id: teamId,
    ...(enterprise ? { enterprise_id: enterprise.id, context_enterprise_id: enterprise.id } : {}),
    context_team_id: teamId,
    api_app_id: workspace.appId,
    event: { event_ts: now, ...event },
    type: 'event_callback',
    event_id: stamps.id('Ev'),
    event_time: Number(now.split('.')[0]),
    authorizations: [
      {
        enterprise_id: enterprise?.id ?? null,
        team_id: isOrgWide ? null : teamId,
        user_id: bot.userId,
        is_bot: true,
        is_enterprise_install: isOrgWide,
      },
    ],
    is_ext_shared_channel: from?.isShared ?? false,
    event_context: `4-${stamps.secret()}`,
  }
}

const channelTypes = { public: 'channel', private: 'group', im: 'im' } as const

export function mentionEvent(message: Message, workspace: Workspace): Json {
  const shown = messagePayload(message, workspace)
  return { ...shown, type: 'app_mention', channel: message.channelId, event_ts: message.ts }
}

export function messageEvent(message: Message, channel: Channel, workspace: Workspace): Json {
  const shown = messagePayload(message, workspace)
  return {
    ...shown,
    channel: channel.id,
    event_ts: message.ts,
    channel_type: channelTypes[channel.kind],
  }
}

/** Of a message that was edited, or got an unfurl. */
export function changedEvent(
  message: Message,
  previous: Message,
  channel: Channel,
  workspace: Workspace,
): Json {
  return {
    ...hidden('message_changed', channel, workspace),
    message: messagePayload(message, workspace),
    previous_message: messagePayload(previous, workspace),
  }
}

export function deletedEvent(message: Message, channel: Channel, workspace: Workspace): Json {
  return {
    ...hidden('message_deleted', channel, workspace),
    deleted_ts: message.ts,
    previous_message: messagePayload(message, workspace),
  }
}

function hidden(subtype: string, channel: Channel, { stamps }: Workspace): Json {
  const ts = stamps.ts()
  return {
    type: 'message',
    subtype,
    hidden: true,
    channel: channel.id,
    channel_type: channelTypes[channel.kind],
    ts,
    event_ts: ts,
  }
}

/** On Enterprise Grid, `unfurl_id` and `source` are not told. Webhooks have no user. */
export function linkEvent(
  shared: SharedLink,
  links: readonly AppLink[],
  more: { readonly threadTs: string | undefined; readonly isBotMember: boolean },
  { enterprise }: Workspace,
): Json {
  const { channelId, userId, ts, unfurlId, source } = shared
  return {
    type: 'link_shared',
    channel: channelId,
    is_bot_user_member: more.isBotMember,
    ...(userId === undefined ? {} : { user: userId }),
    message_ts: ts,
    ...(enterprise ? {} : { unfurl_id: unfurlId, source }),
    ...(more.threadTs === undefined ? {} : { thread_ts: more.threadTs }),
    links,
    user_locale: 'en-US',
  }
}
