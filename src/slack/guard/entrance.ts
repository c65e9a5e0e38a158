// Lets a request in, or says why not: too much is under way, whoever sent it is a stranger, or asks too fast.
import type { Log } from '../../log/log.ts'
import { requestNow } from '../../log/request.ts'
import type { Asked } from '../error-message.ts'
import type { Gate } from '../gate/gate.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { workspaceIdOf } from '../workspace/installation.ts'
import type { OnlyOnce } from './once.ts'
import { type Owners, presumedIdOf } from './owner.ts'
import { type PersonOf, stranger } from './person-of.ts'
import type { Asking } from './requests.ts'
import type { Run } from './tell-failures.ts'
import type { TurnAway } from './turn-away.ts'
import type { Sent } from './who.ts'

/** What is asked, by whom and from where, and how it is turned down. */
export interface Entering {
  readonly asked: Asked
  readonly sent: Sent
  /** It takes something back or away, and is not held back. */
  readonly isFree: boolean
  /** What the request is known by: the same one again is not let in. Asked once the person is counted. */
  readonly once?: () => readonly string[] | undefined
  /** Turns it down each time; else they are told privately, and not each time. */
  readonly refuse?: ((sentence: string) => Promise<void>) | undefined
  /** What settles it comes before a failure is told. */
  readonly onSettled?: () => Promise<void>
}

type Enter = (entering: Entering, work: (asking: Asking) => Promise<void>) => Promise<void>

export interface Entrance {
  /**
   * Strangers are told that they are, and get no further; nor does whoever asks too fast, or asks where the bot is not
   * installed. Never rejects.
   */
  readonly forOurs: Enter
  /** The whole way in of what is acked already. Never rejects. */
  readonly comeIn: Enter
}

export function createEntrance(room: {
  readonly owners: Owners
  readonly personOf: PersonOf
  readonly onlyOnce: OnlyOnce
  readonly delivery: Pick<Delivery, 'privately'>
  readonly run: Run
  readonly gate: Gate
  readonly turnAway: TurnAway
  readonly log: Log
}): Entrance {
  const { owners, personOf, onlyOnce, delivery, run, gate, turnAway, log } = room

  const presumedPlace = ({ spot, addressed }: Sent): Place => ({
    ...spot,
    workspaceId: presumedIdOf(addressed),
  })

  const forOurs: Enter = async ({ asked, sent, isFree, once, refuse, onSettled }, work) => {
    const { addressed, sender, spot } = sent
    let place = presumedPlace(sent)

    async function listen(): Promise<void> {
      const installation = await owners.ofRequest(addressed)
      if (installation === undefined) return turnAway({ asked, sent, refuse })
      const here = { ...spot, workspaceId: workspaceIdOf(installation) }
      place = here
      const request = requestNow()
      // What the payload names may be the sender's own, in a shared channel.
      if (request !== undefined) request.workspace = here.workspaceId
      // Before Slack is asked who they are: strangers ask too fast as well.
      const person = { workspaceId: here.workspaceId, userId: sender.userId }
      const closed = isFree ? undefined : await gate.tooFast(asked, person)
      if (closed === undefined) {
        const asker = await personOf(installation, sender)
        log.debug(
          {
            name: request?.name,
            user: sender.userId,
            workspace: here.workspaceId,
            isOurs: asker !== undefined,
          },
          'who asks is known',
        )
        if (asker === undefined) return delivery.privately(here, stranger)
        const known = once?.()
        if (known !== undefined) await onlyOnce(asker, known)
        return work({ asker, place: here, answer: (message) => delivery.privately(here, message) })
      }
      if (refuse !== undefined) return refuse(closed.sentence)
      if (closed.isToBeTold) await delivery.privately(here, say(closed.sentence))
    }

    await run(
      asked,
      () => place,
      () => listen().finally(onSettled),
    )
  }

  return {
    forOurs,
    async comeIn(entering, work) {
      const busy = gate.busy(entering.asked, entering.isFree)
      if (busy !== undefined) return gate.tell(presumedPlace(entering.sent), busy)
      await forOurs(entering, work)
    },
  }
}
