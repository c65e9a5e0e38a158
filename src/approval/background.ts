// Background job: expires requests, settles attempts whose sender died, reminds of what expires soon, and retries
// messages that are still owed.
import { leaseMs, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { judge } from './approve.ts'
import { remindOf } from './card.ts'
import { followUp } from './follow-ups.ts'
import type { ApprovalRoom } from './room.ts'

const everyMs = 5_000

export function lookAfterRequests(room: ApprovalRoom): Repeated {
  const { approvals, log } = room
  return every(everyMs, async () => {
    try {
      await approvals.expire()
      for (const lapsed of await approvals.claimLapsed(leaseMs)) {
        await judge(room, lapsed).catch((error: unknown) => {
          // The others are judged all the same; this one again when its new lease has run out.
          log.failedJob(
            'error',
            { err: error, approval: lapsed.id },
            'the outcome of an approval cannot be reported yet',
          )
        })
      }
      for (const soonOver of await approvals.claimReminders()) await remindOf(room, soonOver)
      await tellEach(
        await approvals.claimOwed(leaseMs),
        (owed) => followUp(room, owed),
        (owed) => approvals.putOff(owed, leaseMs),
      )
    } catch (error) {
      log.failedJob('error', { err: error }, 'requests for approval could not be processed; trying again')
    }
  })
}
