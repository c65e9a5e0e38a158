// Guard before every listener of an event: reads for whom it is, and tries again for ten minutes when the listener fails.
// Bolt acks an event before its listener runs, so Slack will not send it again. Nobody waits for it, so nobody is told.
import type { Middleware, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import { endsAs, noteWorkspace, requestNow } from '../../log/request.ts'
import { doubling, retry, unlessStopped } from '../../work/retry.ts'
import { createNoteUnreadable } from '../inbound/intake.ts'
import { type Installation, workspaceIdOf } from '../workspace/installation.ts'
import { eventPayload } from './payloads.ts'
import { UnreadableEvent, type WorkspaceEvent } from './requests.ts'
import type { GuardRoom } from './room.ts'
import { type Addressed, deliveredFor, type EventPayload } from './whose.ts'

/**
 * The listener may be called several times for one event, so doing it twice must do no harm. It reads the event with
 * `readEvent`.
 */
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

const triedForMs = 10 * 60_000
/** People's tokens must not outlive an uninstall, however long Slack does not say whether it was one. */
const leavingTriedForMs = 24 * 60 * 60_000
/** So often Slack is asked, in about a minute, before a token that is good shows that the bot is in again. */
const looksAtLeaving = 7
const pauses = doubling(1_000, 60_000)
/** Events between two tries; of more than these, what fails is given up at once. */
const mostWaiting = 2_000

export function createEventGuard(
  room: Pick<GuardRoom, 'installations' | 'work' | 'log' | 'observer' | 'now' | 'wait' | 'stopping'>,
): EventGuard {
  const { installations, work, log, observer, now, wait, stopping } = room
  let waiting = 0
  const noteUnreadable = createNoteUnreadable(room)

  function giveUp(type: string, error: unknown): void {
    endsAs('failed')
    log.error({ err: error, event: type }, 'giving up on an event')
  }

  function noteInAgain(type: string, { workspaces }: StillGood): void {
    log.info(
      { event: type, workspaces },
      'the bot was uninstalled, but has been installed again since; nothing is deleted',
    )
  }

  /** Never rejects. Counts as work only while it tries, so that a stop does not wait for the pauses. */
  async function tryUntilDone(
    { type, triedFor }: { readonly type: string; readonly triedFor: number },
    handle: (isAgain: boolean) => Promise<void>,
  ): Promise<void> {
    const givenUpAt = now() + triedFor
    let isLast = false
    let isAgain = false
    let looks = 0

    function tryOnce(): Promise<void> {
      isLast = stopping.aborted || now() >= givenUpAt || waiting >= mostWaiting
      return work.run(() => handle(isAgain))
    }

    function pauseAfter(error: unknown, tries: number): number | undefined {
      // What cannot be read now can never be.
      if (error instanceof UnreadableEvent) return void noteUnreadable(`event ${type}`)
      if (error instanceof StillGood) {
        looks += 1
        if (isLast || looks >= looksAtLeaving) return void noteInAgain(type, error)
      } else {
        if (isLast) return void giveUp(type, error)
        log.warn({ err: error, event: type }, 'an event could not be handled; trying again')
      }
      return pauses(tries)
    }

    function onRetry(): void {
      isAgain = true
      observer.triedAgain('event')
    }

    // Whatever has failed is said by then.
    await retry(tryOnce, { pauseAfter, wait: pause, onRetry }).catch(() => undefined)
  }

  async function pause(ms: number): Promise<void> {
    waiting += 1
    await unlessStopped(wait(ms), stopping)
    waiting -= 1
  }

  async function findFor(payload: EventPayload): Promise<readonly Installation[]> {
    const delivered = deliveredFor(payload)
    if (payload.event.type === 'user_change') return installations.forPerson(delivered)
    const installation = isLeaving(payload.event)
      ? await installations.forLeaving(delivered)
      : await installations.forEvent(delivered)
    if (installation === 'stays') throw new StillGood(delivered)
    return installation === undefined ? [] : [installation]
  }

  return (listener) =>
    async ({ body }) => {
      const payload = eventPayload.parse(body)
      const { event } = payload
      // Not awaited: the event is acked, and Bolt has nothing to wait for.
      const { type } = event
      const triedFor = isLeaving(event) ? leavingTriedForMs : triedForMs
      const done = tryUntilDone({ type, triedFor }, async (isAgain) => {
        for (const installation of await findFor(payload)) {
          const { botUserId } = installation
          const workspaceId = workspaceIdOf(installation)
          noteWorkspace(workspaceId)
          await listener({ workspaceId, botUserId, event, isAgain })
        }
      })
      requestNow()?.goesOn.push(done)
    }
}

/** Slack said that the bot is taken out, and takes its token: later it may not. */
class StillGood extends Error {
  override readonly name = 'StillGood'
  readonly workspaces: readonly string[]

  constructor({ teamId, enterpriseId }: Addressed) {
    super('the bot token is good')
    this.workspaces = [teamId, enterpriseId].filter((id) => id !== undefined)
  }
}
