// Sends a message with its sentence alone when Slack cannot read its blocks.
import type { Log } from '../../log/log.ts'
import { classify, complaintsOf } from '../client/refusals.ts'
import type { Patiently } from '../client/web-client.ts'
import type { Message } from './message.ts'

/** Slack's words for blocks that it cannot read. They are a defect of ours, or an address that Slack does not like. */
const unreadable = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])
/** The same, of a view. */
const unreadableView = new Set(['invalid_arguments', 'invalid_blocks', 'view_too_large'])

/** True when Slack cannot read a view, so that sending it once more would not help. */
export function isUnreadableView(error: unknown): boolean {
  return unreadableView.has(classify(error).word ?? '')
}

export type Readably = <T>(
  message: Message,
  send: (message: Message) => Promise<T>,
  how?: Patiently,
) => Promise<T>

export function createReadably(room: { readonly log: Log; readonly patiently: Patiently }): Readably {
  const { log, patiently } = room
  return async (message, send, how = patiently) => {
    try {
      return await how(() => send(message))
    } catch (error) {
      if (!unreadable.has(classify(error).word ?? '') || message.blocks.length === 0) throw error
      const complaints = complaintsOf(error)
      log.error({ err: error, complaints }, 'Slack rejects blocks of ours; sending only their sentence')
      return how(() => send({ text: message.text, blocks: [] }))
    }
  }
}
