// Tells watchers, each directly, that they watch no more: those who could not know it from the thread.

import type { ConnectFirst } from '../account/connect-first.ts'
import type { Log } from '../log/log.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { nameOf, refusedWords, renderGone, renderNotAllowed } from './render.ts'
import type { Ended, KnownCard, Watcher } from './watches.ts'

export type WhyInform = Extract<Ended['kind'], 'refused' | 'forbidden' | 'gone'>

/** Never throws. False when the message could not be posted, which is logged. */
export type Inform = (live: KnownCard, watcher: Watcher, why: WhyInform) => Promise<boolean>

export function createInform(room: {
  readonly connectFirst: Pick<ConnectFirst, 'ask'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly log: Log
}): Inform {
  const { connectFirst, outbound, log } = room

  async function tell(live: KnownCard, { userId, name }: Watcher, why: WhyInform): Promise<void> {
    const { workspaceId, cardId, shown } = live
    const { ks } = live.card
    const post = (message: Message) => outbound.in(workspaceId).post(userId, message)
    const alertName = nameOf(ks, shown)
    if (why === 'gone') await post(renderGone(alertName, ks))
    if (why === 'forbidden') await post(renderNotAllowed(alertName))
    if (why !== 'refused') return
    const place = { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: true }
    const wanted = { feature: 'watch', asked: 'alert', ks, ask: { cardId } } as const
    const text = refusedWords(alertName)
    await connectFirst.ask({ asker: { workspaceId, userId, name }, place }, wanted, 'refused', { text })
  }

  return async (live, watcher, why) => {
    try {
      await tell(live, watcher, why)
      return true
    } catch (error) {
      log.failedJob(
        'warn',
        { err: error, user: watcher.userId },
        'a watcher could not be told that their watch has ended',
      )
      return false
    }
  }
}
