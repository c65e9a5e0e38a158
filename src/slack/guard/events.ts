// Events: Slack tells of them by itself, so a listener runs once and fails in the log alone. One that deletes what the
// bot keeps of people is tried for hours: Bolt acks an event before its listener runs, so Slack will not send it again.
import type { House } from '../../house.ts'
import { endsAs, noteSender, requestNow } from '../../log/request.ts'
import { doubling, retry, unlessStopped } from '../../work/retry.ts'
import { workspaceIdOf } from '../workspace/installation.ts'

/** People's tokens must not outlive an uninstall or their owner because the database was away. */
const triedForMs = 2 * 60 * 60_000
const pauses = doubling(1_000, 10 * 60_000)

/** Runs an event's listener. `deletes`: until it is done. */
export function handleEvent(
  house: House,
  type: string,
  { deletes }: { readonly deletes: boolean },
  listener: (of: { readonly workspaceId: string; readonly botUserId: string }) => Promise<void>,
): void {
  const { slack, log, now, wait, stopping } = house
  const givenUpAt = now() + triedForMs

  function pauseAfter(error: unknown, tries: number): number | undefined {
    if (deletes && !stopping.aborted && now() < givenUpAt) {
      log.warn({ err: error, event: type }, 'an event could not be handled; trying again')
      return pauses(tries)
    }
    endsAs('failed')
    log.error({ err: error, event: type }, 'giving up on an event')
    return undefined
  }

  const request = requestNow()
  if (request !== undefined) request.name = type
  // A stop waits for a try, and not for the pauses.
  const handle = () =>
    slack.work.run(async () => {
      const installation = await slack.learned()
      const workspaceId = workspaceIdOf(installation)
      noteSender(workspaceId)
      await listener({ workspaceId, botUserId: installation.botUserId })
    })
  const pause = (ms: number) => unlessStopped(wait(ms), stopping)
  // Not awaited: the event is acked. Whatever has failed is said by then.
  request?.goesOn.push(retry(handle, { pauseAfter, wait: pause }).catch(() => undefined))
}
