// Several people are granted access: one POST each, one message that tells what became of everybody.
import type { ConnectFirst } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import type { Batch, Batches } from './batches.ts'
import {
  type GrantingSteps,
  goneWords,
  isRest,
  joinedNote,
  type Kept,
  orLeaveUntold,
  type Telling,
  underWay,
  wanted,
} from './granting-steps.ts'
import { commandLine, isSameWish } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import type { MarkTold } from './mark-told.ts'
import { doubtedNote } from './render.ts'
import { askApprovalButton } from './render-ask.ts'
import { renderSeveral, renderSharedSeveral, type SeveralNotes } from './render-several.ts'
import { renderSending } from './render-wish.ts'
import type { SendBatch } from './send-batch.ts'
import { besideStory, type ShareMark, type Sharing } from './sharing.ts'
import { noteOutcome, type Tally } from './tally.ts'
import type { WishOutcomes } from './wish-outcomes.ts'
import { hasCode, restOf, type Told, waitingOf } from './wishes.ts'

export interface GrantingSeveral extends GrantingSteps {
  /** The asker's own batch and its result; undefined while it has none. */
  findResult(asker: SlackUser, id: string): Promise<BatchResult | undefined>
  /** Takes *Try the rest again* out of the message it was pressed in. */
  withdrawOffer(from: From, result: BatchResult): Promise<void>
}

export interface BatchResult {
  readonly batch: Batch
  readonly people: readonly Told[]
}

export function createGrantingSeveral(room: {
  readonly batches: Batches
  readonly outcomes: WishOutcomes
  readonly sendBatch: SendBatch
  /** Keeps what waits for an account, which may be one person only; undefined when it waits no more. */
  readonly keepWaiting: (kept: Kept) => Promise<string | undefined>
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly sharing: Sharing
  readonly markTold: MarkTold
  readonly tally: Tally
  readonly settings: GrantSettings
}): GrantingSeveral {
  const { batches, outcomes, sendBatch, keepWaiting, connectFirst, delivery, sharing, settings } = room
  const { markTold, tally } = room

  function shareMark({ id, asker: { workspaceId } }: Batch): ShareMark {
    return { set: () => batches.shared(workspaceId, id), take: () => batches.notShared(workspaceId, id) }
  }

  function tellAsker(
    from: From,
    { batch, people }: BatchResult,
    how: Telling,
    notes: Omit<SeveralNotes, 'line'>,
  ): Promise<void> {
    const { id, wish } = batch
    const line = how.showsLine ? commandLine(wish, settings) : undefined
    const message = renderSeveral(id, wish, people, { ...notes, line })
    return delivery.privately(from.place, message, { replaces: how.replaces })
  }

  async function tell(
    from: From,
    result: BatchResult,
    how: Telling,
    notes: Omit<SeveralNotes, 'canShare' | 'line' | 'offersRest'>,
  ): Promise<void> {
    const { batch, people } = result
    const { wish, channelId } = batch
    // The one that stands for it is told where it was asked.
    const about = notes.note === undefined ? batch.about : undefined
    const shared = renderSharedSeveral(from.asker.name, wish, people, about)
    const story = await sharing.inThread(from, about, shared, shareMark(batch))
    // What is left to do is for the asker alone.
    if (story === 'told' && restOf(people).length === 0 && !hasCode(people, 'forbidden')) return
    const canShare = story === 'not-told' && (await sharing.isOpen(from, channelId))
    const beside = { ...from, place: besideStory(from.place, story) }
    const note = notes.note ?? (people.some(({ wasDoubted }) => wasDoubted) ? doubtedNote : undefined)
    await tellAsker(beside, result, how, { ...notes, note, canShare, offersRest: true })
  }

  async function told({ batch: { asker, id }, people }: BatchResult): Promise<void> {
    if (await markTold(() => batches.told(asker.workspaceId, id))) tally(people, 'at_once')
  }

  /** The token was refused: whoever was not sent for want of it waits under an id that follows from this one. */
  async function waitAgain(from: From, result: BatchResult, how: Telling, isTold: boolean): Promise<void> {
    const { batch, people } = result
    const emails = waitingOf(people)
    const hasMore = emails.length < people.length
    const wish = { ...batch.wish, emails }
    const id = await keepWaiting({ ...batch, id: `${batch.id}:again`, wish })
    if (hasMore && !isTold) await tell(from, result, how, { waits: true })
    if (id !== undefined) {
      const replaces = how.replaces && !hasMore
      const text = hasMore ? { text: restWaits } : {}
      await connectFirst.ask(from, wanted(id, how), 'refused', { replaces, ...text })
    }
    await told(result)
  }

  async function findOwn(asker: SlackUser, id: string): Promise<Batch | undefined> {
    const batch = await batches.find(asker.workspaceId, id)
    return batch?.asker.userId === asker.userId ? batch : undefined
  }

  async function resultOf(batch: Batch | undefined): Promise<BatchResult | undefined> {
    if (batch?.state !== 'settled') return undefined
    const people = await outcomes.find(batch.asker, batch.id, batch.wish)
    return people && { batch, people }
  }

  return {
    async keep({ asker: { workspaceId, userId }, ...rest }) {
      await batches.ask({ ...rest, asker: { workspaceId, userId } })
      const kept = await batches.find(workspaceId, rest.id)
      return kept !== undefined && isSameWish(kept.wish, rest.wish)
    },
    async unsent(asker, id) {
      const batch = await findOwn(asker, id)
      return batch?.state === 'asked' ? batch : undefined
    },
    async send(from, id, how, askedAfter) {
      const sendAndTell = async (token: string) => {
        // The buttons go at once. Should that fail, the result comes all the same.
        const onSending = async ({ wish }: Batch) => {
          if (!how.replaces) return
          await delivery.privately(from.place, renderSending(wish), { replaces: true }).catch(() => undefined)
        }
        const sent = await sendBatch(from.asker, token, id, { askedAfter, joins: !isRest(id), onSending })
        if (sent.kind === 'gone') throw new UserError(goneWords(await findOwn(from.asker, id)))
        if (sent.kind === 'repeated') {
          const result = await resultOf(await findOwn(from.asker, sent.batch.id))
          const isRefused = result !== undefined && waitingOf(result.people).length > 0
          return isRefused ? waitAgain(from, result, how, true) : undefined
        }
        if (waitingOf(sent.people).length > 0) await waitAgain(from, sent, how, false)
        else {
          await tell(from, sent, how, { note: sent.isJoined ? joinedNote : undefined })
          await told(sent)
        }
        noteOutcome(sent.people)
      }
      const { workspaceId } = from.asker
      const leaveUntold = () => batches.leaveUntold(workspaceId, id)
      const renew = () => batches.renewTelling(workspaceId, id, leaseMs)
      const work = (token: string) =>
        orLeaveUntold(() => renewing(renew, () => sendAndTell(token)), leaveUntold)
      await connectFirst.withToken(from, wanted(id, how), work, { beside: askApprovalButton(id) })
    },
    cancel: (asker, id) => batches.cancel(asker, id),
    async tellWhatBecame(from, id) {
      const batch = await findOwn(from.asker, id)
      if (batch?.state === 'sending') return delivery.privately(from.place, say(underWay))
      const result = await resultOf(batch)
      if (result === undefined) return delivery.privately(from.place, say(goneWords(batch)))
      await tell(from, result, { showsLine: false, replaces: false }, {})
    },
    async share(from, id) {
      const result = await resultOf(await findOwn(from.asker, id))
      if (result?.batch.channelId === undefined) return
      const { batch, people } = result
      const { wish, about } = batch
      const reason = about?.isForAll ? about : undefined
      const message = renderSharedSeveral(from.asker.name, wish, people, reason)
      await sharing.inChannel(from, result.batch.channelId, message, shareMark(batch))
    },
    findResult: async (asker, id) => resultOf(await findOwn(asker, id)),
    async withdrawOffer(from, result) {
      const { about, channelId } = result.batch
      const canShare = !about?.isForAll && (await sharing.isOpen(from, channelId))
      await tellAsker(from, result, { showsLine: false, replaces: true }, { canShare, offersRest: false })
    },
  }
}

const restWaits =
  'The rest was not sent: your token is no longer accepted by the monitoring service. Connect your account again within 15 minutes and it goes on by itself.'
