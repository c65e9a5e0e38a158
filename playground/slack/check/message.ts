// The content of a message: text and blocks, however it comes (method, response_url, ack of a command).

import { type Json, parsed, records } from '../model/json.ts'
import { blockErrors } from './blocks.ts'
import { limits, sizeOf } from './limits.ts'
import { Refused } from './refused.ts'

export interface MessageContent {
  readonly text: string | undefined
  readonly blocks: readonly Json[] | undefined
}

/**
 * Reads and checks a message.
 *
 * @param maxText - Characters of top-level text.
 * @throws Refused
 */
export function readMessage(args: Json, maxText: number = limits.messageText): MessageContent {
  const { text, blocks } = args
  const given = blocks === '' ? undefined : parsed(blocks)
  if (given !== undefined && !Array.isArray(given)) throw new Refused('invalid_blocks_format')
  const errors = given === undefined ? [] : blockErrors(given)
  if (errors.length > 0) throw new Refused('invalid_blocks', errors)
  if (sizeOf(given ?? []) > limits.messageSize) throw new Refused('msg_blocks_too_long')
  if (text !== undefined && typeof text !== 'string')
    throw new Refused('invalid_arguments', ['must be a string [json-pointer:/text]'])
  if ((text ?? '').length > maxText) throw new Refused('msg_too_long')
  return { text, blocks: given && records(given) }
}

/** The content of one that is new. @throws Refused also when there is nothing to show: neither text nor a block. */
export function readNewMessage(args: Json): {
  readonly text: string
  readonly blocks: readonly Json[]
} {
  const { text = '', blocks = [] } = readMessage(args)
  if (text.trim() === '' && blocks.length === 0) throw new Refused('no_text')
  return { text, blocks }
}
