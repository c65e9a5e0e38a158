// Rewrites what people type as Slack does: after a command when the manifest says `should_escape: true`, and in
// messages.

import type { Channel, Member } from '../model/model.ts'
import { withoutStop } from './links.ts'
import { userGroups } from './user-groups.ts'

const WORD = /https?:\/\/[^\s"“”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\S)@[\w.-]*\w|(?<!\S)#[\w-]+/g

/** `@dave` → `<@U…|dave>`, `#general` → `<#C…|general>`, links and mail addresses likewise; `&<>` escaped. */
export function escapeCommandText(
  typed: string,
  members: Iterable<Member>,
  channels: Iterable<Channel>,
): string {
  return rewrite(typed, members, channels, (id, name) => `${id}|${name}`, 'named')
}

/** The same, but that people and channels are named by their ids alone: `<@U…>`. */
export function escapeMessageText(
  typed: string,
  members: Iterable<Member>,
  channels: Iterable<Channel>,
): string {
  return rewrite(typed, members, channels, (id) => id)
}

function rewrite(
  typed: string,
  members: Iterable<Member>,
  channels: Iterable<Channel>,
  naming: (id: string, name: string) => string,
  groups: 'named' | 'by-id' = 'by-id',
): string {
  const people = new Map([...members].map((member) => [member.name.toLowerCase(), member]))
  const rooms = new Map([...channels].map((channel) => [channel.name, channel]))
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(WORD, (found) => {
    if (/^https?:/.test(found)) {
      const url = withoutStop(found)
      return `<${url}>${found.slice(url.length)}`
    }
    if (found.startsWith('@')) {
      const member = people.get(found.slice(1).toLowerCase())
      const group = userGroups.get(found.slice(1).toLowerCase())
      if (group && !member) return `<!subteam^${group}${groups === 'named' ? `|${found}` : ''}>`
      return member ? `<@${naming(member.id, member.name)}>` : found
    }
    if (found.startsWith('#')) {
      const channel = rooms.get(found.slice(1))
      return channel?.kind === 'public' ? `<#${naming(channel.id, channel.name)}>` : found
    }
    return `<mailto:${found}|${found}>`
  })
}
