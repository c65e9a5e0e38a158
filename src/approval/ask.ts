// Asks for approval of a wish that was kept when somebody typed it. Nothing is posted before the request is kept.
//
// previewRequest        *Ask for approval* is pressed: the access, and whether the modal has to ask where to post it
// problemWithChannel    the modal is sent: what speaks against the channel that was chosen in it, before the ack
// askForApproval        the modal was good: looks at all of it anew, keeps the request, posts its card
// postAgain             the same button once more, where no way led into the channel
import { UserError } from '../errors.ts'
import { findOwn } from '../grant/granting.ts'
import { leftToApprove, resultsOf, type Wish, wishOf } from '../grant/wish.ts'
import type { SendRoom } from '../send/room.ts'
import type { KeptWish } from '../send/wishes.ts'
import type { ChosenConversation, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { certainName } from '../slack/workspace/people.ts'
import { leaseMs } from '../work/lease.ts'
import { type Approval, verdictOf } from './approvals.ts'
import { mayNameIn } from './card.ts'
import { followUp } from './follow-ups.ts'
import { barredFor } from './four-eyes.ts'
import {
  grantedBefore,
  notCertainBefore,
  renderAsked,
  renderAskedBefore,
  renderAskedLater,
  whyNot,
} from './render/told.ts'
import type { ApprovalRoom, Press } from './room.ts'

const hourMs = 60 * 60_000
/** Those who are mentioned with a request are mentioned again so long before it expires. */
const remindBeforeMs = hourMs

/** The modal that asks, filled in. */
export interface AskForm {
  /** The request's; minted when the modal is shown. */
  readonly id: string
  readonly wishId: string
  readonly reason: string
  /** The conversation to post it to, when that was asked. */
  readonly chosen: ChosenConversation | undefined
}

/**
 * Finds the access that there is to ask for, and whether whoever asks has to say where. As a modal must open at once,
 * what Slack said of the channel not long ago will do: it is asked anew before anything is posted. With it comes what
 * whoever asks gave these people before, or asked for, as markup.
 * @throws UserError when there is none.
 */
export async function previewRequest(
  room: ApprovalRoom,
  from: From,
  wishId: string,
): Promise<
  Pick<Approval, 'wish' | 'container'> & {
    readonly asksWhere: boolean
  }
> {
  const { wish, goesTo } = await planRequest(room, from, wishId, { isFresh: false })
  const container = await room.containerWords(from.asker, wish.containerId)
  return { wish, container, asksWhere: goesTo.channelId === undefined }
}

/** Says in a sentence what speaks against this conversation, where one was chosen. */
export function problemWithChannel(chosen: AskForm['chosen']): string | undefined {
  if (chosen === undefined) return undefined
  const { channelId, isDirect } = chosen
  // Nobody could change a card there, and Slack does not say who would see it.
  if (isDirect || channelId === undefined) return whyNot.directThere
  return undefined
}

/**
 * Keeps the request, and posts it.
 * @throws UserError when there is nothing to ask for, or nowhere to post it.
 */
export async function askForApproval(room: ApprovalRoom, from: From, asked: AskForm): Promise<void> {
  const { id, wishId, reason, chosen } = asked
  const { asker, place } = from
  const { wish, goesTo } = await planRequest(room, from, wishId, { isFresh: true })
  const channelId = goesTo.channelId ?? (await chosenChannel(room, from, goesTo.why, chosen))
  const barred = await barredFor(room, asker, wish)
  const isNamed = await mayNameIn(room, asker, channelId)
  const container = isNamed ? await room.containerWords(asker, wish.containerId) : undefined
  // The wish must not be sent as well, by an account that is connected meanwhile.
  if (!(await handOver(room.send, asker, wishId))) throw new UserError(whyNot.nothingToAsk)
  const { workspaceId, userId } = asker
  const ttlMs = room.settings.ttlHours * hourMs
  const { isNew, approval } = await room.approvals.ask(
    {
      ...{ id, wishId, wish, container, reason, barred, channelId },
      asker: { workspaceId, userId },
      askerName: certainName(asker),
      threadTs: place.channelId === channelId ? place.threadTs : undefined,
    },
    { ttlMs, claimMs: leaseMs, remindBeforeMs: ttlMs > remindBeforeMs ? remindBeforeMs : undefined },
  )
  if (!isNew) return room.delivery.privately(place, renderAskedBefore(approval))
  const cardUrl = [place, chosen].find((one) => one?.channelId === channelId)?.responseUrl
  await followUp(room, approval, { ...from, isCard: false }, cardUrl)
  await sayAsked(room, from, approval)
}

/** Posts a request once more, after no way led into the channel. */
export async function postAgain(room: ApprovalRoom, press: Press, id: string): Promise<void> {
  const { asker: presser, place } = press
  const approval = await room.approvals.postAgain(presser, id, leaseMs)
  if (approval === undefined) throw new UserError(whyNot.postedAlready)
  const { channelId, responseUrl } = place
  const cardUrl = channelId === approval.channelId ? responseUrl : undefined
  await followUp(room, approval, press, cardUrl)
  await sayAsked(room, press, approval)
}

/** Tells who asked that it was asked, unless they were told that its card can stand nowhere. */
async function sayAsked(
  { approvals, delivery }: ApprovalRoom,
  { place }: From,
  { asker, id }: Approval,
): Promise<void> {
  const kept = await approvals.find(asker.workspaceId, id)
  if (kept === undefined || kept.card.kind === 'nowhere') return
  await delivery.privately(place, kept.card.kind === 'none' ? renderAskedLater() : renderAsked(kept))
}

/** A channel, or, in a sentence, why a request has to be told where it goes. */
type GoesTo = { readonly channelId: string } | { readonly channelId?: undefined; readonly why: string }

/** A look whether another organisation reads in a channel. */
interface SharedLook {
  /** Slack is asked anew; else what it said not long ago will do. */
  readonly isFresh: boolean
}

/** Says what a request would ask for, and where it would go. @throws UserError when there is nothing to ask for. */
async function planRequest(
  room: ApprovalRoom,
  from: From,
  wishId: string,
  look: SharedLook,
): Promise<{ readonly wish: Wish; readonly goesTo: GoesTo }> {
  const approvable = await findApprovable(room.send, from.asker, wishId)
  if (approvable === undefined) throw new UserError(whyNot.nothingToAsk)
  const wish = withoutGranted(approvable.wish, await room.approvals.ofWish(from.asker, wishId))
  return { wish, goesTo: await ownChannel(room, from, approvable.channelId, look) }
}

/** The part of a wish that a colleague could grant: what was refused for want of rights, or never sent. */
interface Approvable {
  readonly wish: Wish
  /** The channel in which it was asked; undefined when there was none. */
  readonly channelId: string | undefined
}

/** Finds that part of the asker's own wish; undefined when there is none, or the wish is unknown or somebody else's. */
export async function findApprovable(
  send: Pick<SendRoom, 'wishes'>,
  asker: SlackUser,
  id: string,
): Promise<Approvable | undefined> {
  const kept = await findOwn(send, asker, id)
  return kept && approvableOf(kept)
}

/**
 * Takes a wish out of play. True when something is left of it that a colleague could grant, and the asker's own wish
 * will not send it.
 */
export async function handOver(
  send: Pick<SendRoom, 'wishes'>,
  asker: SlackUser,
  id: string,
): Promise<boolean> {
  // One that does not wait any more is not cancelled: it was handed over before, or sent, with a rest perhaps.
  await send.wishes.cancel(asker, id, 'handed-over')
  const kept = await findOwn(send, asker, id)
  return kept !== undefined && kept.state !== 'asked' && approvableOf(kept) !== undefined
}

function approvableOf(kept: KeptWish): Approvable | undefined {
  const { channelId } = kept
  const wish = wishOf(kept)
  if (kept.state !== 'sending' && kept.state !== 'settled') return { wish, channelId }
  const emails = leftToApprove(kept.state === 'settled' ? (resultsOf(kept) ?? []) : [])
  return emails.length === 0 ? undefined : { wish: { ...wish, emails }, channelId }
}

/**
 * The wish without those who got it by an approval.
 * @param before - Every request that was made for it.
 * @throws UserError when nobody is left, or when it is not certain what became of somebody.
 */
function withoutGranted(wish: Wish, before: readonly Approval[]): Wish {
  let { emails } = wish
  for (const { approver, ending } of before) {
    if (ending?.kind !== 'approved') continue
    const approverName = approver?.name ?? ''
    if (verdictOf(ending.results) === 'uncertain') throw new UserError(notCertainBefore(approverName))
    const granted = ending.results.filter(({ outcome }) => outcome.kind === 'done')
    emails = emails.filter((email) => !granted.some((one) => one.email === email))
    if (emails.length === 0) throw new UserError(grantedBefore(approverName))
  }
  return { ...wish, emails }
}

/** The channel where requests go without being told: none where other organisations read along. */
async function ownChannel(
  room: ApprovalRoom,
  from: From,
  askedIn: string | undefined,
  { isFresh }: SharedLook,
): Promise<GoesTo> {
  const { workspaceId } = from.asker
  const sharing = room.sharedChannels.in(workspaceId)
  const isShared = async (channelId: string) =>
    (await (isFresh ? sharing.isShared(channelId) : sharing.wasShared(channelId))) === true
  const { approval } = await room.channels.of(workspaceId)
  if (approval !== undefined) {
    if (!(await isShared(approval))) return { channelId: approval }
    warnOnce(room, workspaceId, approval)
    throw new UserError(whyNot.sharedApproval[room.channels.by])
  }
  if (askedIn === undefined) return { why: whyNot.directThere }
  return (await isShared(askedIn)) ? { why: whyNot.sharedHere } : { channelId: askedIn }
}

/**
 * @param why - Said where nothing was chosen, as something changed while the modal was open.
 * @throws UserError when it can be posted nowhere.
 */
async function chosenChannel(
  { sharedChannels }: ApprovalRoom,
  { asker }: From,
  why: string,
  chosen: AskForm['chosen'],
): Promise<string> {
  const channelId = chosen?.channelId
  if (channelId === undefined) throw new UserError(why)
  const isShared = await sharedChannels.in(asker.workspaceId).isShared(channelId)
  if (isShared === true) throw new UserError(whyNot.sharedThere)
  return channelId
}

const mostWarned = 1_000

function warnOnce({ warnedOf, log }: ApprovalRoom, workspaceId: string, channelId: string): void {
  if (warnedOf.has(channelId)) return
  if (warnedOf.size >= mostWarned) warnedOf.clear()
  warnedOf.add(channelId)
  log.warn(
    { workspace: workspaceId, channel: channelId },
    'the approval channel is shared with another organisation: requests are not posted there',
  )
}
