// Decisions on a request: approved with the colleague's own token, so that the service itself decides whether they may;
// declined; withdrawn by who asked; or left to the background job, once its time is over or its sender has died.
import { UserError } from '../errors.ts'
import { auditOutcome, noteOutcome } from '../grant/follow-ups.ts'
import { findOwn } from '../grant/granting.ts'
import { reasonsByEmail } from '../grant/receipts.ts'
import type { ReasonByEmail } from '../grant/render/explain.ts'
import { inVain } from '../grant/render/receipt.ts'
import { type Result, resultsOf, writesOf } from '../grant/wish.ts'
import { concludeWish, lookNow, sendWish } from '../send/send.ts'
import type { KeptWish, NewWish } from '../send/wishes.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { certainName } from '../slack/workspace/people.ts'
import { leaseMs, renewing, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { type Approval, attemptIdOf, staysOpen } from './approvals.ts'
import {
  askForAccount,
  endForApprover,
  findOpen,
  findRequest,
  followUp,
  recordBarred,
  showRequest,
  tellTooLate,
} from './follow-ups.ts'
import { type Barrier, barrierForPerson, barrierForToken } from './four-eyes.ts'
import { connectToApprove, onlyTheAsker, renderDeclined, renderWithdrawn, whyNot } from './render/told.ts'
import type { ApprovalRoom, Press } from './room.ts'

/** @throws UserError when this person may not approve it. */
export async function approve(room: ApprovalRoom, press: Press, id: string): Promise<void> {
  const { asker: approver } = press
  const found = await findOpen(room, press, id)
  if (found === undefined) return
  const barrier = await barrierForPerson(room, approver, found)
  // Slack may take its time to say who they are, and somebody else may decide meanwhile.
  const approval = await findOpen(room, press, id)
  if (approval === undefined) return
  await refuseIfBarred(room, approver, approval, barrier)
  const token = await room.tokens.find(approver)
  if (token === undefined) return askForAccount(room, press, connectToApprove)
  await refuseIfBarred(room, approver, approval, await barrierForToken(room, token, approval))
  const { workspaceId, userId } = approver
  const by = { userId, name: certainName(approver) }
  const begun = await room.approvals.begin(workspaceId, id, by, leaseMs)
  if (begun === undefined) return tellTooLate(room, press, await findRequest(room, press, id))
  const { results, reasons, corrects } = await grant(room, approver, token, begun)
  await conclude(room, begun, results, { press: { ...press, reasons }, corrects })
  noteOutcome(results)
}

/**
 * Finds the request that this person may decline; undefined when they were told that it is too late.
 * @throws UserError when it is their own.
 */
export async function findToDecline(
  room: ApprovalRoom,
  press: Press,
  id: string,
): Promise<Approval | undefined> {
  const { asker } = await findRequest(room, press, id)
  if (asker.userId === press.asker.userId) throw new UserError(whyNot.ownToDecline)
  return findOpen(room, press, id)
}

/** Closes it without a grant, for a colleague. @param reason - Raw. */
export async function decline(room: ApprovalRoom, press: Press, id: string, reason: string): Promise<void> {
  const approval = await findToDecline(room, press, id)
  if (approval === undefined) return
  const { asker: presser } = press
  const { workspaceId, userId } = presser
  const how = { by: { userId, name: certainName(presser) }, reason, claimMs: leaseMs }
  const declined = await room.approvals.decline(workspaceId, id, how)
  await tellClosed(room, press, id, declined, renderDeclined(approval))
}

/** Closes it without a grant, for who asked. @throws UserError when this person has not asked for it. */
export async function withdraw(room: ApprovalRoom, press: Press, id: string): Promise<void> {
  const { asker: presser } = press
  const { asker, askerName } = await findRequest(room, press, id)
  if (asker.userId !== presser.userId) throw new UserError(onlyTheAsker(askerName))
  const withdrawn = await room.approvals.withdraw(presser, id, leaseMs)
  await tellClosed(room, press, id, withdrawn, renderWithdrawn())
}

/** @param closed - Undefined when somebody else was first. */
async function tellClosed(
  room: ApprovalRoom,
  press: Press,
  id: string,
  closed: Approval | undefined,
  words: Message,
): Promise<void> {
  if (closed === undefined) return tellTooLate(room, press, await findRequest(room, press, id))
  await followUp(room, closed, press)
  await room.delivery.privately(press.place, words, { replaces: !press.isCard })
}

const lateMs = 5_000

/** Background job: expires requests, settles attempts whose sender died, and retries messages that are still owed. */
export function lookAfterRequests(room: ApprovalRoom, everyMs = lateMs): Repeated {
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

/** Judges an attempt whose sender has fallen silent. Sends nothing, and sees to it that nobody does any more. */
async function judge(room: ApprovalRoom, approval: Approval): Promise<void> {
  const { asker, approver } = approval
  if (approver === undefined) return
  const attempt = attemptOf({ ...asker, userId: approver.userId }, approval)
  await conclude(room, approval, resultsIn(await concludeWish(room.send, attempt)))
}

/** Puts what became of an attempt in place of the doubt about it. @returns Whether that was news, and is told. */
async function correct(
  room: ApprovalRoom,
  press: Press,
  approval: Approval | undefined,
  results: readonly Result[],
): Promise<boolean> {
  if (approval?.ending?.kind !== 'approved') return false
  const told = approval.ending.results
  const isNews = results.some(({ outcome }, index) => {
    const before = told[index]?.outcome
    return before !== undefined && auditOutcome(before) !== auditOutcome(outcome)
  })
  const judged = isNews ? await room.approvals.correct(approval, results, leaseMs) : undefined
  if (judged !== undefined) await followUp(room, judged, press)
  return judged !== undefined
}

/**
 * *Look again*, of the approver: reads once, with their own token, what became of those who are not certain. What that
 * settles, everybody who was told the doubt hears; what else was seen, the approver alone. Never sends anything.
 * @param attemptId - Of the wish that the attempt is.
 * @throws UserError when it is not this person's, or nothing can be looked at.
 */
export async function lookAtAttempt(room: ApprovalRoom, press: Press, attemptId: string): Promise<void> {
  const { asker: presser, place } = press
  const found = await findOwn(room.send, presser, attemptId)
  if (found === undefined) throw new UserError(whyNot.notKept)
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown && (await room.tokens.find(presser)) === undefined) throw new UserError(inVain.noAccount)
  const kept = isKnown ? found : await lookNow(room.send, found)
  const attempted = await findAttempted(room, presser.workspaceId, attemptId)
  const isTold = await correct(room, press, attempted, resultsIn(kept))
  const approval = await findAttempted(room, presser.workspaceId, attemptId)
  if (approval === undefined) throw new UserError(whyNot.notKept)
  if (!isTold) {
    const lookedAt = isKnown ? undefined : Math.floor(room.send.now() / 1000)
    const message = await endForApprover(room, approval, { lookedAt })
    await room.delivery.privately(place, message, { replaces: true })
  }
  noteOutcome(resultsOf(kept) ?? [])
}

/** The request of an attempt; undefined where it was approved anew since, or is not kept any more. */
async function findAttempted(
  { approvals }: Pick<ApprovalRoom, 'approvals'>,
  workspaceId: string,
  attemptId: string,
): Promise<Approval | undefined> {
  const approval = await approvals.find(workspaceId, attemptId.slice(0, attemptId.lastIndexOf(':')))
  return approval !== undefined && attemptIdOf(approval) === attemptId ? approval : undefined
}

/** @throws UserError where there is a barrier, once that is on record. */
async function refuseIfBarred(
  room: ApprovalRoom,
  approver: SlackUser,
  approval: Approval,
  barrier: Barrier | undefined,
): Promise<void> {
  if (barrier === undefined) return
  await recordBarred(room, approval, approver, barrier.why)
  throw new UserError(barrier.words)
}

interface Attempted {
  /** Others may have judged it with a doubt in place of some. */
  readonly corrects: boolean
  readonly results: readonly Result[]
  /** For the approver alone. */
  readonly reasons: ReasonByEmail
}

/** Grants what was approved with the approver's token, and shows meanwhile that it is under way. Tells nobody. */
function grant(
  room: ApprovalRoom,
  approver: SlackUser,
  token: string,
  approval: Approval,
): Promise<Attempted> {
  const renew = () => room.approvals.renew(approval, leaseMs)
  return renewing(renew, async () => {
    // Beside the request, and over before the end is shown.
    const showing = showRequest(room, approval)
    try {
      return await sendAttempt(room, token, attemptOf(approver, approval))
    } finally {
      await showing
    }
  })
}

async function sendAttempt({ send }: ApprovalRoom, token: string, attempt: NewWish): Promise<Attempted> {
  await send.wishes.keep(attempt)
  const sent = await sendWish(send, attempt.sender, token, attempt.id, { askedAfter: 0 })
  const isSettled = sent.kind === 'settled'
  const kept = isSettled ? sent.wish : await concludeWish(send, attempt)
  return {
    corrects: isSettled && sent.corrects,
    results: resultsIn(kept),
    reasons: reasonsByEmail(kept, isSettled ? sent.reasons : undefined),
  }
}

/**
 * Brings an attempt to its end. Nothing more is said when others have judged it meanwhile: they say it. But where they
 * could only doubt, the sender knows.
 * @param how.press - Of the sender.
 * @param how.corrects - Others may have judged it with a doubt.
 */
async function conclude(
  room: ApprovalRoom,
  approval: Approval,
  results: readonly Result[],
  { press, corrects = false }: { readonly press?: Press; readonly corrects?: boolean } = {},
): Promise<void> {
  const { approvals } = room
  const judged =
    (staysOpen(results)
      ? await approvals.reopen(approval, results, leaseMs)
      : await approvals.end(approval, results, leaseMs)) ??
    (corrects ? await approvals.correct(approval, results, leaseMs) : undefined)
  if (judged !== undefined) await followUp(room, judged, press)
}

/** Each attempt is a wish of its own: the one before certainly did nothing. */
export function attemptOf({ workspaceId, userId }: SlackUser, approval: Approval): NewWish {
  const { asker, wish } = approval
  return {
    id: attemptIdOf(approval),
    sender: { workspaceId, userId },
    askerId: asker.userId,
    writes: writesOf(wish),
    channelId: undefined,
    isToldElsewhere: true,
  }
}

/** Reads the results of a wish that has ended. */
function resultsIn(kept: KeptWish): readonly Result[] {
  const results = resultsOf(kept)
  if (results === undefined) throw new Error(`wish ${kept.id} has not ended`)
  return results
}
