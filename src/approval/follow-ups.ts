// Follow-ups of a step in the life of a request: a record of it, the card as it stands now, the end of it to who asked
// and who approved. Who has still to hear is kept with the request, so that whoever comes next goes on where somebody
// fell silent.
import { connectButtonFor } from '../account/links.ts'
import { renderConnectFirst } from '../account/render.ts'
import { UserError } from '../errors.ts'
import { accessOf } from '../grant/access.ts'
import { countGrants, grantKind } from '../grant/follow-ups.ts'
import { reasonLines } from '../grant/render/explain.ts'
import { looksOf } from '../grant/render/look.ts'
import type { House } from '../house.ts'
import type { Kind } from '../send/kinds.ts'
import { expire, hold } from '../send/request.ts'
import { holding, noteHeard } from '../send/telling.ts'
import type { From } from '../slack/guard/requests.ts'
import { nowhere } from '../slack/outbound/delivery.ts'
import { type Message, say } from '../slack/outbound/message.ts'
import { type Approval, approvalIn, approvedResults, type Press, triedResults, whyOpen } from './approvals.ts'
import { drawCard, unlessRefused } from './card.ts'
import { recordLastStep } from './record.ts'
import {
  type Pointers,
  renderEndForApprover,
  renderEndForAsker,
  stillOpenWords,
  tooLateWords,
  whyNot,
} from './render/messages.ts'

/** Before something that failed is tried again. */
const againMs = 60_000

export const approvalKind: Kind = {
  ...grantKind,
  async tellLate(house, request) {
    const approval = approvalIn(request)
    if (approval !== undefined) await tellAll(house, approval)
  },
}

/**
 * Tells everybody who is to hear of the last step, while nobody else does: Slack may ask to wait a minute, several times.
 * What fails is logged and tried again by others.
 * @param press - Of whoever acted just now: their message is answered, where there is one.
 */
export function followUp(house: House, approval: Approval, press?: Press): Promise<void> {
  return holding(house, approval, () => tellAll(house, approval, press))
}

async function tellAll(house: House, approval: Approval, press?: Press): Promise<void> {
  const { toTell } = approval
  await orLater(house, approval, async () => {
    if (toTell.includes('card')) await showStep(house, approval, press)
    if (toTell.includes('asker')) await tellAsker(house, approval, press)
    if (toTell.includes('approver')) await tellApprover(house, approval, press)
  })
}

/** Does what Slack may fail at. What fails is logged, and whoever has not heard is told in a minute. Never rejects. */
async function orLater(
  { log, storage }: House,
  approval: Approval,
  work: () => Promise<unknown>,
): Promise<void> {
  const what = 'an update about a request for approval is still missing; trying again'
  const warn = (error: unknown) => log.failedJob('warn', { err: error, approval: approval.id }, what)
  try {
    await work()
  } catch (error) {
    warn(error)
    await storage.requests.change(approval, hold(againMs)).catch(warn)
  }
}

/** Draws the card, and writes the step down; neither where it can't be posted. */
async function showStep(house: House, approval: Approval, press: Press | undefined): Promise<void> {
  const isPosted = await drawCard(house, approval, press?.place)
  if (!isPosted) return
  await recordLastStep(house, approval)
  await noteHeard(house, approval, 'card')
}

/** Shows a request as it is now, beside what others hear. Never rejects. */
export function showRequest(house: House, approval: Approval): Promise<void> {
  return orLater(house, approval, () => drawCard(house, approval))
}

/** Tells somebody who pressed too late how a request stands, and shows it. */
export async function tellTooLate(house: House, press: Press, approval: Approval): Promise<void> {
  await showRequest(house, approval)
  const { asker: presser, place, isCard } = press
  const words = say(tooLateWords(approval, presser.userId))
  await house.slack.privately(place, words, { replaces: !isCard })
}

/** What messages about it point to. */
async function pointersOf({ slack, config }: House, { approval }: Approval): Promise<Pointers> {
  const { card, threadTs } = approval
  const link = card && (await slack.linkOf({ ...card, threadTs }))
  return { roles: config.roles, link }
}

/** Tells who asked how the request has ended. */
async function tellAsker(house: House, approval: Approval, press: Press | undefined): Promise<void> {
  const message = renderEndForAsker(approval, await pointersOf(house, approval))
  await unlessRefused(house, approval, () => house.slack.post(approval.askerId, message))
  const isFirst = await noteHeard(house, approval, 'asker')
  if (isFirst) countGrants(approvedResults(approval) ?? [], whenTold(press))
}

/**
 * Tells who approved how the request has ended, or what their own token kept from being granted.
 * @param press - Of the approver, when they have pressed just now.
 */
async function tellApprover(house: House, approval: Approval, press: Press | undefined): Promise<void> {
  const { approver } = approval.approval
  if (approver === undefined) return
  const person = { ...approval, userId: approver.userId }
  const tried = triedResults(approval)
  const said = reasonLines(accessOf(approval).emails, press?.reasons)
  const tell = (message: Message, replaces = false) =>
    unlessRefused(house, approval, () =>
      house.slack.privately(press?.place ?? nowhere(person), message, { replaces }),
    )

  if (tried !== undefined) {
    const why = whyOpen(tried)
    const words = [stillOpenWords(why, approval), ...said].join('\n')
    if (why === 'refused' && press !== undefined) {
      await unlessRefused(house, approval, () => askForAccount(house, press, words))
    } else await tell(say(words))
  } else await tell(await endForApprover(house, approval, { said }), press?.isCard === false)
  const isFirst = await noteHeard(house, approval, 'approver')
  // The end of it is counted when the asker hears of it; of an attempt that changes nothing, they do not.
  if (isFirst && tried !== undefined) countGrants(tried, whenTold(press))
}

/** @param press - Of whoever reads it, where they have pressed just now. */
function whenTold(press: Press | undefined) {
  return press === undefined ? 'late' : 'at_once'
}

/**
 * The end of a request for who approved, with what their own token has shown of those who are not certain.
 * @param how.said - Lines of what the service said to their token, raw.
 * @param how.lookedAt - When they had it looked at once more, in Unix seconds.
 */
export async function endForApprover(
  house: House,
  approval: Approval,
  how: { readonly said?: readonly string[]; readonly lookedAt?: number | undefined },
): Promise<Message> {
  const looks = approval.end === 'sent' ? looksOf(approval) : undefined
  return renderEndForApprover(approval, await pointersOf(house, approval), { ...how, looks })
}

/** Asks an approver to connect: nothing waits for that, they press once more. @param text - Raw. */
export async function askForAccount(house: House, { asker, place }: Press, text: string): Promise<void> {
  const message = renderConnectFirst(await connectButtonFor(house, asker, ''), text)
  await house.slack.privately(place, message)
}

/** One whose time is over has ended, whether anybody has looked or not. @throws UserError when it is not kept any more. */
export async function findRequest(
  { storage: { requests } }: House,
  { asker: presser }: From,
  id: string,
): Promise<Approval> {
  const key = { workspaceId: presser.workspaceId, id }
  const expired = await requests.change(key, (request, now) => {
    const ended = expire(request, now)
    // Everybody hears of it at once.
    return ended && hold(0)(ended, now)
  })
  const approval = approvalIn(expired ?? (await requests.find(key)))
  if (approval === undefined) throw new UserError(whyNot.notKept)
  return approval
}

/**
 * Finds a request that can still be decided on; undefined when whoever pressed was told that it is too late.
 * @throws UserError when the request is not kept any more.
 */
export async function findOpen(house: House, press: Press, id: string): Promise<Approval | undefined> {
  const approval = await findRequest(house, press, id)
  if (approval.state === 'requested') return approval
  await tellTooLate(house, press, approval)
  return undefined
}
