// The card of a request: posted where it goes, drawn as the request stands, and told more of in its thread.
//
// postOrRedrawCard     what is owed: posts a card that stands nowhere yet, draws one that does
// redrawCard           at any other time, as while it is being granted: draws what stands, and never posts
// redrawPressedCard    beside both: the message that was just pressed, where no place is kept that leads to it
// tellDetails          in its thread, once: why it was not granted, or what to check
// remindOf             in its thread, before it expires: those who decide, once more
import { isDeepStrictEqual } from 'node:util'
import { classify } from '../slack/client/refusals.ts'
import type { SlackUser } from '../slack/ids.ts'
import { nowhere } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Approval, CardPlace } from './approvals.ts'
import { renderCard } from './render/card.ts'
import { renderDetails, renderNotPosted, renderReminder, type WhyNowhere } from './render/told.ts'
import type { ApprovalRoom, Press } from './room.ts'

/**
 * Posts the card where it goes, or draws it where it stands. One that went nowhere waits for its asker.
 * @param press - Of whoever acted just now: answered there when no way leads into the channel.
 * @param cardUrl - A `response_url` that leads to where the card goes.
 */
export function postOrRedrawCard(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
  cardUrl: string | undefined,
): Promise<void> {
  return untilStill(room, approval, (current) =>
    current.card.kind === 'none' && current.state !== 'ended'
      ? postAndKeepPlace(room, current, press, cardUrl)
      : updateCard(room, current),
  )
}

/** Draws the card where it stands, when that is known. */
export function redrawCard(room: ApprovalRoom, approval: Approval): Promise<void> {
  return untilStill(room, approval, (current) => updateCard(room, current))
}

/**
 * Draws the pressed message as the card, when it is not the one whose `ts` is kept. Only after the end: until then its
 * buttons must stay, as nothing but the next press could bring them back.
 */
export async function redrawPressedCard(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
): Promise<void> {
  const { outbound, settings } = room
  if (approval.state !== 'ended') return
  if (press?.isCard !== true || press.place.responseUrl === undefined) return
  if (approval.card.kind === 'posted' && approval.card.ts === press.place.pressedTs) return
  const shown = await asInChannel(room, approval)
  await outbound
    .in(approval.asker.workspaceId)
    .respond(press.place.responseUrl, renderCard(shown, settings), { to: 'channel', replaces: true })
}

/** A reminder that Slack certainly did not take is tried again after this time. */
const remindAgainMs = 60_000

/**
 * Tells the thread why a request was not granted, or what to check, where there is something to tell.
 * @returns False where nobody will find it there: there is no thread, or Slack does not let the bot post in it.
 */
export async function tellDetails(room: ApprovalRoom, approval: Approval): Promise<boolean> {
  if (approval.card.kind !== 'posted') return false
  const details = renderDetails(await asInChannel(room, approval), room.settings)
  if (details === undefined || approval.isThreadTold) return true
  let isThere = false
  try {
    if (!(await endsStillSo(room, approval))) return true
    isThere = await postInThread(room, approval, details)
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    room.log.warn(
      { err: error, approval: approval.id },
      'Slack refuses the details of a request in its thread',
    )
  }
  // What was refused is not there: told again, the asker must not be sent to it.
  if (isThere) await room.approvals.markTold(approval, 'thread')
  return isThere
}

/**
 * Mentions those who decide once more, in the thread of a request that expires soon. Never fails, and is tried again
 * only where nobody can have been mentioned.
 */
export async function remindOf(room: ApprovalRoom, approval: Approval): Promise<void> {
  const { approvals, mentionOf, settings, log } = room
  const { workspaceId } = approval.asker
  try {
    const mention = await mentionOf(workspaceId)
    if (mention.length === 0) return
    await postInThread(room, approval, renderReminder(await asInChannel(room, approval), settings, mention))
  } catch (error) {
    log.failedJob(
      'warn',
      { err: error, approval: approval.id },
      'a reminder of a request could not be posted',
    )
    if (classify(error).mayBeDone || isRefusedForGood(error)) return
    // Should that fail too, this one is lost, and the others are not.
    await approvals.remindLater(approval, remindAgainMs).catch(() => undefined)
  }
}

/** @returns False where there is no thread, or another organisation reads in it by now. */
async function postInThread(
  { outbound, sharedChannels }: ApprovalRoom,
  { asker, card, threadTs }: Approval,
  message: Message,
): Promise<boolean> {
  if (card.kind !== 'posted') return false
  const { workspaceId } = asker
  if ((await sharedChannels.in(workspaceId).wasShared(card.channelId)) === true) return false
  // A card that is a reply itself has the thread that it stands in.
  await outbound.in(workspaceId).post(card.channelId, message, threadTs ?? card.ts)
  return true
}

/**
 * The request as everybody may read it where its card goes: the container has no name there once another organisation
 * reads along, or Slack cannot say whether one does.
 */
async function asInChannel(
  room: Pick<ApprovalRoom, 'sharedChannels' | 'log'>,
  approval: Approval,
): Promise<Approval> {
  const { asker, container, channelId, card } = approval
  if (container === undefined) return approval
  const isNamed = await mayNameIn(room, asker, card.kind === 'posted' ? card.channelId : channelId)
  return isNamed ? approval : { ...approval, container: undefined }
}

/** Whether names may stand in this channel: Slack says that everybody there is of the asker's organisation. */
export async function mayNameIn(
  { sharedChannels, log }: Pick<ApprovalRoom, 'sharedChannels' | 'log'>,
  { workspaceId }: SlackUser,
  channelId: string | undefined,
): Promise<boolean> {
  if (channelId === undefined) return false
  try {
    return (await sharedChannels.in(workspaceId).wasShared(channelId)) === false
  } catch (error) {
    log.error({ err: error }, 'Slack was asked in vain who reads in a channel; requests there show no names')
    return false
  }
}

/**
 * Says whether a request has still the ending that the caller knows. Slack may have kept the caller waiting, and a later
 * look may have put the truth in place of a doubt: whoever did that tells it, and a doubt must not be told after it.
 */
export async function endsStillSo(
  { approvals }: ApprovalRoom,
  { asker, id, ending }: Approval,
): Promise<boolean> {
  const now = await approvals.find(asker.workspaceId, id)
  return isDeepStrictEqual(now?.ending, ending)
}

/** Draws until nobody has changed it meanwhile: of two who draw, the slower must not leave the older state. */
async function untilStill(
  { approvals }: ApprovalRoom,
  approval: Approval,
  draw: (current: Approval) => Promise<void>,
): Promise<void> {
  let drawn = approval
  for (;;) {
    await draw(drawn)
    const now = await approvals.find(approval.asker.workspaceId, approval.id)
    if (now === undefined || now.version === drawn.version) return
    drawn = now
  }
}

/** Changes the message on the card's place, where Slack has said which that is. */
async function updateCard(room: ApprovalRoom, approval: Approval): Promise<void> {
  const { asker, card } = approval
  if (card.kind !== 'posted') return
  await unlessRefused(room, approval, async () => {
    try {
      const shown = await asInChannel(room, approval)
      await room.outbound.in(asker.workspaceId).update(card, renderCard(shown, room.settings))
    } catch (error) {
      if (!classify(error).lost.message) throw error
    }
  })
}

async function postAndKeepPlace(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
  cardUrl: string | undefined,
): Promise<void> {
  const { card, why } = await post(room, approval, cardUrl)
  // Told before `nowhere` is kept: the other way round, a telling that fails would never be tried again, and the asker
  // would not get the button that posts it.
  if (why !== undefined) {
    const place = press?.place ?? nowhere(approval.asker)
    await unlessRefused(room, approval, () => room.delivery.privately(place, renderNotPosted(approval, why)))
  }
  await room.approvals.keepPlace(approval.asker.workspaceId, approval.id, card)
}

interface Placed {
  readonly card: CardPlace
  /** The reason of one that stands nowhere. */
  readonly why?: WhyNowhere
}

/** Posts the card by the first way that leads into its channel. Throws where it may be tried again. */
async function post(room: ApprovalRoom, approval: Approval, cardUrl: string | undefined): Promise<Placed> {
  const { outbound, sharedChannels, mentionOf, settings } = room
  const { asker, channelId, threadTs } = approval
  const there = outbound.in(asker.workspaceId)
  const mention = await mentionOf(asker.workspaceId)
  const message = renderCard(await asInChannel(room, approval), { roles: settings.roles, mention })
  let why: WhyNowhere = 'not-invited'
  // The channel was not when somebody asked; what waits for Slack waits for long at times.
  if (channelId !== undefined && (await sharedChannels.in(asker.workspaceId).wasShared(channelId)) === true) {
    return { card: { kind: 'nowhere' }, why: 'shared' }
  }
  if (channelId !== undefined) {
    try {
      const { ts, channelId: at } = await there.post(channelId, message, threadTs)
      const mentioned = mention.length === 0 ? undefined : mention
      return { card: { kind: 'posted', channelId: at, ts, mentioned } }
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
      why = whyNowhere(error)
    }
  }
  if (cardUrl !== undefined) {
    try {
      await there.respond(cardUrl, message, { to: 'channel', threadTs })
      return { card: { kind: 'by-url' } }
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
    }
  }
  return { card: { kind: 'nowhere' }, why }
}

function whyNowhere(error: unknown): WhyNowhere {
  const { isInviteNeeded, word } = classify(error)
  if (isInviteNeeded) return 'not-invited'
  return word === 'is_archived' ? 'archived' : 'refused'
}

/**
 * Sends something about a request, and gives it up where Slack refuses it: asked again at once, it would refuse again.
 * Throws where it may be tried again.
 */
export async function unlessRefused(
  { log }: Pick<ApprovalRoom, 'log'>,
  { id }: Approval,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    log.warn({ err: error, approval: id }, 'Slack refuses a message about a request for approval')
  }
}

/** Certainly not posted, and not tried again by itself: what people can mend of it, its asker has posted again then. */
function isRefusedForGood(error: unknown): boolean {
  const failure = classify(error)
  switch (failure.kind) {
    case 'busy':
    case 'passing':
    case 'unsure':
    case 'defect':
      return false
    // With a token of the bot's that is refused, nothing works until the operator mends it, and then all of it does.
    // Somebody who has left does not come back.
    case 'token':
      return failure.lost.person
    case 'place':
    case 'gone':
    case 'scope':
    case 'input':
    case 'other':
      return true
    default:
      return failure satisfies never
  }
}
