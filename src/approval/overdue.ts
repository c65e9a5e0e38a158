// What nobody presses for: requests expire, attempts are judged whose sender died, and what is owed is done.
import type { Log } from '../log.ts'
import type { Approvals } from './approvals.ts'
import { type Approving, leaseMs } from './approving.ts'
import { claimMs, type Owed } from './owed.ts'

const everyMs = 5_000

export interface Overdue {
  /** Looks now and from time to time. */
  start(): void
  /** Looks no more; resolves when a look under way is done. */
  stop(): Promise<void>
}

export function createOverdue(room: {
  readonly approvals: Approvals
  readonly approving: Pick<Approving, 'judge'>
  readonly owed: Owed
  readonly log: Log
}): Overdue {
  const { approvals, approving, owed, log } = room
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function lookOnce(): Promise<void> {
    try {
      await approvals.expire()
      for (const lapsed of await approvals.claimLapsed(leaseMs)) {
        await approving.judge(lapsed).catch((error: unknown) => {
          // The others are judged all the same; this one again when its new lease has run out.
          log.error({ err: error, request: lapsed.id }, 'what became of an approval cannot be told yet')
        })
      }
      for (const one of await approvals.claimOwed(claimMs)) await owed.fulfil(one)
    } catch (error) {
      log.error({ err: error }, 'requests for approval could not be looked after; it is tried again')
    } finally {
      looking = undefined
    }
  }

  /** One look at a time. */
  function look(): void {
    looking ??= lookOnce()
  }

  return {
    start() {
      look()
      timer = setInterval(look, everyMs)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
