// The card of a request: posted where it goes, and drawn as the request stands.
import { classify } from '../slack/client/refusals.ts'
import { nowhere, type Place } from '../slack/outbound/delivery.ts'
import type { Approval } from './approvals.ts'
import { renderCard } from './render/card.ts'
import { renderNotPosted, type WhyNotPosted } from './render/told.ts'
import type { ApprovalRoom } from './room.ts'

/**
 * Posts the card, or draws it where it stands, until nobody has changed the request meanwhile: of two who draw, the
 * slower must not leave the older state.
 * @param place - Of whoever acted just now.
 * @returns False where Slack doesn’t let it be posted: its asker is told why, and nothing is kept of the request.
 */
export async function drawCard(room: ApprovalRoom, approval: Approval, place?: Place): Promise<boolean> {
  let drawn = approval
  for (;;) {
    if (drawn.card !== undefined) await updateCard(room, drawn)
    else if (drawn.state === 'open' && !(await postCard(room, drawn, place))) return false
    const now = await room.approvals.find(approval.asker.workspaceId, approval.id)
    if (now === undefined || now.version === drawn.version) return true
    drawn = now
  }
}

async function updateCard(room: ApprovalRoom, approval: Approval): Promise<void> {
  const { asker, card } = approval
  if (card === undefined) return
  await unlessRefused(room, approval, async () => {
    try {
      await room.outbound.in(asker.workspaceId).update(card, renderCard(approval, room.settings))
    } catch (error) {
      if (!classify(error).lost.message) throw error
    }
  })
}

async function postCard(
  room: ApprovalRoom,
  approval: Approval,
  place: Place = nowhere(approval.asker),
): Promise<boolean> {
  const { outbound, mention, settings, approvals } = room
  const { id, asker, channelId, threadTs } = approval
  if ((await room.sharedChannels.in(asker.workspaceId).isShared(channelId)) === true) {
    return giveUp(room, approval, place, channelId === room.channels.approval ? 'shared-approval' : 'shared')
  }
  const message = renderCard(approval, { roles: settings.roles, mention })
  try {
    const posted = await outbound.in(asker.workspaceId).post(channelId, message, threadTs)
    const card = { channelId: posted.channelId, ts: posted.ts, mentioned: mention }
    await approvals.keepPlace(asker.workspaceId, id, card)
    return true
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    return giveUp(room, approval, place, whyRefused(error))
  }
}

async function giveUp(
  room: ApprovalRoom,
  approval: Approval,
  place: Place,
  why: WhyNotPosted,
): Promise<false> {
  const { id, asker, channelId } = approval
  room.log.warn({ channel: channelId, why }, 'a request for approval can’t be posted')
  await unlessRefused(room, approval, () => room.delivery.privately(place, renderNotPosted(channelId, why)))
  await room.approvals.forget(asker.workspaceId, id)
  return false
}

function whyRefused(error: unknown): WhyNotPosted {
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

/** Certainly not posted, and not tried again by itself. */
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
