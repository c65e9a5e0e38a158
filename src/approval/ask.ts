// Somebody asks for approval of a wish that was kept when they typed it. Nothing is posted before the request is kept.
import { UserError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import type { Wishes } from '../send/wishes.ts'
import type { ChosenConversation } from '../slack/guard/filled.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import {
  type ChannelStyles,
  type ChosenChannels,
  isQuiet,
  type Sharing,
} from '../slack/workspace/channels.ts'
import { certainName } from '../slack/workspace/people.ts'
import { leaseMs } from '../work/lease.ts'
import type { Approval, Approvals } from './approvals.ts'
import type { Owed } from './follow-ups.ts'
import type { FourEyes } from './four-eyes.ts'
import { handOver, keptToApprove, type ToApprove } from './kept.ts'
import { leftOf } from './left.ts'
import type { Act } from './press.ts'
import { refusals } from './render/refusals.ts'
import { renderAsked, renderAskedBefore, renderAskedLater } from './render/told.ts'

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
  wishOf(from: From, wishId: string): Promise<ToApprove & { readonly asksWhere: boolean }>
  /** What speaks against this conversation, in a sentence, where one was chosen. */
  problemWith(from: From, chosen: ChosenConversation | undefined): Promise<string | undefined>
  ask(from: From, asked: Asked): Promise<void>
  /** Once more, after no way led into the channel. */
  postAgain(act: Act, id: string): Promise<void>
}

export interface AskingSettings {
  readonly ttlHours: number
}

/** Or, in a sentence, why a request has to be told where it goes. */
type Own = { readonly channelId: string } | { readonly channelId?: undefined; readonly why: string }

const mostWarned = 1_000

export function createAsking(room: {
  readonly approvals: Approvals
  readonly wishes: Wishes
  readonly fourEyes: FourEyes
  readonly owed: Owed
  readonly delivery: Delivery
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  /** Where requests go; else to the channel of the command. */
  readonly channels: ChosenChannels
  readonly sharing: PerWorkspace<Sharing>
  readonly settings: AskingSettings
  readonly log: Log
}): Asking {
  const { approvals, wishes, fourEyes, owed, delivery, channelStyles, channels, settings, log } = room
  const warned = new Set<string>()
  const ttlMs = settings.ttlHours * 60 * 60_000

  function isQuietThere({ asker, place }: From, channelId: string): Promise<boolean> {
    return isQuiet(channelStyles, { asker, place: { ...place, channelId, isDirect: false } })
  }

  /**
   * Where requests go without being told: not to a quiet channel, nor where other organisations read along.
   * @param look - `isShared` asks Slack anew.
   */
  async function ownChannel(from: From, askedIn: string | undefined, look: keyof Sharing): Promise<Own> {
    const { workspaceId } = from.asker
    const isShared = async (channelId: string) =>
      (await room.sharing.in(workspaceId)[look](channelId)) === true
    const { approval } = await channels.of(workspaceId)
    if (approval !== undefined) {
      if (!(await isShared(approval))) return { channelId: approval }
      warnOnce(workspaceId, approval)
      throw new UserError(refusals.sharedApproval[channels.by])
    }
    if (askedIn === undefined || (await isQuietThere(from, askedIn))) return { why: refusals.quietHere }
    return (await isShared(askedIn)) ? { why: refusals.sharedHere } : { channelId: askedIn }
  }

  function warnOnce(workspaceId: string, channelId: string): void {
    if (warned.has(channelId)) return
    if (warned.size >= mostWarned) warned.clear()
    warned.add(channelId)
    log.warn(
      { workspace: workspaceId, channel: channelId },
      'the approval channel is shared with another organisation: requests are not posted there',
    )
  }

  async function wishOf(from: From, wishId: string, look: keyof Sharing = 'wasShared') {
    const kept = await keptToApprove(wishes, from.asker, wishId)
    if (kept === undefined) throw new UserError(refusals.nothingToAsk)
    const wish = leftOf(kept.wish, await approvals.ofWish(from.asker, wishId))
    const goesTo = await ownChannel(from, kept.channelId, look)
    return { ...kept, wish, goesTo, asksWhere: goesTo.channelId === undefined }
  }

  /** @throws UserError when it can be posted nowhere, as something changed while the modal was open. */
  async function channelFor({ asker }: From, goesTo: Own, chosen: Asked['chosen']): Promise<string> {
    if (goesTo.channelId !== undefined) return goesTo.channelId
    const channelId = chosen?.channelId
    if (channelId === undefined) throw new UserError(goesTo.why)
    const isShared = await room.sharing.in(asker.workspaceId).isShared(channelId)
    if (isShared === true) throw new UserError(refusals.sharedThere)
    return channelId
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
      const { wish, goesTo } = await wishOf(from, wishId, 'isShared')
      const channelId = await channelFor(from, goesTo, chosen)
      const barred = await fourEyes.barredFor(asker, wish)
      // It must not be sent as well, by an account that is connected meanwhile.
      if (!(await handOver(wishes, asker, wishId))) throw new UserError(refusals.nothingToAsk)
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
