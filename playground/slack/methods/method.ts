// Types that every method of the Web API is made of.
import { type Json, parseJson, text } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface Method {
  readonly name: string
  /** Which token it takes; `none` also answers without one. */
  readonly token: 'bot' | 'app'
  /** Scopes of which one is needed. Empty when none is. */
  readonly scopes: readonly string[]
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly answer: (args: Json, workspace: Workspace) => Json
}

export function refuse(error: string, more: Json = {}): Json {
  return { ok: false, error, ...more }
}

/** Slack's answer when arguments, a view or blocks are wrong. */
export function refuseWith(error: string, errors: readonly string[]): Json {
  const messages = errors.map((said) => `[ERROR] ${said}`)
  return error === 'invalid_arguments'
    ? { ok: false, error, response_metadata: { messages } }
    : { ok: false, error, errors, response_metadata: { messages } }
}

/** An argument that may come as JSON text, as it does in a form. Undefined when it is neither. */
export function structured(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value
}

/** The conversation as the bot can see it: private ones only when it is in there. */
export function visibleChannel(workspace: Workspace, id: unknown): Channel | undefined {
  const channel = workspace.channels.get(text(id) ?? '')
  if (!channel) return undefined
  const isIn = channel.members.has(workspace.bot.userId)
  return channel.kind === 'public' || isIn ? channel : undefined
}
