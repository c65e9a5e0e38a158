// Decisions on a request: approved with the colleague's own token, so that the service itself decides whether they may;
// declined; withdrawn by who asked; or left to the background job, once its time is over or its sender has died.
import { UserError } from '../errors.ts'
import { auditOutcome, noteOutcome } from '../grant/follow-ups.ts'
import { findOwn } from '../grant/granting.ts'
import { reasonsByEmail } from '../grant/receipts.ts'
import type { ReasonByEmail } from '../grant/render/explain.ts'
import { inVain } from '../grant/render/receipt.ts'
import { type Result, resultsOf, writesOf } from '../grant/wish.ts'
import type { House } from '../house.ts'
import { concludeWish, lookNow, sendWish } from '../send/send.ts'
import type { KeptWish, NewWish } from '../send/wishes.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { personInLine } from '../slack/workspace/names.ts'
import { leaseMs, renewing, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { type Approval, attemptIdOf, type Press, staysOpen } from './approvals.ts'
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

/** @throws UserError when this person may not approve it. */
export async function approve(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: approver, value: id } = pressed
  const press = { ...pressed, isCard: true }
  const found = await findOpen(house, press, id)
  if (found === undefined) return
  const barrier = await barrierForPerson(house, approver, found)
  // Slack may take its time to say who they are, and somebody else may decide meanwhile.
  const approval = await findOpen(house, press, id)
  if (approval === undefined) return
  await refuseIfBarred(house, approver, approval, barrier)
  const token = await house.tokens.find(approver)
  if (token === undefined) return askForAccount(house, press, connectToApprove)
  await refuseIfBarred(house, approver, approval, await barrierForToken(house, token, approval))
  const { workspaceId, userId } = approver
  const by = { userId, name: personInLine(approver) }
  const begun = await house.storage.approvals.begin(workspaceId, id, by, leaseMs)
  if (begun === undefined) return tellTooLate(house, press, await findRequest(house, press, id))
  const { results, reasons, corrects } = await grant(house, approver, token, begun)
  await conclude(house, begun, results, { press: { ...press, reasons }, corrects })
  noteOutcome(results)
}

/**
 * Finds the request that this person may decline; undefined when they were told that it is too late.
 * @throws UserError when it is their own.
 */
export async function findToDecline(house: House, press: Press, id: string): Promise<Approval | undefined> {
  const { asker } = await findRequest(house, press, id)
  if (asker.userId === press.asker.userId) throw new UserError(whyNot.ownToDecline)
  return findOpen(house, press, id)
}

/** Closes it without a grant, for a colleague. @param reason - Raw. */
export async function decline(house: House, press: Press, id: string, reason: string): Promise<void> {
  const approval = await findToDecline(house, press, id)
  if (approval === undefined) return
  const { asker: presser } = press
  const { workspaceId, userId } = presser
  const how = { by: { userId, name: personInLine(presser) }, reason, claimMs: leaseMs }
  const declined = await house.storage.approvals.decline(workspaceId, id, how)
  await tellClosed(house, press, id, declined, renderDeclined(approval))
}

/** Closes it without a grant, for who asked. @throws UserError when this person has not asked for it. */
export async function withdraw(house: House, press: Press, id: string): Promise<void> {
  const { asker: presser } = press
  const { asker, askerName } = await findRequest(house, press, id)
  if (asker.userId !== presser.userId) throw new UserError(onlyTheAsker(askerName))
  const withdrawn = await house.storage.approvals.withdraw(presser, id, leaseMs)
  await tellClosed(house, press, id, withdrawn, renderWithdrawn())
}

/** @param closed - Undefined when somebody else was first. */
async function tellClosed(
  house: House,
  press: Press,
  id: string,
  closed: Approval | undefined,
  words: Message,
): Promise<void> {
  if (closed === undefined) return tellTooLate(house, press, await findRequest(house, press, id))
  await followUp(house, closed, press)
  await house.slack.privately(press.place, words, { replaces: !press.isCard })
}

const lateMs = 5_000

/** Background job: expires requests, settles attempts whose sender died, and retries messages that are still owed. */
export function lookAfterRequests(house: House, everyMs = lateMs): Repeated {
  const { log } = house
  const { approvals } = house.storage
  return every(everyMs, async () => {
    try {
      await approvals.expire()
      for (const lapsed of await approvals.claimLapsed(leaseMs)) {
        await judge(house, lapsed).catch((error: unknown) => {
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
        (owed) => followUp(house, owed),
        (owed) => approvals.putOff(owed, leaseMs),
      )
    } catch (error) {
      log.failedJob('error', { err: error }, 'requests for approval could not be processed; trying again')
    }
  })
}

/** Judges an attempt whose sender has fallen silent. Sends nothing, and sees to it that nobody does any more. */
async function judge(house: House, approval: Approval): Promise<void> {
  const { asker, approver } = approval
  if (approver === undefined) return
  const attempt = attemptOf({ ...asker, userId: approver.userId }, approval)
  await conclude(house, approval, resultsIn(await concludeWish(house, attempt)))
}

/** Puts what became of an attempt in place of the doubt about it. @returns Whether that was news, and is told. */
async function correct(
  house: House,
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
  const judged = isNews ? await house.storage.approvals.correct(approval, results, leaseMs) : undefined
  if (judged !== undefined) await followUp(house, judged, press)
  return judged !== undefined
}

/**
 * *Look again*, of the approver: reads once, with their own token, what became of those who are not certain. What that
 * settles, everybody who was told the doubt hears; what else was seen, the approver alone. Never sends anything.
 * @param pressed - Its value is the id of the wish that the attempt is.
 * @throws UserError when it is not this person's, or nothing can be looked at.
 */
export async function lookAtAttempt(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: presser, place, value: attemptId } = pressed
  const found = await findOwn(house, presser, attemptId)
  if (found === undefined) throw new UserError(whyNot.notKept)
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown && (await house.tokens.find(presser)) === undefined) throw new UserError(inVain.noAccount)
  const kept = isKnown ? found : await lookNow(house, found)
  const attempted = await findAttempted(house, presser.workspaceId, attemptId)
  const isTold = await correct(house, { ...pressed, isCard: false }, attempted, resultsIn(kept))
  const approval = await findAttempted(house, presser.workspaceId, attemptId)
  if (approval === undefined) throw new UserError(whyNot.notKept)
  if (!isTold) {
    const lookedAt = isKnown ? undefined : Math.floor(house.now() / 1000)
    const message = await endForApprover(house, approval, { lookedAt })
    await house.slack.privately(place, message, { replaces: true })
  }
  noteOutcome(resultsOf(kept) ?? [])
}

/** The request of an attempt; undefined where it was approved anew since, or is not kept any more. */
async function findAttempted(
  { storage }: House,
  workspaceId: string,
  attemptId: string,
): Promise<Approval | undefined> {
  const approval = await storage.approvals.find(workspaceId, attemptId.slice(0, attemptId.lastIndexOf(':')))
  return approval !== undefined && attemptIdOf(approval) === attemptId ? approval : undefined
}

/** @throws UserError where there is a barrier, once that is on record. */
async function refuseIfBarred(
  house: House,
  approver: SlackUser,
  approval: Approval,
  barrier: Barrier | undefined,
): Promise<void> {
  if (barrier === undefined) return
  await recordBarred(house, approval, approver, barrier.why)
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
function grant(house: House, approver: SlackUser, token: string, approval: Approval): Promise<Attempted> {
  const renew = () => house.storage.approvals.renew(approval, leaseMs)
  return renewing(renew, async () => {
    // Beside the request, and over before the end is shown.
    const showing = showRequest(house, approval)
    try {
      return await sendAttempt(house, token, attemptOf(approver, approval))
    } finally {
      await showing
    }
  })
}

async function sendAttempt(house: House, token: string, attempt: NewWish): Promise<Attempted> {
  await house.storage.wishes.keep(attempt)
  const sent = await sendWish(house, attempt.sender, token, attempt.id, { askedAfter: 0 })
  const isSettled = sent.kind === 'settled'
  const kept = isSettled ? sent.wish : await concludeWish(house, attempt)
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
  house: House,
  approval: Approval,
  results: readonly Result[],
  { press, corrects = false }: { readonly press?: Press; readonly corrects?: boolean } = {},
): Promise<void> {
  const { approvals } = house.storage
  const judged =
    (staysOpen(results)
      ? await approvals.reopen(approval, results, leaseMs)
      : await approvals.end(approval, results, leaseMs)) ??
    (corrects ? await approvals.correct(approval, results, leaseMs) : undefined)
  if (judged !== undefined) await followUp(house, judged, press)
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
