// Parts that every method of the Web API is made of.
import { Refused } from '../check/refused.ts'
import { type Json, text } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A method, once its token and the names of its arguments are checked. @throws Refused */
export type Answer = (args: Json, workspace: Workspace) => Json

/** @param needed - Scopes of which one would do. @throws Refused when none of them is there. */
export function requireScope(needed: readonly string[], provided: readonly string[]): void {
  if (needed.some((scope) => provided.includes(scope))) return
  throw new Refused('missing_scope', [], { needed: needed.join(','), provided: provided.join(',') })
}

/** The conversation as the bot can see it: private ones only when it is in there. @throws Refused */
export function visibleChannel(workspace: Workspace, id: unknown): Channel {
  const channel = workspace.channels.get(text(id) ?? '')
  const isSeen = channel?.kind === 'public' || channel?.members.has(workspace.bot.userId)
  if (!channel || !isSeen) throw new Refused('channel_not_found')
  return channel
}
