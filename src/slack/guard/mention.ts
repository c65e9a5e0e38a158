// The guard before listeners of what people write to the bot: in a mention, or in their direct message with it.
// Bots, edits and what is delivered twice never reach a listener; failures are told where it was written.
import type { Middleware, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { requestNow } from '../../log/request.ts'
import type { Gate } from '../gate/gate.ts'
import { tooLong } from '../gate/held-back.ts'
import type { Topic } from '../observer.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import type { Message } from '../outbound/message.ts'
import type { PerWorkspace } from '../per-workspace.ts'
import { longestFree } from '../text/typed.ts'
import type { People } from '../workspace/people.ts'
import type { Scopes } from '../workspace/scopes.ts'
import type { EventGuard } from './events.ts'
import type { Once } from './once.ts'
import { line, slackId, slackTs } from './payloads.ts'
import type { Intent, Mention } from './requests.ts'
import type { Run } from './tell-failures.ts'
import { stranger } from './who.ts'

/**
 * @param asked - What it is taken for when it fails, from its words.
 * @param read - Reads what was written, once; what is not short, when its writer has been counted.
 */
export type MentionGuard = (
  asked: (text: string) => Topic,
  read: (text: string, botUserId: string) => Intent<Mention>,
) => Middleware<SlackEventMiddlewareArgs>

const written = z.object({
  type: z.enum(['app_mention', 'message']),
  ts: slackTs,
  user: slackId,
  text: line,
  channel: slackId,
  channel_type: z.string().nullish().catch(undefined),
  thread_ts: slackTs.nullish(),
  bot_id: z.null().optional(),
  // A picture beside the words, or a reply shown in the channel as well.
  subtype: z.enum(['file_share', 'thread_broadcast']).nullish(),
  // What is changed later is not said again: Slack tells of it as of a new mention.
  edited: z.null().optional(),
})

export function createMentionGuard(room: {
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly once: Once
  readonly delivery: Delivery
  readonly run: Run
  readonly event: EventGuard
  readonly gate: Gate
  readonly log: Log
}): MentionGuard {
  const { people, scopes, once, delivery, run, event, gate, log } = room
  return (asked, read) =>
    event(async ({ workspaceId, botUserId, event: given, isAgain }) => {
      const message = written.safeParse(given)
      // Bots, edits and deletions have other fields.
      if (!message.success || message.data.user === botUserId) return
      const { type, ts, user: userId, text: line, channel: channelId, thread_ts } = message.data
      const threadTs = thread_ts ?? undefined
      const isDirect = message.data.channel_type === 'im'
      // An app may be told of every message in a channel; only those that name the bot are for it.
      if (type === 'message' && !isDirect) return
      if (!(await scopes.in(workspaceId).isOn(isDirect ? 'directWords' : 'mentions'))) return
      const place: Place = { workspaceId, userId, channelId, responseUrl: undefined, isDirect, threadTs }
      const text = 'text' in line ? line.text : ''
      const about = asked(text)
      const early = 'text' in line && text.length <= longestFree ? read(text, botUserId) : undefined
      const busy = gate.busy(about, early?.isFree || early?.onlyTells || false, 1)
      if (busy !== undefined) return gate.tell(place, busy)
      const closed = early?.isFree || isAgain ? undefined : await gate.tooFast(about, { workspaceId, userId })
      if (closed !== undefined) return closed.isToBeTold ? gate.tell(place, closed.sentence) : undefined
      const writer = await people.in(workspaceId).writerOf(userId)
      const name = requestNow()?.name
      log.debug(
        { name, user: userId, workspace: workspaceId, isOurs: !writer.isStranger },
        'who asks is known',
      )
      if (writer.isBot || !(await once.first(workspaceId, `said ${channelId} ${ts}`))) return
      await run(about, place, async () => {
        if (writer.isStranger) return delivery.privately(place, stranger)
        if ('tooLong' in line) throw new UserError(tooLong(line.tooLong))
        const asker = { workspaceId, userId, name: writer.name, handle: writer.handle }
        const answer = (said: Message) => delivery.privately(place, said)
        const intent = early ?? read(text, botUserId)
        await intent.run({ asker, place, id: `${channelId} ${ts}`, answer })
      })
    })
}
