// Payloads that Slack sends to a bot, with every field that is documented. Source: docs.slack.dev/interactivity.
import type { Json } from '../model/json.ts'
import type { Channel, Member, Message, Unfurl, View } from '../model/model.ts'
import type { Control } from '../model/view-state.ts'
import { viewPayload } from '../workspace/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { messagePayload } from './message-payload.ts'

export function commandPayload(
  command: {
    readonly name: string
    readonly text: string
    readonly responseUrl: string
    readonly triggerId: string
  },
  member: Member,
  channel: Channel,
  workspace: Workspace,
): Json {
  const { enterprise } = workspace
  return {
    token: workspace.verificationToken,
    team_id: member.teamId,
    team_domain: workspace.teamDomain,
    ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: member.id,
    user_name: member.name,
    command: command.name,
    text: command.text,
    api_app_id: workspace.appId,
    is_enterprise_install: String(workspace.isOrgWide),
    response_url: command.responseUrl,
    trigger_id: command.triggerId,
  }
}

/** Slack does not tell the name of a private channel. */
function channelName({ kind, name }: Channel): string {
  return kind === 'im' ? 'directmessage' : kind === 'private' ? 'privategroup' : name
}

export function messageActionsPayload(
  message: Message,
  actions: readonly Json[],
  given: {
    readonly member: Member
    readonly responseUrl: string
    readonly triggerId: string
    readonly state: Json
    /** When it was pressed beneath a link. */
    readonly unfurl?: Unfurl | undefined
  },
  channel: Channel,
  workspace: Workspace,
): Json {
  const isEphemeral = message.ephemeralFor !== undefined
  const beneath = given.unfurl && { app_unfurl_url: given.unfurl.url, is_app_unfurl: true }
  const blocks = given.unfurl?.attachment.blocks
  return {
    type: 'block_actions',
    ...everyInteraction(given.member, workspace),
    container: {
      type: beneath ? 'message_attachment' : 'message',
      ...(beneath ? { attachment_id: given.unfurl?.id, ...beneath } : {}),
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...threadOf(message, workspace),
    },
    trigger_id: given.triggerId,
    channel: { id: channel.id, name: channelName(channel) },
    ...(beneath ? { app_unfurl: { id: given.unfurl?.id, blocks, ...beneath } } : {}),
    // Slack does not keep ephemeral messages, so it cannot show them; nor what people wrote around a link.
    ...(isEphemeral || beneath ? {} : { message: messagePayload(message, workspace) }),
    state: { values: given.state },
    response_url: given.responseUrl,
    actions,
  }
}

/** A message that has replies names itself. */
function threadOf(message: Message, workspace: Workspace): Json {
  if (message.threadTs !== undefined) return { thread_ts: message.threadTs }
  return workspace.replies(message).length > 0 ? { thread_ts: message.ts } : {}
}

export function viewActionsPayload(
  view: View,
  actions: readonly Json[],
  member: Member,
  triggerId: string,
  workspace: Workspace,
): Json {
  const shown = viewPayload(view, workspace)
  return {
    type: 'block_actions',
    ...everyInteraction(member, workspace),
    container: { type: 'view', view_id: view.id },
    trigger_id: triggerId,
    view: shown,
    actions,
  }
}

/** Views and global shortcuts belong to no workspace when the app is installed for the whole organisation. */
function teamOf(workspace: Workspace): Json {
  return workspace.isOrgWide ? { team: null } : {}
}

export function submissionPayload(
  view: View,
  member: Member,
  triggerId: string,
  responseUrls: readonly Json[],
  workspace: Workspace,
): Json {
  return {
    type: 'view_submission',
    ...everyInteraction(member, workspace),
    ...teamOf(workspace),
    trigger_id: triggerId,
    view: viewPayload(view, workspace),
    response_urls: responseUrls,
  }
}

export function globalShortcutPayload(
  callbackId: string,
  triggerId: string,
  member: Member,
  workspace: Workspace,
): Json {
  return {
    type: 'shortcut',
    ...everyInteraction(member, workspace),
    ...teamOf(workspace),
    action_ts: workspace.stamps.ts(),
    callback_id: callbackId,
    trigger_id: triggerId,
  }
}

export function messageShortcutPayload(
  callbackId: string,
  message: Message,
  given: { readonly member: Member; readonly responseUrl: string; readonly triggerId: string },
  channel: Channel,
  workspace: Workspace,
): Json {
  return {
    type: 'message_action',
    ...everyInteraction(given.member, workspace),
    action_ts: workspace.stamps.ts(),
    callback_id: callbackId,
    trigger_id: given.triggerId,
    response_url: given.responseUrl,
    message_ts: message.ts,
    channel: { id: channel.id, name: channelName(channel) },
    message: messagePayload(message, workspace),
  }
}

/** Of a menu in a view that asks while somebody types. It brings no trigger, and no response URL. */
export function suggestionPayload(
  view: View,
  { blockId, actionId }: Pick<Control, 'blockId' | 'actionId'>,
  typed: string,
  member: Member,
  workspace: Workspace,
): Json {
  return {
    type: 'block_suggestion',
    ...everyInteraction(member, workspace),
    ...teamOf(workspace),
    container: { type: 'view', view_id: view.id },
    action_id: actionId,
    block_id: blockId,
    value: typed,
    view: viewPayload(view, workspace),
  }
}

function everyInteraction(member: Member, workspace: Workspace): Json {
  const { enterprise, teamId, teamDomain } = workspace
  return {
    user: { id: member.id, username: member.name, name: member.name, team_id: member.teamId },
    api_app_id: workspace.appId,
    token: workspace.verificationToken,
    team: {
      id: teamId,
      domain: teamDomain,
      ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
    },
    enterprise: enterprise ?? null,
    is_enterprise_install: workspace.isOrgWide,
  }
}
