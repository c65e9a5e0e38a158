// Follow-ups of a step in the life of a request: a record of it, the card as it stands now, the end of it to who asked
// and who approved. All that is still owed is kept in the request's row, so that whoever comes next goes on where
// somebody fell silent.
import { z } from 'zod'
import { askToConnect, type HowToAsk, type WaitedFor } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import { auditOutcome, countOutcomes } from '../grant/follow-ups.ts'
import { reasonLines } from '../grant/render/explain.ts'
import { glimpsesOf } from '../grant/render/look.ts'
import { hasCode, type Result } from '../grant/wish.ts'
import type { WhenTold } from '../send/room.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { nowhere } from '../slack/outbound/delivery.ts'
import { type Message, say } from '../slack/outbound/message.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import { doubling } from '../work/retry.ts'
import { type Approval, attemptIdOf, whyOpen } from './approvals.ts'
import {
  endsStillSo,
  postOrRedrawCard,
  redrawCard,
  redrawPressedCard,
  tellDetails,
  unlessRefused,
} from './card.ts'
import type { WhyBarred } from './four-eyes.ts'
import {
  connectForNext,
  type Pointers,
  renderEndForApprover,
  renderEndForAsker,
  rightsForRest,
  stillOpenWords,
  tooLateWords,
  whoCanApprove,
  whyNot,
} from './render/told.ts'
import type { ApprovalRoom, Press } from './room.ts'

/** Pauses before something that failed is tried again, the first and the longest; each is twice the one before. */
const pauses = doubling(30_000, 60 * 60_000)
/** Requests whose failures are counted; of more, pauses begin anew. */
const mostFailures = 1_000

/**
 * Does what is owed about a request that the caller has claimed for `leaseMs`, and renews that claim: Slack may ask to
 * wait a minute, several times. What fails is logged and tried again by others.
 * @param press - Of whoever acted just now: their message is answered, where there is one.
 * @param cardUrl - A `response_url` that leads to where the card goes.
 */
export async function followUp(
  room: ApprovalRoom,
  approval: Approval,
  press?: Press,
  cardUrl?: string,
): Promise<void> {
  const { approvals, failures } = room
  const isAll = await renewing(
    () => approvals.putOff(approval, leaseMs),
    () => doAll(room, approval, press, cardUrl),
  )
  if (isAll) failures.delete(approval.id)
  // Should this fail, the claim runs out, and what was told is not told again.
  const kept = isAll
    ? approvals.clearOwed(approval)
    : approvals.putOff(approval, pauseAfterFailure(failures, approval))
  await tryTo(room, approval, kept)
}

/**
 * Shows a request as it stands, on the card that was pressed and on the one that is known, beside what is owed. Never
 * fails: what fails is logged, and not tried again.
 */
export async function showRequest(room: ApprovalRoom, approval: Approval, press?: Press): Promise<void> {
  await tryTo(room, approval, redrawPressedCard(room, approval, press))
  await tryTo(room, approval, redrawCard(room, approval))
}

/** Tells somebody who pressed too late how a request stands, and shows it. */
export async function tellTooLate(room: ApprovalRoom, press: Press, approval: Approval): Promise<void> {
  await showRequest(room, approval, press)
  const { asker: presser, place, isCard } = press
  const words = say(tooLateWords(approval, presser.userId))
  await room.delivery.privately(place, words, { replaces: !isCard })
}

/** Tells somebody who may decide on a request. */
export async function tellWho(room: ApprovalRoom, press: Press, id: string): Promise<void> {
  const approval = await findOpen(room, press, id)
  if (approval === undefined) return
  await room.delivery.privately(press.place, say(whoCanApprove(approval)))
}

/** Does each thing that is owed. True when nothing is owed any more. */
async function doAll(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
  cardUrl: string | undefined,
): Promise<boolean> {
  const isRecorded = await tryTo(room, approval, recordLastStep(room, approval))
  // Nobody else can make up for this one: what leads to the pressed card is of this press alone. So it is not owed.
  await tryTo(room, approval, redrawPressedCard(room, approval, press))
  const isDrawn = await tryTo(room, approval, postOrRedrawCard(room, approval, press, cardUrl))
  let isInThread = approval.card.kind === 'posted'
  const telling = tellDetails(room, approval).then((isThere) => {
    isInThread = isThere
  })
  const isThreadTold = await tryTo(room, approval, telling)
  const isAskerTold = await tryTo(room, approval, tellAsker(room, approval, press, isInThread))
  const isApproverTold = await tryTo(room, approval, tellApprover(room, approval, press))
  return isRecorded && isDrawn && isThreadTold && isAskerTold && isApproverTold
}

/** Waits for one thing. False when it failed: that is logged, and does not keep the others from being done. */
async function tryTo({ log }: ApprovalRoom, { id }: Approval, work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    log.failedJob(
      'warn',
      { err: error, approval: id },
      'an update about a request for approval is still missing; trying again',
    )
    return false
  }
}

function pauseAfterFailure(failures: ApprovalRoom['failures'], { id }: Approval): number {
  const before = failures.get(id) ?? 0
  if (failures.size >= mostFailures) failures.clear()
  failures.set(id, before + 1)
  return pauses(before + 1)
}

/** What messages about it point to. */
async function pointersOf({ settings, linkOf }: ApprovalRoom, approval: Approval): Promise<Pointers> {
  const { asker, card, threadTs } = approval
  const link = card.kind === 'posted' ? await linkOf(asker.workspaceId, { ...card, threadTs }) : undefined
  return { roles: settings.roles, link }
}

/**
 * Tells who asked how the request has ended.
 * @param isInThread - The details stand in the thread of the card.
 */
async function tellAsker(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
  isInThread: boolean,
): Promise<void> {
  const { asker, ending, isAskerTold } = approval
  if (ending === undefined || isAskerTold) return
  // The asker, who withdrew it, knows.
  if (ending.kind !== 'withdrawn') {
    const message = renderEndForAsker(approval, { ...(await pointersOf(room, approval)), isInThread })
    if (!(await endsStillSo(room, approval))) return
    await unlessRefused(room, approval, () => room.outbound.in(asker.workspaceId).post(asker.userId, message))
  }
  const isFirst = await room.approvals.markTold(approval, 'asker')
  if (isFirst && ending.kind === 'approved') {
    countOutcomes(room, ending.results, whenTold(ending.results, asker, press))
  }
}

/**
 * Tells who approved how the request has ended, or what their own token kept from being granted.
 * @param press - Of the approver, when they have pressed just now.
 */
async function tellApprover(room: ApprovalRoom, approval: Approval, press: Press | undefined): Promise<void> {
  const { approver, tried, ending, isApproverTold, wish } = approval
  if (approver === undefined || isApproverTold) return
  const person = { ...approval.asker, userId: approver.userId }
  const said = reasonLines(wish.emails, press?.reasons)
  const tell = (message: Message, replaces = false) =>
    unlessRefused(room, approval, () =>
      room.delivery.privately(press?.place ?? nowhere(person), message, { replaces }),
    )

  if (tried !== undefined) {
    const why = whyOpen(tried)
    if (why === 'refused' && press !== undefined) await askForAccount(room, approval, press)
    else await tell(say([stillOpenWords(why, approval), ...said].join('\n')))
  } else if (ending?.kind === 'approved') {
    const end = await endForApprover(room, approval, { said })
    if (!(await endsStillSo(room, approval))) return
    await tell(end, press?.isCard === false)
    if (hasCode(ending.results, 'forbidden')) await tell(say(rightsForRest(approval)))
    if (hasCode(ending.results, 'refused')) {
      if (press === undefined) await tell(say(connectForNext))
      else await askForAccount(room, approval, press, { text: connectForNext, isOver: true })
    }
  } else return
  const isFirst = await room.approvals.markTold(approval, 'approver')
  // The end of it is counted when the asker hears of it; of an attempt that changes nothing, they do not.
  if (isFirst && tried !== undefined) {
    countOutcomes(room, tried, whenTold(tried, person, press))
  }
}

/**
 * The end of a request for who approved, with what their own token has shown of those who are not certain.
 * @param how.said - Lines of what the service said to their token, raw.
 * @param how.lookedAt - When they had it looked at once more, in Unix seconds.
 */
export async function endForApprover(
  room: ApprovalRoom,
  approval: Approval,
  how: { readonly said?: readonly string[]; readonly lookedAt?: number | undefined },
): Promise<Message> {
  const { workspaceId } = approval.asker
  const kept = await room.send.wishes.find(workspaceId, attemptIdOf(approval))
  const isTheirs = kept !== undefined && kept.sender.userId === approval.approver?.userId
  const glimpses = isTheirs ? glimpsesOf(kept) : undefined
  return renderEndForApprover(approval, await pointersOf(room, approval), { ...how, glimpses })
}

/** @param reader - Whoever is told. */
function whenTold(results: readonly Result[], reader: SlackUser, press: Press | undefined): WhenTold {
  if (press === undefined) return { lateTo: reader }
  return results.some(({ wasDoubted }) => wasDoubted) ? 'corrected' : 'at_once'
}

function askForAccount(
  room: ApprovalRoom,
  approval: Approval,
  press: Press,
  how: Pick<HowToAsk, 'text' | 'isOver'> = {},
): Promise<void> {
  return unlessRefused(room, approval, () =>
    askToConnect(room.account, press, waitsToApprove(approval.id, press), 'refused', how),
  )
}

/** An *Approve* that waits for an account. */
export const waitingApprove = z.object({ id: z.string(), isCard: z.boolean() })

export function waitsToApprove(id: string, { isCard }: Press): WaitedFor {
  const ask: z.infer<typeof waitingApprove> = { id, isCard }
  return { feature: 'approval', ask }
}

/** @throws UserError when the request is not kept any more. */
export async function findRequest(
  { approvals }: Pick<ApprovalRoom, 'approvals'>,
  { asker: presser }: From,
  id: string,
): Promise<Approval> {
  const approval = await approvals.find(presser.workspaceId, id)
  if (approval === undefined) throw new UserError(whyNot.notKept)
  return approval
}

/**
 * Finds a request that can still be decided on; undefined when whoever pressed was told that it is too late.
 * @throws UserError when the request is not kept any more.
 */
export async function findOpen(room: ApprovalRoom, press: Press, id: string): Promise<Approval | undefined> {
  const approval = await findRequest(room, press, id)
  if (approval.state === 'open') return approval
  await tellTooLate(room, press, approval)
  return undefined
}

interface Step {
  /** Equal for the same step, however often it is recorded. */
  readonly key: string
  readonly act: 'ask' | 'approve' | 'decline' | 'withdraw' | 'expire'
  /** The person who did it; a request expires by itself. */
  readonly userId: string | undefined
  /** Those of `approve`, whether it ended the request or left it open. */
  readonly results?: readonly Result[]
}

/**
 * Records the step that brought a request to where it is; nothing while it is being granted. To be called as often as
 * somebody comes by, after a crash for instance.
 */
async function recordLastStep({ audit }: Pick<ApprovalRoom, 'audit'>, approval: Approval): Promise<void> {
  const step = lastStep(approval)
  if (step === undefined) return
  const { results = [], ...taken } = step
  for (const [index, email] of approval.wish.emails.entries()) {
    const result = results.find((one) => one.email === email)
    // Asking, declining and such are done with the step itself.
    const outcome = result === undefined ? 'done' : auditOutcome(result.outcome)
    // What a later look has shown is a step of its own: both were told.
    const corrected = result?.wasDoubted ? `:${outcome}` : ''
    const key = `${step.key}:${index + 1}${corrected}`
    await audit.record({ ...about(approval), ...taken, key, email, outcome })
  }
}

/** Records that somebody pressed *Approve* who may not: once for each person and reason, however often they press. */
export async function recordBarred(
  { audit }: Pick<ApprovalRoom, 'audit'>,
  approval: Approval,
  { userId }: SlackUser,
  why: WhyBarred,
): Promise<void> {
  const key = `${approval.id}:refused:${userId}:${why}`
  // One record, whoever the request is for: nothing was tried for any of them.
  await audit.record({ ...about(approval), act: 'approve', userId, key, outcome: `not-done:${why}` })
}

function about({ id, asker, wish }: Approval) {
  const { containerId, permissions, member, authProvider } = wish
  return {
    ...{ workspaceId: asker.workspaceId, askerId: asker.userId, reference: id },
    ...{ containerId, permissions, member, authProvider },
  }
}

function lastStep(approval: Approval): Step | undefined {
  const { id, asker, attempt, state, ending, tried } = approval
  if (state === 'open' && attempt === 0) return { key: `${id}:ask`, act: 'ask', userId: asker.userId }
  if (tried !== undefined) return approveStep(approval, tried)
  switch (ending?.kind) {
    case 'approved':
      return approveStep(approval, ending.results)
    case 'declined':
      return { key: `${id}:decline`, act: 'decline', userId: ending.by.userId }
    case 'withdrawn':
      return { key: `${id}:withdraw`, act: 'withdraw', userId: asker.userId }
    case 'expired':
      return { key: `${id}:expire`, act: 'expire', userId: undefined }
    case undefined:
      return undefined
    default:
      return ending satisfies never
  }
}

/** Somebody approved, whatever came of it. What comes to light after a doubt is another step: both were told. */
function approveStep({ id, asker, approver, attempt }: Approval, results: readonly Result[]): Step {
  const isDoubt = results.some(({ outcome }) => outcome.kind === 'uncertain' && outcome.doubt === 'stopped')
  const key = `${id}:approve:${attempt}${isDoubt ? ':doubt' : ''}`
  return { key, act: 'approve', userId: approver?.userId ?? asker.userId, results }
}
