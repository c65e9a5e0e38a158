// What an approver hears of what they approved: the end of it, or what their own token kept from being granted.
import type { ConnectFirst } from '../account/connect-first.ts'
import type { GrantObserver } from '../grant/observer.ts'
import { count } from '../grant/record.ts'
import { hasCode } from '../grant/wish.ts'
import type { Log } from '../log/log.ts'
import { type Delivery, nowhere } from '../slack/outbound/delivery.ts'
import { type Message, say } from '../slack/outbound/message.ts'
import type { Approval, Approvals } from './approvals.ts'
import { type Act, wanted } from './press.ts'
import type { UnlessRefused } from './refused.ts'
import { connectForNext, rightsForRest } from './render/refusals.ts'
import { renderEndForApprover, stillOpenWords } from './render/told.ts'
import { whyOpen } from './verdict.ts'

/** @param act - Of the approver, when they have pressed just now. */
export type TellApprover = (approval: Approval, act: Act | undefined) => Promise<void>

export function createTellApprover(room: {
  readonly approvals: Pick<Approvals, 'told'>
  readonly delivery: Pick<Delivery, 'privately'>
  readonly connectFirst: Pick<ConnectFirst, 'ask'>
  readonly unlessRefused: UnlessRefused
  readonly observer: GrantObserver
  readonly log: Log
}): TellApprover {
  const { approvals, delivery, connectFirst, unlessRefused } = room

  function askToConnect(act: Act, id: string, text?: string): Promise<void> {
    return connectFirst.ask(act, wanted(id, act), 'refused', text === undefined ? {} : { text })
  }

  return async (approval, act) => {
    const { id, approver, tried, ending, isApproverTold, wish } = approval
    if (approver === undefined || isApproverTold) return
    const place = act?.place ?? nowhere({ ...approval.asker, userId: approver.userId })
    const tell = (message: Message, replaces = false) =>
      unlessRefused(approval, () => delivery.privately(place, message, { replaces }))

    if (tried !== undefined) {
      const why = whyOpen(tried)
      if (why === 'refused' && act !== undefined) await unlessRefused(approval, () => askToConnect(act, id))
      else await tell(say(stillOpenWords(why, wish.containerId)))
    } else if (ending?.kind === 'approved') {
      await tell(renderEndForApprover(approval), act?.isCard === false)
      if (hasCode(ending.outcomes, 'forbidden')) await tell(say(rightsForRest(wish.containerId)))
      if (hasCode(ending.outcomes, 'refused')) {
        if (act === undefined) await tell(say(connectForNext))
        else await unlessRefused(approval, () => askToConnect(act, id, connectForNext))
      }
    } else return
    const isFirst = await approvals.told(approval, 'approver')
    // The end of it is counted when the asker hears of it; of an attempt that changes nothing, they do not.
    if (isFirst && tried !== undefined) {
      const lateTo = { ...approval.asker, userId: approver.userId }
      count(room, tried, act === undefined ? { lateTo } : 'at_once')
    }
  }
}
