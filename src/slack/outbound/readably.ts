// Sends with less what Slack cannot read: without its links first, as Slack is choosy about addresses.
import type { KnownBlock } from '@slack/types'
import type { Log } from '../../log/log.ts'
import type { Patiently } from '../client/patience.ts'
import { complaintsOf, refusalOf } from '../client/refusals.ts'
import type { Message } from './message.ts'
import { withoutLinks } from './without-links.ts'

// Slack's words for blocks that it cannot read. They are a defect of ours, or an address that Slack does not like.
const unreadable = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])
/** The same, of a view. */
const unreadableView = new Set(['invalid_arguments', 'invalid_blocks', 'view_too_large'])

/** True when Slack cannot read a view, so that sending it once more would not help. */
export function isUnreadableView(error: unknown): boolean {
  return unreadableView.has(refusalOf(error) ?? '')
}

/** Undefined when there was no link, or nothing else. */
function linkless(blocks: readonly KnownBlock[]): KnownBlock[] | undefined {
  const bare = withoutLinks(blocks)
  if (bare.length === 0) return undefined
  return JSON.stringify(bare) === JSON.stringify(blocks) ? undefined : bare
}

export interface Readably {
  /** Sends all of a message; when Slack cannot read it, without links; and at last its sentence alone. */
  message<T>(message: Message, send: (message: Message) => Promise<T>, how?: Patiently): Promise<T>
  /** Sends a view; when Slack cannot read it, once more without links. @throws Slack’s first refusal. */
  view<V extends { readonly blocks: KnownBlock[] }, T>(view: V, send: (view: V) => Promise<T>): Promise<T>
}

export function createReadably({
  log,
  patiently,
}: {
  readonly log: Log
  readonly patiently: Patiently
}): Readably {
  return {
    async message(message, send, how = patiently) {
      const attempt = (blocks: readonly KnownBlock[]) => how(() => send({ text: message.text, blocks }))
      try {
        return await attempt(message.blocks)
      } catch (error) {
        if (!unreadable.has(refusalOf(error) ?? '')) throw error
        const bare = linkless(message.blocks)
        log.error(
          { err: error, complaints: complaintsOf(error) },
          `Slack cannot read blocks of ours; they are sent ${bare ? 'without links' : 'as their sentence alone'}`,
        )
        if (bare === undefined) return attempt([])
        return attempt(bare).catch((again: unknown) => {
          if (!unreadable.has(refusalOf(again) ?? '')) throw again
          log.error(
            { complaints: complaintsOf(again) },
            'Slack cannot read them either; only the sentence is shown',
          )
          return attempt([])
        })
      }
    },
    async view(view, send) {
      try {
        return await send(view)
      } catch (error) {
        const blocks = isUnreadableView(error) ? linkless(view.blocks) : undefined
        if (blocks === undefined) throw error
        log.error(
          { err: error, complaints: complaintsOf(error) },
          'Slack cannot read a view of ours; sent without links',
        )
        return send({ ...view, blocks }).catch(() => {
          throw error
        })
      }
    },
  }
}
