// Somebody grants access: asked first where that is called for, sent once, told what became of it.
// Joins the operations with accounts and Slack; decides nothing about either.
import type { ConnectFirst } from '../account/connect-first.ts'
import type { Audit } from '../audit/audit.ts'
import { UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import type { ChannelStyles } from '../slack/workspace/channels.ts'
import { type About, keptAbout } from './about.ts'
import { heldEntry } from './audit-entry.ts'
import type { Batches } from './batches.ts'
import type { Flag } from './flags.ts'
import type { GrantAccess } from './grant-access.ts'
import { createGrantingOne } from './granting-one.ts'
import { createGrantingSeveral } from './granting-several.ts'
import {
  type GrantingSteps,
  idFor,
  isForSeveral,
  type Kept,
  newId,
  restId,
  type Telling,
  waitingGrant,
} from './granting-steps.ts'
import type { Grants } from './grants.ts'
import type { GrantSettings } from './input-flags.ts'
import type { MarkTold } from './mark-told.ts'
import type { TooMany } from './recipients.ts'
import { renderNeedsApproval } from './render-approval.ts'
import { confirmReasons, type ProfileOrigin, renderConfirm, waitedReason } from './render-confirm.ts'
import type { SendBatch } from './send-batch.ts'
import { createSharing } from './sharing.ts'
import type { Tally } from './tally.ts'
import type { WishOutcomes } from './wish-outcomes.ts'
import { grantsOf, restOf, type Wish } from './wishes.ts'

export interface Granting {
  /**
   * Keeps a wish before anything is sent.
   * @param about - What it is for; its outcome is told where it was asked.
   * @param id - The intent's. Where another wish is kept under it already, this one gets an id of its own.
   * @returns The id under which it is kept.
   */
  keep(from: From, id: string, wish: Wish, about?: About): Promise<string>
  /** True when it is not sent before a colleague has approved it. */
  needsApproval(wish: Wish): boolean
  /** Shows a confirmation for a wish that is kept. */
  confirmFirst(from: From, id: string, wish: Wish, reasons: readonly string[]): Promise<void>
  /** Sends a wish that is kept, and tells the outcome. @param origins - Whose profiles addresses are from. */
  send(from: From, id: string, how: Telling, origins?: readonly ProfileOrigin[]): Promise<void>
  cancel(from: From, id: string): Promise<void>
  share(from: From, id: string): Promise<void>
  /** Asks once more for those of a batch who were certainly not granted and could be. */
  tryRest(from: From, id: string): Promise<void>
  /** Goes on after an account was connected. @param isOld - It waited so long that it is confirmed again. */
  resume(from: From, ask: unknown, isOld: boolean): Promise<void>
}

/** How long a confirmation can be answered. */
const confirmableMs = 60 * 60_000
/** What was asked longer ago is confirmed before the rest of it is tried again. */
const freshMs = 15 * 60_000

export function createGranting(room: {
  readonly grants: Grants
  readonly grantAccess: GrantAccess
  readonly batches: Batches
  readonly outcomes: WishOutcomes
  readonly sendBatch: SendBatch
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly audit: Pick<Audit, 'record'>
  readonly markTold: MarkTold
  readonly tally: Tally
  readonly settings: GrantSettings
  /** A wish with one of these is not sent before a colleague has approved it. */
  readonly approvalFlags: readonly Flag[]
  readonly tooMany: TooMany
  readonly now: Clock
}): Granting {
  const { delivery, audit, approvalFlags, tooMany, now } = room
  const sharing = createSharing(room)
  const one = createGrantingOne({ ...room, sharing })
  const several = createGrantingSeveral({ ...room, sharing, keepWaiting })

  function stepsFor(id: string): GrantingSteps {
    return isForSeveral(id) ? several : one
  }

  async function keepAs(kept: Kept): Promise<string> {
    const id = idFor(kept.wish, kept.id)
    if (await stepsFor(id).keep({ ...kept, id })) return id
    const ownId = newId(kept.wish)
    await stepsFor(ownId).keep({ ...kept, id: ownId })
    return ownId
  }

  async function keepWaiting(kept: Kept): Promise<string | undefined> {
    const id = await keepAs(kept)
    return (await stepsFor(id).unsent(kept.asker, id))?.id
  }

  const keep: Granting['keep'] = ({ asker, place }, id, wish, about) =>
    keepAs({
      ...{ id, asker, wish },
      channelId: place.isDirect ? undefined : place.channelId,
      about: about && keptAbout(about, place),
    })

  const confirmFirst: Granting['confirmFirst'] = ({ place }, id, wish, reasons) =>
    delivery.privately(place, renderConfirm(id, wish, reasons))

  function flagsToApprove({ permissions }: Wish): readonly Flag[] {
    return permissions.filter((flag) => approvalFlags.includes(flag))
  }

  /** Sends it, unless somebody else has to agree first. */
  async function send(
    from: From,
    id: string,
    how: Telling,
    askedAfter: number,
    origins: readonly ProfileOrigin[] = [],
  ): Promise<void> {
    const kept = approvalFlags.length === 0 ? undefined : await stepsFor(id).unsent(from.asker, id)
    const flags = kept === undefined ? [] : flagsToApprove(kept.wish)
    if (kept === undefined || flags.length === 0) return stepsFor(id).send(from, id, how, askedAfter)
    for (const grant of grantsOf(id, kept.wish, kept)) await audit.record(heldEntry(grant))
    const message = renderNeedsApproval(id, kept.wish, flags, origins)
    await delivery.privately(from.place, message, { replaces: how.replaces })
    endsAs('needs-approval')
  }

  return {
    keep,
    needsApproval: (request) => flagsToApprove(request).length > 0,
    confirmFirst,
    send: (from, id, how, origins) => send(from, id, how, now() - confirmableMs, origins),
    async cancel(from, id) {
      const steps = stepsFor(id)
      if (!(await steps.cancel(from.asker, id))) return steps.tellWhatBecame(from, id)
      await delivery.privately(from.place, say('Cancelled. Nothing was sent.'), { replaces: true })
    },
    share: (from, id) => stepsFor(id).share(from, id),
    async tryRest(from, id) {
      const result = await several.findResult(from.asker, id)
      if (result === undefined) return several.tellWhatBecame(from, id)
      const { batch, people } = result
      const tooSoon = await tooMany(from.asker, restOf(people))
      if (tooSoon !== undefined) throw new UserError(tooSoon)
      // The button goes at once. Should that fail, pressing it once more joins.
      await several.withdrawOffer(from, result).catch(() => undefined)
      const wish = { ...batch.wish, emails: restOf(people) }
      if (wish.emails.length === 0) return
      const rest = await keepAs({ ...batch, id: restId(batch.id), wish })
      const isOld = now() - batch.askedAt > freshMs
      if (isOld) return confirmFirst(from, rest, wish, [waitedReason, ...confirmReasons(wish, [])])
      await send(from, rest, { showsLine: false, replaces: false }, 0)
    },
    async resume(from, ask, isOld) {
      const { grantId, ...how } = waitingGrant.parse(ask)
      const steps = stepsFor(grantId)
      // The message that asked to connect is gone by now, and nothing can take its place.
      if (!isOld) return send(from, grantId, { ...how, replaces: false }, 0)
      // The old one must not be sent as well.
      const kept = await steps.unsent(from.asker, grantId)
      if (kept === undefined || !(await steps.cancel(from.asker, grantId))) {
        return steps.tellWhatBecame(from, grantId)
      }
      const { wish } = kept
      const id = await keepAs({ ...kept, id: newId(wish) })
      await confirmFirst(from, id, wish, [waitedReason, ...confirmReasons(wish, [])])
    },
  }
}
