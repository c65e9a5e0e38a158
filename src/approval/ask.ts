// Asks for approval of a wish that was kept when somebody typed it. Nothing is posted before the request is kept.
//
// previewRequest    *Ask for approval* is pressed: the access, and whether the modal has to ask where to post it
// askForApproval    the modal was good: keeps the request, posts its card
import { UserError } from '../errors.ts'
import { findOwn } from '../grant/granting.ts'
import { leftToApprove, resultsOf, type Wish, wishOf } from '../grant/wish.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { KeptWish } from '../send/wishes.ts'
import type { ChosenConversation, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { personInLine } from '../slack/workspace/names.ts'
import { leaseMs } from '../work/lease.ts'
import type { Approval } from './approvals.ts'
import { followUp } from './follow-ups.ts'
import { barredFor } from './four-eyes.ts'
import { renderAsked, renderAskedLater, whyNot, wordsAskedBefore } from './render/told.ts'

const hourMs = 60 * 60_000

/** The modal that asks, filled in. */
export interface AskForm {
  readonly wishId: string
  readonly reason: string
  /** The conversation to post it to, when that was asked. */
  readonly chosen: ChosenConversation | undefined
}

/**
 * Finds the access that there is to ask for, and whether whoever asks has to say where. As a modal must open at once,
 * what Slack said of the channel not long ago will do: it is asked anew before anything is posted.
 * @throws UserError when there is none, or it was asked for before.
 */
export async function previewRequest(
  house: House,
  { asker }: From,
  wishId: string,
): Promise<Pick<Approval, 'wish' | 'container'> & { readonly asksWhere: boolean }> {
  const { wish, channelId } = await planRequest(house, asker, wishId)
  const container = containerInWords(house, asker, wish.containerId)
  const isThere = channelId !== undefined && (await house.slack.channels.wasShared(channelId)) !== true
  return { wish, container, asksWhere: house.config.approval.channelId === undefined && !isThere }
}

/**
 * Keeps the request, and posts it.
 * @throws UserError when there is nothing to ask for, or nowhere to post it.
 */
export async function askForApproval(house: House, from: From, asked: AskForm): Promise<void> {
  const { wishId, reason, chosen } = asked
  const { asker, place } = from
  const { approvals } = house.storage
  const { workspaceId, userId } = asker
  const { id, wish, channelId: askedIn } = await planRequest(house, asker, wishId)
  const channelId = house.config.approval.channelId ?? chosen?.channelId ?? askedIn
  if (channelId === undefined) throw new UserError(whyNot.directThere)
  const barred = await barredFor(house, asker, wish)
  const isOwn = (await house.slack.channels.wasShared(channelId)) === false
  const container = isOwn ? containerInWords(house, asker, wish.containerId) : undefined
  // The wish must not be sent as well, by an account that is connected meanwhile.
  if (!(await handOver(house, asker, wishId))) throw new UserError(whyNot.nothingToAsk)
  const { isNew, approval } = await approvals.ask(
    {
      ...{ id, wish, container, reason, barred, channelId },
      asker: { workspaceId, userId },
      askerName: personInLine(asker),
      threadTs: place.channelId === channelId ? place.threadTs : undefined,
    },
    { ttlMs: house.config.approval.ttlHours * hourMs, claimMs: leaseMs },
  )
  if (!isNew) throw new UserError(wordsAskedBefore)
  await followUp(house, approval, { ...from, isCard: false })
  const kept = await approvals.find(workspaceId, id)
  // It could not be posted, and they were told why.
  if (kept === undefined) return
  await house.slack.privately(place, kept.card === undefined ? renderAskedLater() : renderAsked(kept))
}

/** Says what a request would ask for. @throws UserError when there is nothing to ask for, or it was asked for before. */
async function planRequest(
  house: House,
  asker: SlackUser,
  wishId: string,
): Promise<Approvable & { readonly id: string }> {
  // One request for each wish.
  const id = `${wishId}:ask`
  if ((await house.storage.approvals.find(asker.workspaceId, id)) !== undefined)
    throw new UserError(wordsAskedBefore)
  const approvable = await findApprovable(house, asker, wishId)
  if (approvable === undefined) throw new UserError(whyNot.nothingToAsk)
  return { ...approvable, id }
}

/** The part of a wish that a colleague could grant: what was refused for want of rights, or never sent. */
interface Approvable {
  readonly wish: Wish
  /** The channel in which it was asked; undefined when there was none. */
  readonly channelId: string | undefined
}

/** Finds that part of the asker's own wish; undefined when there is none, or the wish is unknown or somebody else's. */
export async function findApprovable(
  house: House,
  asker: SlackUser,
  id: string,
): Promise<Approvable | undefined> {
  const kept = await findOwn(house, asker, id)
  return kept && approvableOf(kept)
}

/**
 * Takes a wish out of play. True when something is left of it that a colleague could grant, and the asker's own wish
 * will not send it.
 */
export async function handOver(house: House, asker: SlackUser, id: string): Promise<boolean> {
  // One that does not wait any more is not cancelled: it was handed over before, or sent, with a rest perhaps.
  await house.storage.wishes.cancel(asker, id, 'handed-over')
  const kept = await findOwn(house, asker, id)
  return kept !== undefined && kept.state !== 'asked' && approvableOf(kept) !== undefined
}

function approvableOf(kept: KeptWish): Approvable | undefined {
  const { channelId } = kept
  const wish = wishOf(kept)
  if (kept.state !== 'sending' && kept.state !== 'settled') return { wish, channelId }
  const emails = leftToApprove(kept.state === 'settled' ? (resultsOf(kept) ?? []) : [])
  return emails.length === 0 ? undefined : { wish: { ...wish, emails }, channelId }
}
