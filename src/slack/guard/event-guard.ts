// Guard before every listener of an event: runs the listener once. One that deletes what the bot keeps of people is tried
// until it is done: Bolt acks an event before its listener runs, so Slack will not send it again.
import type { Middleware, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import { endsAs, noteWorkspace, requestNow } from '../../log/request.ts'
import { doubling, retry, unlessStopped } from '../../work/retry.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import { eventPayload } from './payloads.ts'
import { UnreadableEvent, type WorkspaceEvent } from './requests.ts'
import type { GuardRoom } from './room.ts'

/** The listener reads the event with `readEvent`; doing what deletes twice must do no harm. */
export type EventGuard = (
  listener: (event: WorkspaceEvent) => Promise<void>,
) => Middleware<SlackEventMiddlewareArgs>

const botToken = z.object({ tokens: z.object({ bot: z.array(z.string()).min(1) }) })

/** The bot is taken away, or its token is. */
function isLeaving(event: WorkspaceEvent['event']): boolean {
  return (
    event.type === 'app_uninstalled' || (event.type === 'tokens_revoked' && botToken.safeParse(event).success)
  )
}

/** People's tokens must not outlive an uninstall or their owner, however long something keeps them from being deleted. */
const triedForMs = 24 * 60 * 60_000
/** So often Slack is asked, in about a minute, before a token that is good shows that the bot is in again. */
const looksAtLeaving = 7
const pauses = doubling(1_000, 60_000)

export function createEventGuard(
  room: Pick<GuardRoom, 'installation' | 'isTokenGood' | 'work' | 'log' | 'now' | 'wait' | 'stopping'>,
): EventGuard {
  const { installation, isTokenGood, work, log, now, wait, stopping } = room

  function giveUp(type: string, error: unknown): void {
    endsAs('failed')
    log.error({ err: error, event: type }, 'giving up on an event')
  }

  /**
   * Handles it; what deletes is tried again until it is done. Never rejects. Counts as work only while it tries, so that a
   * stop does not wait for the pauses.
   */
  async function handleSafely(
    { type, mayPass }: { readonly type: string; readonly mayPass: boolean },
    handle: () => Promise<void>,
  ): Promise<void> {
    const givenUpAt = now() + triedForMs
    let isLast = false
    let looks = 0

    function tryOnce(): Promise<void> {
      isLast = !mayPass || stopping.aborted || now() >= givenUpAt
      return work.run(handle)
    }

    function pauseAfter(error: unknown, tries: number): number | undefined {
      // What cannot be read now can never be.
      if (error instanceof UnreadableEvent) return void giveUp(type, error)
      if (error instanceof StillGood) {
        looks += 1
        if (isLast || looks >= looksAtLeaving) {
          log.info(
            { event: type },
            'the bot was uninstalled, but has been installed again since; nothing is deleted',
          )
          return undefined
        }
      } else {
        if (isLast) return void giveUp(type, error)
        log.warn({ err: error, event: type }, 'an event could not be handled; trying again')
      }
      return pauses(tries)
    }

    // Whatever has failed is said by then.
    const pause = (ms: number) => unlessStopped(wait(ms), stopping)
    await retry(tryOnce, { pauseAfter, wait: pause }).catch(() => undefined)
  }

  return (listener) =>
    async ({ body }) => {
      const { event } = eventPayload.parse(body)
      // Not awaited: the event is acked, and Bolt has nothing to wait for.
      const { type } = event
      const mayPass = isLeaving(event) || type === 'user_change'
      const done = handleSafely({ type, mayPass }, async () => {
        const own = await installation()
        if (isLeaving(event) && (await isTokenGood())) throw new StillGood()
        const workspaceId = workspaceIdOf(own)
        noteWorkspace(workspaceId)
        await listener({ workspaceId, botUserId: own.botUserId, event })
      })
      requestNow()?.goesOn.push(done)
    }
}

/** Slack said that the bot is taken out, and takes its token: later it may not. */
class StillGood extends Error {
  override readonly name = 'StillGood'
}
