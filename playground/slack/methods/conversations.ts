// conversations.info, conversations.members, conversations.open and conversations.replies.

import { type Json, text, truth } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import { messagePayload } from '../payloads/message-payload.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { idList, type Method, refuse, visibleChannel } from './method.ts'

export const info: Method = {
  name: 'conversations.info',
  token: 'bot',
  scopes: ['channels:read', 'groups:read', 'im:read'],
  required: ['channel'],
  optional: ['include_locale', 'include_num_members'],
  answer: (args, workspace) => {
    const channel = visibleChannel(workspace, args.channel)
    if (!channel) return refuse('channel_not_found')
    const lacking = scopeLacking(channel, 'read', workspace)
    if (lacking) return lacking
    const count = truth(args.include_num_members) ? { num_members: channel.members.size } : {}
    return { ok: true, channel: { ...channelPayload(channel, workspace), ...count } }
  },
}

const membersPerPage = 100
const mostMembersPerPage = 1000

/** Source: docs.slack.dev/reference/methods/conversations.members. */
export const members: Method = {
  name: 'conversations.members',
  token: 'bot',
  scopes: ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
  required: ['channel'],
  optional: ['cursor', 'limit'],
  answer: (args, workspace) => {
    const channel = visibleChannel(workspace, args.channel)
    if (!channel) return refuse('channel_not_found')
    const lacking = scopeLacking(channel, 'read', workspace)
    if (lacking) return lacking
    const limit = Number(args.limit ?? membersPerPage)
    if (!Number.isInteger(limit) || limit < 1 || limit > mostMembersPerPage) return refuse('invalid_limit')
    const from = Number(text(args.cursor) || '0')
    if (!Number.isInteger(from) || from < 0) return refuse('invalid_cursor')
    const ids = [...channel.members]
    const next = from + limit < ids.length ? String(from + limit) : ''
    return { ok: true, members: ids.slice(from, from + limit), response_metadata: { next_cursor: next } }
  },
}

export const open: Method = {
  name: 'conversations.open',
  token: 'bot',
  scopes: ['im:write', 'mpim:write'],
  required: [],
  optional: ['users', 'channel', 'return_im', 'prevent_creation'],
  answer: (args, workspace) => {
    if (args.channel !== undefined) {
      const channel = visibleChannel(workspace, args.channel)
      if (channel?.kind !== 'im') return refuse('channel_not_found')
      return { ok: true, no_op: true, already_open: true, channel: { id: channel.id } }
    }
    const users = idList(args.users)
    const [id] = users
    if (id === undefined) return refuse('users_list_not_supplied')
    if (users.length > 1) return refuse('method_not_supported_for_channel_type')
    const member = workspace.members.get(id)
    if (!member || id === workspace.bot.userId) return refuse('user_not_found')
    if (member.isDeleted) return refuse('user_disabled')
    const channel = workspace.directMessage(workspace.bot.userId, id)
    const whole = truth(args.return_im) ? channelPayload(channel, workspace) : { id: channel.id }
    return { ok: true, channel: whole }
  },
}

/**
 * The parent comes first, whatever the times, and on the first page alone; it counts as one of the page.
 * Source: docs.slack.dev/reference/methods/conversations.replies.
 */
export const replies: Method = {
  name: 'conversations.replies',
  token: 'bot',
  scopes: ['channels:history', 'groups:history', 'im:history'],
  required: ['channel', 'ts'],
  optional: ['cursor', 'include_all_metadata', 'inclusive', 'latest', 'limit', 'oldest'],
  answer: (args, workspace) => {
    const channel = visibleChannel(workspace, args.channel)
    if (!channel) return refuse('channel_not_found')
    const lacking = scopeLacking(channel, 'history', workspace)
    if (lacking) return lacking
    if (!channel.members.has(workspace.bot.userId)) return refuse('not_in_channel')
    const parent = workspace.find(channel.id, text(args.ts) ?? '')
    if (!parent) return refuse('thread_not_found')
    const from = Number(text(args.cursor) || '0')
    if (!Number.isInteger(from) || from < 0) return refuse('invalid_cursor')
    const { repliesPerPage } = workspace.options
    const limit = Math.min(Number(args.limit ?? repliesPerPage), repliesPerPage)
    const isInRange = rangeOf(args)
    if (typeof isInRange === 'string') return refuse(isInRange)
    const seen = workspace
      .replies(parent)
      .filter(({ ephemeralFor, ts }) => ephemeralFor === undefined && isInRange(Number(ts)))
    const all = [parent, ...seen]
    const page = all.slice(from, from + limit)
    const hasMore = from + limit < all.length
    return {
      ok: true,
      messages: page.map((message) => messagePayload(message, workspace, truth(args.include_all_metadata))),
      has_more: hasMore,
      ...(hasMore ? { response_metadata: { next_cursor: String(from + limit) } } : {}),
    }
  },
}

/** Which times are asked for, or Slack's word for what is wrong with them. */
function rangeOf(args: Json): ((ts: number) => boolean) | string {
  const [oldest, latest] = [Number(text(args.oldest) ?? 0), Number(text(args.latest) ?? Number.MAX_VALUE)]
  if (!Number.isFinite(oldest)) return 'invalid_ts_oldest'
  if (!Number.isFinite(latest)) return 'invalid_ts_latest'
  if (truth(args.inclusive)) return (ts) => ts >= oldest && ts <= latest
  return (ts) => ts > oldest && ts < latest
}

function scopeLacking(channel: Channel, what: string, workspace: Workspace): Json | undefined {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind]
  const needed = `${family}:${what}`
  const { botScopes } = workspace.options
  return botScopes.includes(needed)
    ? undefined
    : refuse('missing_scope', { needed, provided: botScopes.join(',') })
}

function channelPayload(channel: Channel, workspace: Workspace): Json {
  const { id, name, kind, isShared, isArchived, created, members } = channel
  if (kind === 'im') {
    const user = [...members].find((member) => member !== workspace.bot.userId)
    return {
      id,
      created,
      is_im: true,
      is_org_shared: false,
      user,
      is_open: true,
      context_team_id: workspace.teamId,
    }
  }
  return {
    id,
    name,
    name_normalized: name,
    is_channel: kind === 'public',
    is_group: kind === 'private',
    is_im: false,
    is_mpim: false,
    is_private: kind === 'private',
    created,
    is_archived: isArchived,
    is_general: name === 'general',
    is_shared: isShared,
    is_ext_shared: isShared,
    is_org_shared: false,
    is_member: members.has(workspace.bot.userId),
    context_team_id: workspace.teamId,
    creator: [...members][0],
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
  }
}
