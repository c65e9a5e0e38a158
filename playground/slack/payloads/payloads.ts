// Payloads that Slack sends to a bot, with every field that is documented. Source: docs.slack.dev/interactivity.
import { type Json, text } from '../model/json.ts'
import type { Channel, Member, Message, Unfurl, View } from '../model/model.ts'
import { controlsOf } from '../model/view-state.ts'
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

/** Where an interaction with a message is, and the message as far as Slack shows it. */
export function onMessage(
  message: Message,
  channel: Channel,
  workspace: Workspace,
  unfurl?: Unfurl,
): Json {
  const isEphemeral = message.ephemeralFor !== undefined
  const beneath = unfurl && { app_unfurl_url: unfurl.url, is_app_unfurl: true }
  return {
    container: {
      type: beneath ? 'message_attachment' : 'message',
      ...(beneath ? { attachment_id: unfurl.id, ...beneath } : {}),
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...threadOf(message, workspace),
    },
    ...inChannel(channel),
    ...(beneath
      ? { app_unfurl: { id: unfurl.id, blocks: unfurl.attachment.blocks, ...beneath } }
      : {}),
    // Slack does not keep ephemeral messages, so it cannot show them; nor what people wrote around a link.
    ...(isEphemeral || beneath ? {} : { message: messagePayload(message, workspace) }),
  }
}

export function inChannel(channel: Channel): Json {
  return { channel: { id: channel.id, name: channelName(channel) } }
}

/** A message that has replies names itself. */
function threadOf(message: Message, workspace: Workspace): Json {
  if (message.threadTs !== undefined) return { thread_ts: message.threadTs }
  return workspace.replies(message).length > 0 ? { thread_ts: message.ts } : {}
}

/** The same of a view. */
export function onView(view: View, workspace: Workspace): Json {
  return { container: { type: 'view', view_id: view.id }, view: viewPayload(view, workspace) }
}

/** @param isAnywhere - Views and global shortcuts belong to no workspace when the app is installed for the organisation. */
export function interactionOf(member: Member, workspace: Workspace, isAnywhere = false): Json {
  const { enterprise, teamId, teamDomain, isOrgWide } = workspace
  const team = {
    id: teamId,
    domain: teamDomain,
    ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
  }
  return {
    user: { id: member.id, username: member.name, name: member.name, team_id: member.teamId },
    api_app_id: workspace.appId,
    token: workspace.verificationToken,
    team: isAnywhere && isOrgWide ? null : team,
    enterprise: enterprise ?? null,
    is_enterprise_install: isOrgWide,
  }
}

/** The view as Slack sends it to the app. */
export function viewPayload(view: View, workspace: Workspace): Json {
  const { content } = view
  return {
    id: view.id,
    team_id: workspace.teamId,
    type: view.type,
    blocks: content.blocks,
    private_metadata: text(content.private_metadata) ?? '',
    callback_id: text(content.callback_id) ?? '',
    state: { values: stateValues(view) },
    hash: view.hash,
    title: content.title ?? null,
    clear_on_close: false,
    notify_on_close: false,
    close: content.close ?? null,
    submit: content.submit ?? null,
    previous_view_id: null,
    root_view_id: view.id,
    app_id: workspace.appId,
    external_id: '',
    app_installed_team_id: workspace.isOrgWide ? workspace.enterprise?.id : workspace.teamId,
    bot_id: workspace.bot.botId,
  }
}

/** Slack gives an empty list where nothing can be filled in. Source: slack-go/slack#943. */
function stateValues(view: View): Json | readonly [] {
  const values: Record<string, Record<string, Json>> = {}
  for (const { blockId, actionId } of controlsOf(view.content)) {
    const value = view.typed.get(blockId)?.get(actionId)
    if (value) values[blockId] = { ...values[blockId], [actionId]: value }
  }
  return Object.keys(values).length === 0 ? [] : values
}
