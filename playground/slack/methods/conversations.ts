// conversations.info and conversations.members.

import { Refused } from '../check/refused.ts'
import { type Json, text, truth } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Answer, requireScope, visibleChannel } from './method.ts'

export const info: Answer = (args, workspace) => {
  const channel = readableChannel(args, workspace)
  const count = truth(args.include_num_members) ? { num_members: channel.members.size } : {}
  return { ok: true, channel: { ...channelPayload(channel, workspace), ...count } }
}

const membersPerPage = 100
const mostMembersPerPage = 1000

/** Source: docs.slack.dev/reference/methods/conversations.members. */
export const members: Answer = (args, workspace) => {
  const channel = readableChannel(args, workspace)
  const limit = Number(args.limit ?? membersPerPage)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostMembersPerPage)
    throw new Refused('invalid_limit')
  const from = Number(text(args.cursor) || '0')
  if (!Number.isInteger(from) || from < 0) throw new Refused('invalid_cursor')
  const ids = [...channel.members]
  const next = from + limit < ids.length ? String(from + limit) : ''
  return {
    ok: true,
    members: ids.slice(from, from + limit),
    response_metadata: { next_cursor: next },
  }
}

function readableChannel(args: Json, workspace: Workspace): Channel {
  const channel = visibleChannel(workspace, args.channel)
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind]
  requireScope([`${family}:read`], workspace.options.botScopes)
  return channel
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
