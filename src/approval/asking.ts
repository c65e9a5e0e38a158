// Somebody asks for approval of a wish that was kept when they typed it. Nothing is posted before the request is kept.
import { UserError } from '../errors.ts'
import type { KeptWish, KeptWishes } from '../grant/kept-wishes.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/place.ts'
import type { From } from '../slack/requests.ts'
import type { Act } from './act.ts'
import type { Approval, Approvals } from './approvals.ts'
import type { FourEyes } from './four-eyes.ts'
import { claimMs, type Owed } from './owed.ts'
import { refusals } from './render-refusals.ts'
import { renderAsked, renderAskedBefore, renderAskedLater } from './render-told.ts'

/** What stands in the modal. */
export interface Asked {
  /** Of the request; minted when the modal is shown. */
  readonly id: string
  readonly wishId: string
  readonly reason: string
  /** Where it shall be posted, when that was asked. */
  readonly chosen: { readonly channelId: string; readonly url: string | undefined } | undefined
}

export interface Asking {
  /** @throws UserError when there is nothing to ask approval for. */
  wishOf(asker: SlackUser, wishId: string): Promise<KeptWish & { readonly asksWhere: boolean }>
  ask(from: From, asked: Asked): Promise<void>
  /** Once more, after no way led into the channel. */
  postAgain(act: Act, id: string): Promise<void>
}

export interface AskingSettings {
  /** Where requests go; else to the channel of the command. */
  readonly channelId: string | undefined
  readonly ttlHours: number
}

export function createAsking(room: {
  readonly approvals: Approvals
  readonly keptWishes: KeptWishes
  readonly fourEyes: FourEyes
  readonly owed: Owed
  readonly delivery: Delivery
  readonly settings: AskingSettings
}): Asking {
  const { approvals, keptWishes, fourEyes, owed, delivery, settings } = room
  const ttlMs = settings.ttlHours * 60 * 60_000

  async function wishOf(asker: SlackUser, wishId: string) {
    const kept = await keptWishes.find(asker, wishId)
    if (kept === undefined) throw new UserError(refusals.nothingToAsk)
    return { ...kept, asksWhere: (settings.channelId ?? kept.channelId) === undefined }
  }

  /** Says so where nothing was said: when the card cannot stand anywhere, who asked was told that. */
  async function confirm({ asker, id }: Approval, { place }: From): Promise<void> {
    const kept = await approvals.find(asker.workspaceId, id)
    if (kept === undefined || kept.card.kind === 'nowhere') return
    await delivery.privately(place, kept.card.kind === 'none' ? renderAskedLater() : renderAsked(kept))
  }

  return {
    wishOf,
    async ask(from, { id, wishId, reason, chosen }) {
      const { asker, place } = from
      const { wish, channelId: askedIn } = await wishOf(asker, wishId)
      const barred = await fourEyes.barredFor(asker, wish)
      // It must not be sent as well, by an account that is connected meanwhile.
      if (!(await keptWishes.giveUp(asker, wishId))) throw new UserError(refusals.nothingToAsk)
      const channelId = settings.channelId ?? askedIn ?? chosen?.channelId
      const { workspaceId, userId } = asker
      const frozen = { asker: { workspaceId, userId }, askerName: asker.name, wish, reason, barred }
      const { isNew, approval } = await approvals.ask(
        { id, wishId, ...frozen, channelId },
        { ttlMs, claimMs },
      )
      if (!isNew) return delivery.privately(place, renderAskedBefore(approval))
      const cardUrl = [{ channelId: place.channelId, url: place.responseUrl }, chosen].find(
        (one) => one?.channelId === channelId,
      )?.url
      await owed.fulfil(approval, { ...from, isCard: false }, cardUrl)
      await confirm(approval, from)
    },
    async postAgain(act, id) {
      const approval = await approvals.postAgain(act.asker, id, claimMs)
      if (approval === undefined) throw new UserError(refusals.postedAlready)
      const { channelId, responseUrl } = act.place
      const cardUrl = channelId === approval.channelId ? responseUrl : undefined
      await owed.fulfil(approval, act, cardUrl)
      await confirm(approval, act)
    },
  }
}
