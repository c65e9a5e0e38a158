// The value of a control, in words.
import { type Json, list, record, text } from '../model/json.ts'
import { valueKey } from '../model/view-state.ts'
import { plainText } from '../text/plain.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The value of a control as a person reads it; `''` when it is empty. */
export function shownValue(value: Json, workspace: Workspace): string {
  const held = value[valueKey(text(value.type) ?? '')]
  return (Array.isArray(held) ? list(held) : [held])
    .map((one) => shownOne(one, workspace))
    .filter((one) => one !== '')
    .join(', ')
}

function shownOne(value: unknown, workspace: Workspace): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return plainText(record(value).text, workspace)
  const word = String(value)
  const channel = workspace.channels.get(word)
  if (channel) return channel.kind === 'im' ? channel.name : `#${channel.name}`
  const member = workspace.members.get(word)
  return member ? `@${member.name}` : word
}
