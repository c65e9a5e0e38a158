// A colleague approves a request: the grant is made with their token, so the service itself decides whether they may.
import type { ConnectFirst } from '../account/connect-first.ts'
import type { Tokens } from '../account/tokens.ts'
import { UserError } from '../errors.ts'
import { chargeRecipients } from '../grant/recipients.ts'
import { noteOutcome } from '../grant/record.ts'
import { type Result, resultsOf, writesOf } from '../grant/wish.ts'
import type { SendRoom } from '../send/room.ts'
import { concludeWish, sendWish } from '../send/send.ts'
import type { KeptWish, NewWish } from '../send/wishes.ts'
import type { PersonLimit } from '../slack/gate/person-limit.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { certainName } from '../slack/workspace/people.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import type { Approval, Approvals } from './approvals.ts'
import type { Owed } from './follow-ups.ts'
import type { Barrier, FourEyes } from './four-eyes.ts'
import { type Act, waitingApprove, wanted } from './press.ts'
import { connectToApprove, refusals } from './render/refusals.ts'
import { renderApproveAfterAll, tooLateWords } from './render/told.ts'
import { type RecordApproval, refusedStep } from './steps.ts'
import { staysOpen } from './verdict.ts'

export interface Approving {
  approve(act: Act, id: string): Promise<void>
  /** Goes on after an account was connected. @param isOld - It waited so long that it is confirmed again. */
  resume(from: From, ask: unknown, isOld: boolean): Promise<void>
  /** Judges an attempt whose sender has fallen silent. */
  judge(approval: Approval): Promise<void>
  /** Tells somebody who pressed too late how it stands, and shows it. */
  tellTooLate(act: Act, approval: Approval): Promise<void>
  /** @throws UserError when it is not kept any more. */
  known(act: From, id: string): Promise<Approval>
}

export function createApproving(room: {
  readonly approvals: Pick<Approvals, 'find' | 'begin' | 'renew' | 'reopen' | 'end' | 'correct'>
  readonly send: SendRoom
  readonly fourEyes: FourEyes
  readonly owed: Owed
  readonly tokens: Pick<Tokens, 'find'>
  readonly connectFirst: Pick<ConnectFirst, 'ask'>
  readonly delivery: Pick<Delivery, 'privately'>
  readonly record: RecordApproval
  readonly limit: PersonLimit
}): Approving {
  const { approvals, fourEyes, owed, tokens, connectFirst, delivery, record, limit } = room

  async function known({ asker }: From, id: string): Promise<Approval> {
    const approval = await approvals.find(asker.workspaceId, id)
    if (approval === undefined) throw new UserError(refusals.notKept)
    return approval
  }

  async function tellTooLate(act: Act, approval: Approval): Promise<void> {
    await owed.show(approval, act)
    const words = say(tooLateWords(approval, act.asker.userId))
    await delivery.privately(act.place, words, { replaces: !act.isCard })
  }

  /**
   * Nothing more is said when others have judged the attempt meanwhile: they say it. But where they could only doubt,
   * the sender knows.
   */
  async function conclude(approval: Approval, outcomes: readonly Result[], act?: Act): Promise<void> {
    const judge = staysOpen(outcomes) ? approvals.reopen : approvals.end
    const knows = act !== undefined && outcomes.some(({ wasDoubted }) => wasDoubted)
    const judged =
      (await judge(approval, outcomes, leaseMs)) ??
      (knows ? await approvals.correct(approval, outcomes, leaseMs) : undefined)
    if (judged !== undefined) await owed.fulfil(judged, act)
  }

  async function send(act: Act, token: string, approval: Approval): Promise<readonly Result[]> {
    const renew = () => approvals.renew(approval, leaseMs)
    return renewing(renew, async () => {
      // Beside the request, and over before the end is shown.
      const showing = owed.show(approval)
      try {
        return await sendAttempt(room.send, act.asker, token, approval)
      } finally {
        await showing
      }
    })
  }

  /** @throws UserError where there is a barrier, once that is on record. */
  async function letThrough({ asker }: Act, approval: Approval, barrier: Barrier | undefined): Promise<void> {
    if (barrier === undefined) return
    await record(refusedStep(approval, asker, barrier.why))
    throw new UserError(barrier.words)
  }

  const approve: Approving['approve'] = async (act, id) => {
    const approval = await known(act, id)
    if (approval.state !== 'open') return tellTooLate(act, approval)
    await letThrough(act, approval, await fourEyes.checkPerson(act.asker, approval))
    const token = await tokens.find(act.asker)
    if (token === undefined) {
      return connectFirst.ask(act, wanted(id, act), 'none', { text: connectToApprove })
    }
    await letThrough(act, approval, await fourEyes.checkToken(token, approval))
    const tooSoon = await chargeRecipients(limit, act.asker, approval.wish.emails)
    if (tooSoon !== undefined) throw new UserError(tooSoon)
    const { workspaceId, userId } = act.asker
    const by = { userId, name: certainName(act.asker) }
    const begun = await approvals.begin(workspaceId, id, by, leaseMs)
    if (begun === undefined) return tellTooLate(act, await known(act, id))
    const outcomes = await send(act, token, begun)
    await conclude(begun, outcomes, act)
    noteOutcome(outcomes)
  }

  return {
    approve,
    known,
    tellTooLate,
    async resume(from, ask, isOld) {
      const { id, isCard } = waitingApprove.parse(ask)
      // The message that asked to connect is gone by now, and nothing can take its place.
      if (!isOld) return approve({ ...from, isCard }, id)
      const approval = await known(from, id)
      if (approval.state !== 'open') return tellTooLate({ ...from, isCard }, approval)
      await delivery.privately(from.place, renderApproveAfterAll(approval))
    },
    async judge(approval) {
      const { asker, approver } = approval
      if (approver === undefined) return
      const sender = { ...asker, userId: approver.userId }
      // Sends nothing, and sees to it that nobody does any more.
      await conclude(approval, resultsIn(await concludeWish(room.send, attemptOf(sender, approval))))
    },
  }
}

/** Sends what was approved with the approver's token. Tells nobody. */
async function sendAttempt(
  room: SendRoom,
  approver: SlackUser,
  token: string,
  approval: Approval,
): Promise<readonly Result[]> {
  const attempt = attemptOf(approver, approval)
  await room.wishes.keep(attempt)
  // Approved on purpose: what became of an equal grant a moment ago does not stand for it.
  const how = { askedAfter: 0, joins: false, isToldElsewhere: true }
  const sent = await sendWish(room, attempt.sender, token, attempt.id, how)
  return resultsIn(sent.kind === 'settled' ? sent.wish : await concludeWish(room, attempt))
}

/** Each attempt is a wish of its own: the one before certainly did nothing. */
export function attemptOf(
  { workspaceId, userId }: SlackUser,
  { id, attempt, asker, wish }: Approval,
): NewWish {
  return {
    id: `${id}:${attempt}`,
    sender: { workspaceId, userId },
    askerId: asker.userId,
    writes: writesOf(wish),
    channelId: undefined,
    isToldElsewhere: true,
  }
}

/** Of a wish that has ended. */
function resultsIn(kept: KeptWish): readonly Result[] {
  const results = resultsOf(kept)
  if (results === undefined) throw new Error(`wish ${kept.id} has not ended`)
  return results
}
