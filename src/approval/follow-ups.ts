// What a request owes to people: its card as it stands now, the end of it to who asked and who approved, a record.
// All of it is kept in the request's row, so that whoever comes next goes on where somebody fell silent.

import type { ConnectFirst } from '../account/connect-first.ts'
import type { GrantObserver } from '../grant/observer.ts'
import { count } from '../grant/record.ts'
import type { Log } from '../log/log.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { Sharing } from '../slack/workspace/channels.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import type { Approval, Approvals } from './approvals.ts'
import { createCards } from './card.ts'
import type { Act } from './press.ts'
import { createUnlessRefused } from './refused.ts'
import { renderEndForAsker } from './render/told.ts'
import { lastStep, type RecordApproval } from './steps.ts'
import { createTellApprover } from './tell-approver.ts'

/** When something that failed is tried again, at first and at last; each pause is twice the one before. */
const firstPauseMs = 30_000
const longestPauseMs = 60 * 60_000

export interface Owed {
  /**
   * Does what is owed about a request that the caller has claimed for `leaseMs`, and renews that claim: Slack may ask to
   * wait a minute, several times. What fails is logged and tried again by others.
   * @param act - Of whoever acted just now: their message is answered, where there is one.
   * @param cardUrl - A `response_url` that leads to where the card goes.
   */
  fulfil(approval: Approval, act?: Act, cardUrl?: string): Promise<void>
  /** Shows a request as it stands: on its card, and on the one that was pressed. Never fails. */
  show(approval: Approval, act?: Act): Promise<void>
}

/** Requests whose failures are counted; of more, pauses begin anew. */
const mostFailures = 1_000

export function createOwed(room: {
  readonly approvals: Pick<Approvals, 'find' | 'placed' | 'told' | 'done' | 'putOff'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post' | 'update' | 'respond'>>
  readonly delivery: Pick<Delivery, 'privately'>
  readonly sharing: PerWorkspace<Pick<Sharing, 'wasShared'>>
  readonly connectFirst: Pick<ConnectFirst, 'ask'>
  readonly record: RecordApproval
  readonly observer: GrantObserver
  readonly log: Log
}): Owed {
  const { approvals, outbound, record, log } = room
  const unlessRefused = createUnlessRefused(log)
  const cards = createCards({ ...room, unlessRefused })
  const tellApprover = createTellApprover({ ...room, unlessRefused })

  // Of this process alone: another one, or the next, may begin with short pauses again.
  const failures = new Map<string, number>()

  function pauseAfterFailure({ id }: Approval): number {
    const before = failures.get(id) ?? 0
    if (failures.size >= mostFailures) failures.clear()
    failures.set(id, before + 1)
    return Math.min(firstPauseMs * 2 ** before, longestPauseMs)
  }

  async function tellAsker(approval: Approval, act: Act | undefined): Promise<void> {
    const { asker, ending, isAskerTold } = approval
    if (ending === undefined || isAskerTold) return
    // Who withdrew it knows.
    if (ending.kind !== 'withdrawn') {
      await unlessRefused(approval, () =>
        outbound.in(asker.workspaceId).post(asker.userId, renderEndForAsker(approval)),
      )
    }
    const isFirst = await approvals.told(approval, 'asker')
    if (isFirst && ending.kind === 'approved') {
      count(room, ending.outcomes, act === undefined ? { lateTo: asker } : 'at_once')
    }
  }

  /** One thing that fails does not keep the others from being done. */
  async function isDone({ id }: Approval, work: Promise<void>): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      log.failedJob(
        'warn',
        { err: error, approval: id },
        'something is still owed about a request for approval',
      )
      return false
    }
  }

  async function doAll(
    approval: Approval,
    act: Act | undefined,
    cardUrl: string | undefined,
  ): Promise<boolean> {
    const step = lastStep(approval)
    const isRecorded = step === undefined || (await isDone(approval, record(step)))
    await isDone(approval, cards.drawPressed(approval, act))
    const isDrawn = await isDone(approval, cards.draw(approval, act, cardUrl))
    const isAskerTold = await isDone(approval, tellAsker(approval, act))
    const isApproverTold = await isDone(approval, tellApprover(approval, act))
    return isRecorded && isDrawn && isAskerTold && isApproverTold
  }

  return {
    async fulfil(approval, act, cardUrl) {
      const isAll = await renewing(
        () => approvals.putOff(approval, leaseMs),
        () => doAll(approval, act, cardUrl),
      )
      if (isAll) failures.delete(approval.id)
      // Should this fail, the claim runs out, and what was told is not told again.
      const kept = isAll ? approvals.done(approval) : approvals.putOff(approval, pauseAfterFailure(approval))
      await isDone(approval, kept)
    },
    async show(approval, act) {
      await isDone(approval, cards.drawPressed(approval, act))
      await isDone(approval, cards.redraw(approval))
    },
  }
}
