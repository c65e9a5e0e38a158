// What a request owes to people: its card as it stands now, the end of it to who asked and who approved, a record.
// All of it is kept in the request's row, so that whoever comes next goes on where somebody fell silent.
import type { Log } from '../log.ts'
import type { Message } from '../slack/message.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Delivery } from '../slack/place.ts'
import { isCertainlyNotPosted, isGone, isSlackFailure, refusalOf, waitAskedFor } from '../slack/refusals.ts'
import type { Act } from './act.ts'
import type { Approval, Approvals, Card } from './approvals.ts'
import { renderCard } from './render.ts'
import { renderEndForApprover, renderEndForAsker, renderNotPosted } from './render-told.ts'
import { lastStep, type RecordApproval } from './steps.ts'

/** How long whoever acts has for what is owed, before others take it for forgotten; Slack may ask to wait a minute,
 * several times. */
export const claimMs = 300_000
/** When something that failed is tried again. */
const againMs = 30_000

// Slack's words for a person who gets no messages any more: nobody is left to tell.
const hasLeft = new Set(['user_not_found', 'user_disabled', 'account_inactive', 'channel_not_found'])

export interface Owed {
  /**
   * Does what is owed about a request that the caller has claimed. What fails is logged and tried again by others.
   * @param act - Of whoever acted just now: their message is answered, where there is one.
   * @param cardUrl - A `response_url` that leads to where the card goes.
   */
  fulfil(approval: Approval, act?: Act, cardUrl?: string): Promise<void>
  /** Shows a request as it stands: on its card, and on the one that was pressed. Never fails. */
  show(approval: Approval, act?: Act): Promise<void>
}

export function createOwed(room: {
  readonly approvals: Approvals
  readonly outbound: Pick<Outbound, 'post' | 'update' | 'respond'>
  readonly delivery: Delivery
  readonly record: RecordApproval
  readonly log: Log
}): Owed {
  const { approvals, outbound, delivery, record, log } = room

  /** Where Slack asks to wait, or may have posted it, it is tried again later. */
  async function orElse<T>(send: () => Promise<T>): Promise<T | undefined> {
    try {
      return await send()
    } catch (error) {
      const isNoWay = isCertainlyNotPosted(error) && waitAskedFor(error) === undefined
      if (!isSlackFailure(error) || !isNoWay) throw error
      return undefined
    }
  }

  async function post(approval: Approval, cardUrl: string | undefined): Promise<Card> {
    const { channelId } = approval
    const message = renderCard(approval)
    if (channelId !== undefined) {
      const posted = await orElse(() => outbound.post(channelId, message))
      if (posted !== undefined) return { kind: 'posted', ...posted }
    }
    if (cardUrl === undefined) return { kind: 'nowhere' }
    const told = await orElse(async () => {
      await outbound.respond(cardUrl, message, { to: 'channel' })
      return { kind: 'told' as const }
    })
    return told ?? { kind: 'nowhere' }
  }

  async function redraw(approval: Approval): Promise<void> {
    if (approval.card.kind !== 'posted') return
    try {
      await outbound.update(approval.card, renderCard(approval))
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }

  async function placeAnew(approval: Approval, act: Act | undefined, cardUrl: string | undefined) {
    const { workspaceId, userId } = approval.asker
    const card = await post(approval, cardUrl)
    if (card.kind === 'nowhere') {
      const place = act?.place ?? { userId, channelId: undefined, responseUrl: undefined, isDirect: false }
      await delivery.privately(place, renderNotPosted(approval))
    }
    await approvals.placed(workspaceId, approval.id, card)
  }

  /** Draws until nobody has changed it meanwhile: of two who draw, the slower must not leave the older state. */
  async function untilStill(approval: Approval, draw: (current: Approval) => Promise<void>): Promise<void> {
    let drawn = approval
    for (;;) {
      await draw(drawn)
      const now = await approvals.find(approval.asker.workspaceId, approval.id)
      if (now === undefined || now.version === drawn.version) return
      drawn = now
    }
  }

  function drawCard(approval: Approval, act: Act | undefined, cardUrl: string | undefined): Promise<void> {
    return untilStill(approval, (current) =>
      current.card.kind === 'none' && current.state !== 'ended'
        ? placeAnew(current, act, cardUrl)
        : redraw(current),
    )
  }

  /**
   * A card that only a press can change is changed where it was pressed, once it has ended: as long as it may be open
   * again, it keeps the buttons that bring the next press.
   */
  async function drawPressed(approval: Approval, act: Act | undefined): Promise<void> {
    if (approval.state !== 'ended') return
    if (act?.isCard !== true || act.place.responseUrl === undefined) return
    if (approval.card.kind === 'posted' && approval.card.ts === act.place.pressedTs) return
    await outbound.respond(act.place.responseUrl, renderCard(approval), { to: 'channel', replaces: true })
  }

  async function directly(userId: string, message: Message): Promise<void> {
    try {
      await outbound.post(userId, message)
    } catch (error) {
      if (!hasLeft.has(refusalOf(error) ?? '')) throw error
    }
  }

  async function tellAsker(approval: Approval): Promise<void> {
    const { asker, id, ending, isAskerTold } = approval
    if (ending === undefined || isAskerTold) return
    // Who withdrew it knows.
    if (ending.kind !== 'withdrawn') await directly(asker.userId, renderEndForAsker(approval))
    await approvals.told(asker.workspaceId, id, 'asker')
  }

  async function tellApprover(approval: Approval, act: Act | undefined): Promise<void> {
    const { asker, id, approver, ending, isApproverTold } = approval
    if (ending?.kind !== 'approved' || isApproverTold || approver === undefined) return
    const message = renderEndForApprover(approval)
    if (act === undefined) await directly(approver.userId, message)
    else await delivery.privately(act.place, message, { replaces: !act.isCard })
    await approvals.told(asker.workspaceId, id, 'approver')
  }

  /** One thing that fails does not keep the others from being done. */
  async function isDone({ id }: Approval, work: Promise<void>): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      log.warn({ err: error, request: id }, 'something is still owed about a request for approval')
      return false
    }
  }

  return {
    async fulfil(approval, act, cardUrl) {
      const step = lastStep(approval)
      const isRecorded = step === undefined || (await isDone(approval, record(step)))
      await isDone(approval, drawPressed(approval, act))
      const isDrawn = await isDone(approval, drawCard(approval, act, cardUrl))
      const isAskerTold = await isDone(approval, tellAsker(approval))
      const isApproverTold = await isDone(approval, tellApprover(approval, act))
      const isAll = isRecorded && isDrawn && isAskerTold && isApproverTold
      await (isAll ? approvals.done(approval) : approvals.putOff(approval, againMs))
    },
    async show(approval, act) {
      await isDone(approval, drawPressed(approval, act))
      await isDone(approval, untilStill(approval, redraw))
    },
  }
}
