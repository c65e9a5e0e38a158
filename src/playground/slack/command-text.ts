// How Slack rewrites what people type after a command when the manifest says `should_escape: true`.
import type { Channel, Member } from './model.ts'

/** `@dave` → `<@U…|dave>`, `#general` → `<#C…|general>`, links and mail addresses likewise; `&<>` escaped. */
export function escapeCommandText(
  typed: string,
  members: Iterable<Member>,
  channels: Iterable<Channel>,
): string {
  const people = new Map([...members].map((member) => [member.name, member]))
  const rooms = new Map([...channels].map((channel) => [channel.name, channel]))
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const word = /https?:\/\/[^\s"“”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\S)@[\w.-]+|(?<!\S)#[\w-]+/g
  return escaped.replace(word, (found) => {
    if (/^https?:/.test(found)) return `<${found}>`
    if (found.startsWith('@')) {
      const member = people.get(found.slice(1))
      return member ? `<@${member.id}|${member.name}>` : found
    }
    if (found.startsWith('#')) {
      const channel = rooms.get(found.slice(1))
      return channel?.kind === 'public' ? `<#${channel.id}|${channel.name}>` : found
    }
    return `<mailto:${found}|${found}>`
  })
}
