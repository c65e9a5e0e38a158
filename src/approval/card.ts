// The card of a request: put where it goes, and drawn as the request stands.

import { isForWantOfMembership, isGone, refusalOf } from '../slack/client/refusals.ts'
import { type Delivery, nowhere } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { Sharing } from '../slack/workspace/channels.ts'
import type { Approval, Approvals, Card } from './approvals.ts'
import type { Act } from './press.ts'
import { isFinal, type UnlessRefused } from './refused.ts'
import { renderCard } from './render/card.ts'
import { renderNotPosted, type WhyNowhere } from './render/told.ts'

export interface Cards {
  /** Puts the card where it goes, or draws it where it stands. @param cardUrl - Leads to where it goes. */
  draw(approval: Approval, act: Act | undefined, cardUrl: string | undefined): Promise<void>
  /** Draws the card where it stands, when it stands somewhere. */
  redraw(approval: Approval): Promise<void>
  /** Draws the card that was pressed, where it is another than the one that is known. */
  drawPressed(approval: Approval, act: Act | undefined): Promise<void>
}

export function createCards(room: {
  readonly approvals: Pick<Approvals, 'find' | 'placed'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post' | 'update' | 'respond'>>
  readonly delivery: Pick<Delivery, 'privately'>
  readonly sharing: PerWorkspace<Pick<Sharing, 'wasShared'>>
  readonly unlessRefused: UnlessRefused
}): Cards {
  const { approvals, outbound, delivery, sharing, unlessRefused } = room

  async function post(approval: Approval, cardUrl: string | undefined): Promise<Placed> {
    const { asker, channelId, threadTs } = approval
    const message = renderCard(approval)
    let why: WhyNowhere = 'not-invited'
    // It was not when somebody asked; what waits for Slack waits for long at times.
    if (channelId !== undefined && (await sharing.in(asker.workspaceId).wasShared(channelId)) === true) {
      return { card: { kind: 'nowhere' }, why: 'shared' }
    }
    if (channelId !== undefined) {
      try {
        return {
          card: {
            kind: 'posted',
            ...(await outbound.in(asker.workspaceId).post(channelId, message, threadTs)),
          },
        }
      } catch (error) {
        if (!isFinal(error)) throw error
        why = whyNowhere(error)
      }
    }
    if (cardUrl !== undefined) {
      try {
        await outbound.in(asker.workspaceId).respond(cardUrl, message, { to: 'channel', threadTs })
        return { card: { kind: 'told' } }
      } catch (error) {
        if (!isFinal(error)) throw error
      }
    }
    return { card: { kind: 'nowhere' }, why }
  }

  async function redraw(approval: Approval): Promise<void> {
    if (approval.card.kind !== 'posted') return
    const { asker, card } = approval
    await unlessRefused(approval, async () => {
      try {
        await outbound.in(asker.workspaceId).update(card, renderCard(approval))
      } catch (error) {
        if (!isGone(error)) throw error
      }
    })
  }

  async function placeAnew(approval: Approval, act: Act | undefined, cardUrl: string | undefined) {
    const { workspaceId, userId } = approval.asker
    const { card, why } = await post(approval, cardUrl)
    if (why !== undefined) {
      const place = act?.place ?? nowhere({ workspaceId, userId })
      await unlessRefused(approval, () => delivery.privately(place, renderNotPosted(approval, why)))
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
    await outbound
      .in(act.asker.workspaceId)
      .respond(act.place.responseUrl, renderCard(approval), { to: 'channel', replaces: true })
  }

  return { draw: drawCard, redraw: (approval) => untilStill(approval, redraw), drawPressed }
}

interface Placed {
  readonly card: Card
  /** Of one that stands nowhere. */
  readonly why?: WhyNowhere
}

function whyNowhere(error: unknown): WhyNowhere {
  if (isForWantOfMembership(error)) return 'not-invited'
  return refusalOf(error) === 'is_archived' ? 'archived' : 'refused'
}
