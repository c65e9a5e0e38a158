// The content of a message: text and blocks, however it comes (method, response_url, ack of a command).

import { type Json, parseJson, records } from '../model/json.ts'
import { blockErrors } from './blocks.ts'
import { limits } from './limits.ts'

export interface MessageContent {
  readonly text: string | undefined
  readonly blocks: readonly Json[] | undefined
}

export interface Refusal {
  readonly error: string
  /** Pointed complaints, for `invalid_blocks`. */
  readonly errors: readonly string[]
}

/**
 * Reads and checks a message.
 *
 * @param maxText - Characters of top-level text.
 * @returns The content, or why Slack refuses it.
 */
export function readMessage(args: Json, maxText: number = limits.messageText): MessageContent | Refusal {
  const given = structured(args.blocks)
  if (args.blocks !== undefined && args.blocks !== '' && !Array.isArray(given)) {
    return { error: 'invalid_blocks_format', errors: [] }
  }
  const errors = given === undefined ? [] : blockErrors(given)
  if (errors.length > 0) return { error: 'invalid_blocks', errors }
  if (sizeOf(given ?? []) > limits.messageSize) return { error: 'msg_blocks_too_long', errors: [] }
  if (args.text !== undefined && typeof args.text !== 'string') {
    return { error: 'invalid_arguments', errors: ['must be a string [json-pointer:/text]'] }
  }
  if ((args.text ?? '').length > maxText) return { error: 'msg_too_long', errors: [] }
  return {
    text: args.text,
    blocks: given === undefined ? undefined : records(given),
  }
}

/** As JSON without its backslashes. Slack says neither what it counts nor how much it takes; this is on the safe side. */
function sizeOf(blocks: unknown): number {
  return JSON.stringify(blocks).replaceAll(/\\(?:u[0-9a-f]{4}|.)/g, '.').length
}

export function isRefusal(read: MessageContent | Refusal): read is Refusal {
  return 'error' in read
}

/** Nothing to show: neither text nor a block. */
export function isEmpty({ text, blocks }: MessageContent): boolean {
  return (text ?? '').trim() === '' && (blocks ?? []).length === 0
}

function structured(value: unknown): unknown {
  if (value === '') return undefined
  return typeof value === 'string' ? parseJson(value) : value
}
