// The card of a request: put where it goes, and drawn as the request stands.

import { classify } from '../slack/client/refusals.ts'
import { nowhere } from '../slack/outbound/delivery.ts'
import type { Approval, CardPlace } from './approvals.ts'
import type { Press } from './press.ts'
import { renderCard } from './render/card.ts'
import { renderNotPosted, type WhyNowhere } from './render/told.ts'
import type { ApprovalRoom } from './room.ts'

/** Puts the card where it goes, or draws it where it stands. @param cardUrl - Leads to where it goes. */
export function drawCard(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
  cardUrl: string | undefined,
): Promise<void> {
  return untilStill(room, approval, (current) =>
    current.card.kind === 'none' && current.state !== 'ended'
      ? placeCard(room, current, press, cardUrl)
      : update(room, current),
  )
}

/** Draws the card where it stands, when it stands somewhere. */
export function redrawCard(room: ApprovalRoom, approval: Approval): Promise<void> {
  return untilStill(room, approval, (current) => update(room, current))
}

/**
 * Draws the card that was pressed, where it is another than the one that is known. A card that only a press can change
 * is changed so once the request has ended: as long as it may be open again, it keeps the buttons that bring the next
 * press.
 */
export async function drawPressedCard(
  { outbound }: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
): Promise<void> {
  if (approval.state !== 'ended') return
  if (press?.isCard !== true || press.place.responseUrl === undefined) return
  if (approval.card.kind === 'posted' && approval.card.ts === press.place.pressedTs) return
  await outbound
    .in(press.asker.workspaceId)
    .respond(press.place.responseUrl, renderCard(approval), { to: 'channel', replaces: true })
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

async function update(room: ApprovalRoom, approval: Approval): Promise<void> {
  const { asker, card } = approval
  if (card.kind !== 'posted') return
  await unlessRefused(room, approval, async () => {
    try {
      await room.outbound.in(asker.workspaceId).update(card, renderCard(approval))
    } catch (error) {
      if (!classify(error).lost.message) throw error
    }
  })
}

async function placeCard(
  room: ApprovalRoom,
  approval: Approval,
  press: Press | undefined,
  cardUrl: string | undefined,
): Promise<void> {
  const { card, why } = await post(room, approval, cardUrl)
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

async function post(
  { outbound, sharing }: ApprovalRoom,
  approval: Approval,
  cardUrl: string | undefined,
): Promise<Placed> {
  const { asker, channelId, threadTs } = approval
  const there = outbound.in(asker.workspaceId)
  const message = renderCard(approval)
  let why: WhyNowhere = 'not-invited'
  // The channel was not when somebody asked; what waits for Slack waits for long at times.
  if (channelId !== undefined && (await sharing.in(asker.workspaceId).wasShared(channelId)) === true) {
    return { card: { kind: 'nowhere' }, why: 'shared' }
  }
  if (channelId !== undefined) {
    try {
      return { card: { kind: 'posted', ...(await there.post(channelId, message, threadTs)) } }
    } catch (error) {
      if (!isFinal(error)) throw error
      why = whyNowhere(error)
    }
  }
  if (cardUrl !== undefined) {
    try {
      await there.respond(cardUrl, message, { to: 'channel', threadTs })
      return { card: { kind: 'by-url' } }
    } catch (error) {
      if (!isFinal(error)) throw error
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
 * Sends something about a request, and gives it up where Slack refuses it for good: asked again, it would refuse again.
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
    if (!isFinal(error)) throw error
    log.warn({ err: error, approval: id }, 'Slack refuses to tell something about a request for approval')
  }
}

/** Certainly not posted, and neither time nor the operator will mend it. */
function isFinal(error: unknown): boolean {
  const failure = classify(error)
  switch (failure.kind) {
    case 'busy':
    case 'unsure':
    case 'defect':
      return false
    // A token of the bot's that is refused is mended by the operator; somebody who has left does not come back.
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
