// The border of `/act`: checks what the page sends.
import { z } from 'zod'
import type { Act } from '../../page/state/acts.ts'

/** What the page asks for cannot be done, in a sentence for people. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}

/** Characters of one message. Source: docs.slack.dev/reference/methods/chat.postMessage, “Truncating content”. */
const longestMessage = 40_000

const id = z.string().max(200)
const chosen = z.union([z.string().max(10_000), z.array(z.string().max(200)).max(100), z.null()])
const control = { blockId: z.string().max(300), actionId: z.string().max(300) }
const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), channelId: id, ts: id }),
  z.object({ kind: z.literal('unfurl'), channelId: id, ts: id, unfurlId: z.int() }),
  z.object({ kind: z.literal('view'), viewId: id }),
])

const actSchema: z.ZodType<Act> = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('say'),
    channelId: id,
    text: z.string().min(1).max(longestMessage),
    threadTs: id.optional(),
  }),
  z.object({ do: z.literal('press'), at: place, ...control, optionValue: id.optional() }),
  z.object({ do: z.literal('fill'), viewId: id, ...control, value: chosen }),
  z.object({ do: z.literal('suggest'), viewId: id, ...control, typed: z.string().max(10_000) }),
  z.object({ do: z.literal('submit'), viewId: id }),
  z.object({ do: z.literal('close'), viewId: id }),
  z.object({
    do: z.literal('shortcut'),
    callbackId: id,
    message: z.object({ channelId: id, ts: id }).optional(),
  }),
  z.object({ do: z.literal('open-home') }),
  z.object({ do: z.literal('trouble'), id, isOn: z.boolean(), channelId: id.optional() }),
  z.object({
    do: z.literal('event'),
    ks: id,
    what: z.enum(['next', 'worse', 'better', 'comment', 'assign', 'close', 'reopen']),
  }),
  z.object({
    do: z.literal('new-alerts'),
    count: z.int().min(1).max(100),
    rings: z.boolean().optional(),
  }),
  z.object({ do: z.literal('reset') }),
])

/** `as`: the name of whoever does it. */
export const doneSchema = z.object({ as: z.string().max(100), act: actSchema })
