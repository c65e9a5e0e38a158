// Frames of Socket Mode, told apart before Slack's client sees them: one that it cannot read would end the process. Pure.
// Source: docs.slack.dev/apis/events-api/using-socket-mode; slackapi/node-slack-sdk#2167.
import { z } from 'zod'
import { parseJson } from '../client/json.ts'

export type Frame =
  | { readonly kind: 'hello' }
  /** Slack is about to close this connection. */
  | { readonly kind: 'disconnect'; readonly reason: string }
  | {
      readonly kind: 'envelope'
      readonly id: string
      readonly body: Readonly<Record<string, unknown>>
      readonly isEvent: boolean
      readonly retryNum: number | undefined
      readonly retryReason: string | undefined
    }
  /** An envelope with nothing in it that could be handed on. */
  | { readonly kind: 'empty'; readonly id: string; readonly isEvent: boolean }
  | { readonly kind: 'unreadable' }

const frame = z.object({
  type: z.string(),
  reason: z.string().catch('unknown'),
  envelope_id: z.string().min(1).optional().catch(undefined),
  payload: z.record(z.string(), z.unknown()).optional().catch(undefined),
  retry_attempt: z.int().optional().catch(undefined),
  retry_reason: z.string().optional().catch(undefined),
})

/** @param data - A frame's text; undefined for one of bytes, which Slack does not send. */
export function readFrame(data: string | undefined): Frame {
  const read = frame.safeParse(parseJson(data ?? ''))
  if (!read.success) return { kind: 'unreadable' }
  const { type, reason, envelope_id: id, payload: body, retry_attempt, retry_reason } = read.data
  if (type === 'hello') return { kind: 'hello' }
  if (type === 'disconnect') return { kind: 'disconnect', reason }
  if (id === undefined) return { kind: 'unreadable' }
  const isEvent = type === 'events_api'
  if (body === undefined) return { kind: 'empty', id, isEvent }
  return {
    kind: 'envelope',
    id,
    body,
    isEvent,
    retryNum: retry_attempt,
    retryReason: retry_reason || undefined,
  }
}
