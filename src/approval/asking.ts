// Somebody asks for approval of a wish that was kept when they typed it. Nothing is posted before the request is kept.
import { UserError } from '../errors.ts'
import type { KeptWish, KeptWishes } from '../grant/kept-wishes.ts'
import { leaseMs } from '../lease.ts'
import { type ChannelStyles, isQuiet } from '../slack/channel-style.ts'
import type { ChosenChannels } from '../slack/channels.ts'
import type { ChosenConversation } from '../slack/filled.ts'
import { certainName } from '../slack/names.ts'
import type { Delivery } from '../slack/place.ts'
import type { From } from '../slack/requests.ts'
import type { Act } from './act.ts'
import type { Approval, Approvals } from './approvals.ts'
import type { FourEyes } from './four-eyes.ts'
import { leftOf } from './left.ts'
import type { Owed } from './owed.ts'
import { refusals } from './render-refusals.ts'
import { renderAsked, renderAskedBefore, renderAskedLater } from './render-told.ts'

/** What stands in the modal. */
export interface Asked {
  /** Of the request; minted when the modal is shown. */
  readonly id: string
  readonly wishId: string
  readonly reason: string
  /** Where it shall be posted, when that was asked. */
  readonly chosen: ChosenConversation | undefined
}

export interface Asking {
  /** @throws UserError when there is nothing to ask approval for. */
  wishOf(from: From, wishId: string): Promise<KeptWish & { readonly asksWhere: boolean }>
  /** What speaks against this conversation, in a sentence, where one was chosen. */
  problemWith(from: From, chosen: ChosenConversation | undefined): Promise<string | undefined>
  ask(from: From, asked: Asked): Promise<void>
  /** Once more, after no way led into the channel. */
  postAgain(act: Act, id: string): Promise<void>
}

export interface AskingSettings {
  readonly ttlHours: number
}

export function createAsking(room: {
  readonly approvals: Approvals
  readonly keptWishes: KeptWishes
  readonly fourEyes: FourEyes
  readonly owed: Owed
  readonly delivery: Delivery
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  /** Where requests go; else to the channel of the command. */
  readonly channels: Pick<ChosenChannels, 'of'>
  readonly settings: AskingSettings
}): Asking {
  const { approvals, keptWishes, fourEyes, owed, delivery, channelStyles, channels, settings } = room
  const ttlMs = settings.ttlHours * 60 * 60_000

  function isQuietThere({ asker, place }: From, channelId: string): Promise<boolean> {
    return isQuiet(channelStyles, { asker, place: { ...place, channelId, isDirect: false } })
  }

  /** Where requests go without being told; a quiet channel stays quiet. */
  async function ownChannel(from: From, askedIn: string | undefined): Promise<string | undefined> {
    const { approval } = await channels.of(from.asker.workspaceId)
    if (approval !== undefined) return approval
    return askedIn === undefined || (await isQuietThere(from, askedIn)) ? undefined : askedIn
  }

  async function wishOf(from: From, wishId: string) {
    const kept = await keptWishes.find(from.asker, wishId)
    if (kept === undefined) throw new UserError(refusals.nothingToAsk)
    const wish = leftOf(kept.wish, await approvals.ofWish(from.asker, wishId))
    const goesTo = await ownChannel(from, kept.channelId)
    return { ...kept, wish, goesTo, asksWhere: goesTo === undefined }
  }

  /** Says so where nothing was said: when the card cannot stand anywhere, who asked was told that. */
  async function confirm({ asker, id }: Approval, { place }: From): Promise<void> {
    const kept = await approvals.find(asker.workspaceId, id)
    if (kept === undefined || kept.card.kind === 'nowhere') return
    await delivery.privately(place, kept.card.kind === 'none' ? renderAskedLater() : renderAsked(kept))
  }

  return {
    wishOf,
    async problemWith(from, chosen) {
      if (chosen === undefined) return undefined
      const { channelId, isDirect } = chosen
      // Nobody could change a card there, and Slack does not say who would see it.
      if (isDirect || channelId === undefined) return refusals.directThere
      return (await isQuietThere(from, channelId)) ? refusals.quietThere : undefined
    },
    async ask(from, { id, wishId, reason, chosen }) {
      const { asker, place } = from
      const { wish, goesTo } = await wishOf(from, wishId)
      const channelId = goesTo ?? chosen?.channelId
      // It was set to quiet while the modal was open.
      if (channelId === undefined) throw new UserError(refusals.quietHere)
      const barred = await fourEyes.barredFor(asker, wish)
      // It must not be sent as well, by an account that is connected meanwhile.
      if (!(await keptWishes.giveUp(asker, wishId))) throw new UserError(refusals.nothingToAsk)
      const { workspaceId, userId } = asker
      const frozen = { asker: { workspaceId, userId }, askerName: certainName(asker), wish, reason, barred }
      const { isNew, approval } = await approvals.ask(
        {
          id,
          wishId,
          ...frozen,
          channelId,
          threadTs: place.channelId === channelId ? place.threadTs : undefined,
        },
        { ttlMs, claimMs: leaseMs },
      )
      if (!isNew) return delivery.privately(place, renderAskedBefore(approval))
      const cardUrl = [place, chosen].find((one) => one?.channelId === channelId)?.responseUrl
      await owed.fulfil(approval, { ...from, isCard: false }, cardUrl)
      await confirm(approval, from)
    },
    async postAgain(act, id) {
      const approval = await approvals.postAgain(act.asker, id, leaseMs)
      if (approval === undefined) throw new UserError(refusals.postedAlready)
      const { channelId, responseUrl } = act.place
      const cardUrl = channelId === approval.channelId ? responseUrl : undefined
      await owed.fulfil(approval, act, cardUrl)
      await confirm(approval, act)
    },
  }
}
