// What nobody presses for: requests expire, attempts are judged whose sender died, and what is owed is done.

import type { Log } from '../log/log.ts'
import { leaseMs, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import type { Approval, Approvals } from './approvals.ts'
import type { Approving } from './approve.ts'
import type { Owed } from './follow-ups.ts'

const everyMs = 5_000

export function createOverdue(room: {
  readonly approvals: Approvals
  readonly approving: Pick<Approving, 'judge'>
  readonly owed: Owed
  readonly log: Log
}): Repeated {
  const { approvals, approving, owed, log } = room

  async function lookOnce(): Promise<void> {
    try {
      await approvals.expire()
      for (const lapsed of await approvals.claimLapsed(leaseMs)) {
        await approving.judge(lapsed).catch((error: unknown) => {
          // The others are judged all the same; this one again when its new lease has run out.
          log.failedJob(
            'error',
            { err: error, approval: lapsed.id },
            'what became of an approval cannot be told yet',
          )
        })
      }
      const renew = (one: Approval) => approvals.putOff(one, leaseMs)
      await tellEach(await approvals.claimOwed(leaseMs), owed.fulfil, renew)
    } catch (error) {
      log.failedJob(
        'error',
        { err: error },
        'requests for approval could not be looked after; it is tried again',
      )
    }
  }

  return every(everyMs, lookOnce)
}
