// Lets a request in, or says why not: too much is under way, whoever sent it is a stranger, or asks too fast.
import type { Asked } from './error-message.ts'
import type { Gate } from './gate.ts'
import { say } from './message.ts'
import type { Delivery, Place } from './place.ts'
import type { Asking } from './requests.ts'
import type { Run } from './tell-failures.ts'
import { type Named, type PersonFrom, stranger } from './who.ts'

/** What is asked, from where, and how it is turned down. */
export interface Entering {
  readonly asked: Asked
  readonly place: Place
  /** It takes something back or away, and is not held back. */
  readonly isFree: boolean
  /** Turns it down each time; else they are told privately, and not each time. */
  readonly refuse?: (sentence: string) => Promise<void>
}

type Enter = (entering: Entering, from: Named, work: (asking: Asking) => Promise<void>) => Promise<void>

export interface Entrance {
  /** Strangers are told that they are, and get no further. Nor does whoever asks too fast. */
  readonly forOurs: Enter
  /** The whole way in of what is acked already. Never rejects. */
  readonly comeIn: Enter
}

export function createEntrance(room: {
  readonly personFrom: PersonFrom
  readonly delivery: Pick<Delivery, 'privately'>
  readonly run: Run
  readonly gate: Gate
}): Entrance {
  const { personFrom, delivery, run, gate } = room

  const forOurs: Enter = async ({ asked, place, isFree, refuse }, from, work) => {
    const asker = await personFrom(from)
    if (asker === undefined) return delivery.privately(place, stranger)
    const closed = isFree ? undefined : gate.tooFast(asked, asker)
    if (closed === undefined)
      return work({ asker, place, answer: (message) => delivery.privately(place, message) })
    if (refuse !== undefined) return refuse(closed.sentence)
    if (closed.isToBeTold) await delivery.privately(place, say(closed.sentence))
  }

  return {
    forOurs,
    async comeIn(entering, from, work) {
      const { asked, place, isFree } = entering
      const busy = gate.busy(asked, isFree)
      if (busy !== undefined) return gate.tell(place, busy)
      await run(asked, place, () => forOurs(entering, from, work))
    },
  }
}
