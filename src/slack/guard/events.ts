// Events: Slack tells of them by itself, so a listener runs once and fails in the log alone. One that deletes what the
// bot keeps of people is tried until it is done: Bolt acks an event before its listener runs, so Slack will not send it again.
import type { House } from '../../house.ts'
import { endsAs, noteWorkspace, requestNow } from '../../log/request.ts'
import { doubling, retry, unlessStopped } from '../../work/retry.ts'
import type { EventGuard } from '../routes.ts'
import { workspaceIdOf } from '../workspace/installation.ts'

/** Thrown by a listener that deletes: it is too early to tell. Tried again for about a minute, then nothing is done. */
export class TooEarly extends Error {
  override readonly name = 'TooEarly'
}

/** People's tokens must not outlive an uninstall or their owner, however long something keeps them from being deleted. */
const triedForMs = 24 * 60 * 60_000
const mostEarly = 7
const pauses = doubling(1_000, 60_000)

export function guardEvents(house: House): EventGuard {
  const { slack, log, now, wait, stopping } = house

  return (type, { deletes }, event, listener) => {
    const givenUpAt = now() + triedForMs
    let early = 0

    function pauseAfter(error: unknown, tries: number): number | undefined {
      const isLast = !deletes || stopping.aborted || now() >= givenUpAt
      if (error instanceof TooEarly) {
        early += 1
        if (!isLast && early < mostEarly) return pauses(tries)
        log.info({ event: type }, `${error.message}; nothing is deleted`)
        return undefined
      }
      if (isLast) {
        endsAs('failed')
        log.error({ err: error, event: type }, 'giving up on an event')
        return undefined
      }
      log.warn({ err: error, event: type }, 'an event could not be handled; trying again')
      return pauses(tries)
    }

    const request = requestNow()
    if (request !== undefined) request.name = type
    // A stop waits for a try, and not for the pauses.
    const handle = () =>
      slack.work.run(async () => {
        const installation = await slack.learned()
        const workspaceId = workspaceIdOf(installation)
        noteWorkspace(workspaceId)
        await listener(house, { workspaceId, botUserId: installation.botUserId, event })
      })
    const pause = (ms: number) => unlessStopped(wait(ms), stopping)
    // Not awaited: the event is acked. Whatever has failed is said by then.
    request?.goesOn.push(retry(handle, { pauseAfter, wait: pause }).catch(() => undefined))
  }
}
