// What stands before listeners of what people write to the bot: in a mention, or in their direct message with it.
// Bots, edits and what is delivered twice never reach a listener; failures are told where it was written.
import type { Middleware, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import type { Asked } from './error-message.ts'
import type { EventGuard } from './event-guard.ts'
import type { Installed } from './installation.ts'
import type { Message } from './message.ts'
import type { Once } from './once.ts'
import type { People } from './people.ts'
import type { Delivery, Place } from './place.ts'
import type { Said } from './requests.ts'
import type { Scopes } from './scopes.ts'
import type { Run } from './tell-failures.ts'
import { stranger } from './who.ts'

/** @param asked - What it is taken for when it fails, from its words. */
export type SaidGuard = (
  asked: (text: string) => Asked,
  listener: (said: Said) => Promise<void>,
) => Middleware<SlackEventMiddlewareArgs>

const written = z.object({
  user: z.string().min(1),
  text: z.string().default(''),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  thread_ts: z.string().optional(),
  bot_id: z.null().optional(),
  subtype: z.null().optional(),
})

export function createSaidGuard(room: {
  readonly installed: Installed
  readonly people: Pick<People, 'writerOf'>
  readonly scopes: Pick<Scopes, 'isOn'>
  readonly once: Once
  readonly delivery: Delivery
  readonly run: Run
  readonly event: EventGuard
}): SaidGuard {
  const { installed, people, scopes, once, delivery, run, event } = room
  return (asked, listener) =>
    event(async ({ workspaceId, eventId, event: given }) => {
      const { botUserId } = await installed.installation()
      const read = written.safeParse(given)
      // Bots, edits and deletions have other fields.
      if (!read.success || read.data.user === botUserId) return
      const { user: userId, text, channel: channelId, thread_ts: threadTs } = read.data
      const isDirect = read.data.channel_type === 'im'
      if (!(await scopes.isOn(isDirect ? 'directWords' : 'mentions'))) return
      const writer = await people.writerOf(userId)
      if (writer.isBot || !(await once.first(workspaceId, `event ${eventId}`))) return
      const place: Place = { userId, channelId, responseUrl: undefined, isDirect, threadTs }
      await run(asked(text), place, async () => {
        if (writer.isStranger) return delivery.privately(place, stranger)
        const asker = { workspaceId, userId, name: writer.name }
        const answer = (message: Message) => delivery.privately(place, message)
        await listener({ asker, place, eventId, text, botUserId, answer })
      })
    })
}
