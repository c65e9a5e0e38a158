// conversations.info and conversations.members.

import { type Json, text, truth } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Method, refuse, visibleChannel } from './method.ts'

export const info: Method = {
  name: 'conversations.info',
  token: 'bot',
  scopes: ['channels:read', 'groups:read', 'im:read'],
  required: ['channel'],
  optional: ['include_locale', 'include_num_members'],
  answer: (args, workspace) => {
    const channel = visibleChannel(workspace, args.channel)
    if (!channel) return refuse('channel_not_found')
    const lacking = scopeLacking(channel, workspace)
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
    const lacking = scopeLacking(channel, workspace)
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

function scopeLacking(channel: Channel, workspace: Workspace): Json | undefined {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind]
  const needed = `${family}:read`
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
