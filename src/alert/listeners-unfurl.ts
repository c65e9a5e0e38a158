// Links of alerts that people post. Parses, hands over; decides nothing.
import { z } from 'zod'
import type { Gate } from '../slack/gate/gate.ts'
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { slackId, slackTs } from '../slack/guard/payloads.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { limits } from '../slack/text/limits.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Scopes } from '../slack/workspace/scopes.ts'
import type { Unfurl } from './unfurl.ts'

const shared = z.object({
  user: slackId,
  channel: slackId,
  message_ts: slackTs,
  thread_ts: slackTs.nullish(),
  // What is still being written may never be posted.
  source: z.literal('conversations_history').nullish(),
  bot_id: z.null().optional(),
  links: z.array(z.unknown()),
})

const link = z.object({ url: z.string().max(limits.buttonUrl) })
/** More in one message are left as they are. */
const mostLinks = 50

export function registerUnfurl(
  listeners: Listeners,
  guard: Guard,
  {
    unfurl,
    people,
    scopes,
    gate,
  }: {
    readonly unfurl: Unfurl
    readonly people: PerWorkspace<Pick<People, 'writerOf'>>
    readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
    readonly gate: Pick<Gate, 'admits'>
  },
): void {
  listeners.event(
    'link_shared',
    guard.event(async ({ workspaceId, event, isAgain }) => {
      const read = shared.safeParse(event)
      // Webhooks and bots have no account.
      if (!read.success || !(await scopes.in(workspaceId).isOn('unfurls'))) return
      const { user: userId, channel: channelId, message_ts: ts, thread_ts, links } = read.data
      // Nobody waits for a preview.
      if (!isAgain && !(await gate.admits({ workspaceId, userId }))) return
      const { name, isBot, isStranger } = await people.in(workspaceId).writerOf(userId)
      if (isBot || isStranger) return
      const isDirect = channelId.startsWith('D')
      const place = {
        workspaceId,
        userId,
        channelId,
        responseUrl: undefined,
        isDirect,
        threadTs: thread_ts ?? undefined,
      }
      const urls = links.slice(0, mostLinks).flatMap((one) => link.safeParse(one).data?.url ?? [])
      await unfurl({ asker: { workspaceId, userId, name }, place }, { channelId, ts, urls })
    }),
  )
}
