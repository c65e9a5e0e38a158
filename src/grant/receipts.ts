// Posts receipts (outcomes of grants): to the asker alone, in the thread of the alert that access was granted for, or in a
// channel by *Share in channel*.

import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { Request } from '../send/request.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import { type Message, say } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import { dayMs } from '../work/durations.ts'
import { accessOf, isForAccess, isGranted, type Result, resultsOf } from './access.ts'
import { commandLine } from './input/line.ts'
import {
  inVain,
  lookedNotes,
  type ReceiptNotes,
  renderReceipt,
  renderShared,
} from './render/receipt.ts'

/** Somebody who asks, and how their receipt or list is sent. */
export interface ReceiptTo extends From {
  /** True if the receipt, after a form, shows the `/grant` line that would have given the same access. */
  readonly showsLine?: boolean
  /** True if it replaces the message whose button was pressed. */
  readonly replaces?: boolean
}

/** Finds somebody's own request for access: no action on an alert, and no request for approval. */
export async function findOwn({ storage }: House, asker: SlackUser, id: string) {
  const kept = await storage.requests.find({ workspaceId: asker.workspaceId, id })
  const isOwn = kept?.askerId === asker.userId && isForAccess(kept) && kept.approval === undefined

  return isOwn ? kept : undefined
}

/** Finds the asker’s request; undefined while it is being sent. @throws UserError if it was never sent, nor will be. */
export async function findSent(house: House, { asker, value }: ActionRequest) {
  const kept = await findOwn(house, asker, value)
  throwIfNeverSent(kept)

  return kept?.state === 'sent' ? kept : undefined
}

/** @throws UserError if nothing was sent for the request, and nothing will be. */
export function throwIfNeverSent(kept: Request | undefined): void {
  if (kept === undefined) throw new UserError(inVain.notStored)
  if (kept.state === 'handed-over') throw new UserError(inVain.handedOver)
  if (kept.state === 'cancelled' || kept.state === 'asked') throw new UserError(inVain.expired)
}

/** The receipt for the asker. @param notes - Parts of the receipt that differ from one caller to another. */
export function receiptFor(
  house: House,
  asker: SlackUser,
  kept: Request,
  notes: Partial<ReceiptNotes> = {},
  results: readonly Result[] = resultsOf(kept),
): Message {
  const { roles, authProviders, hasAllOperations: canLook } = house.config
  const access = accessOf(kept)
  const container = containerInWords(house, asker, access.containerId)
  const canShare = !kept.about?.isForAll && kept.channelId !== undefined
  const how = {
    roles,
    authProviders,
    container,
    canShare,
    canLook,
    endsAt: kept.endsAt,
    ...notes,
  }

  return renderReceipt(kept.id, access, results, how)
}

/** Shows a receipt as it is now, in place of the message that was pressed. @param lookedAt - In Unix seconds. */
export async function showReceipt(
  house: House,
  { asker, place }: From,
  kept: Request,
  lookedAt?: number,
) {
  const receipt = receiptFor(house, asker, kept, { notes: lookedNotes(lookedAt) })
  await house.slack.privately(place, receipt, { replaces: true })
}

/** Posts the receipt in the alert’s thread, if everybody there may read it (`isForAll`). @returns Notices for the asker. */
export async function tellThreadAndAsker(
  house: House,
  to: ReceiptTo,
  kept: Request,
  results: readonly Result[],
) {
  const { asker, showsLine = false, replaces = false } = to
  const isInThread = await tellThread(house, to, kept)
  void house.slack.work
    .run(() => answerLine(house, asker, kept))
    .catch((err: unknown) =>
      house.log.failedJob(
        'warn',
        { err },
        'the line in which somebody asked for flags stays as it was',
      ),
    )

  // The asker alone gets a second receipt, with the service’s words and the buttons; it replaces “Sending…”. It is left
  // out if the thread says that everybody got their access, and there is no message to replace.
  if (isInThread && !replaces && results.every(isGranted)) return []

  const line =
    showsLine && results.some(isGranted) ? commandLine(accessOf(kept), house.config) : undefined
  const message = receiptFor(house, asker, kept, { line }, results)
  // The thread has its receipt already, so the asker’s own receipt goes under it.
  const place = isInThread ? { ...to.place, isThreadNew: false } : to.place

  return [
    {
      userId: asker.userId,
      place,
      message,
      replaces,
    },
  ]
}

const isForUs = async ({ slack }: House, channelId: string) =>
  (await slack.channels.outsiders(channelId)) === 'none'

/** Posts the receipt in the thread, for everybody. False: no thread, outsiders may read it, or Slack refuses. */
async function tellThread(house: House, from: From, kept: Request): Promise<boolean> {
  const { place } = from
  const { isForAll = false, channelId, threadTs } = kept.about ?? {}
  if (!isForAll || channelId === undefined || !(await isForUs(house, channelId))) return false

  // A response_url posts only in the conversation where the button was pressed, so it is left out for a thread in
  // another conversation.
  const responseUrl = place.channelId === channelId ? place.responseUrl : undefined

  try {
    await postReceipt(house, from, kept, {
      ...place,
      channelId,
      threadTs,
      responseUrl,
    })

    return true
  } catch (error) {
    if (isCertainlyNotShared(error)) return false

    throw error
  }
}

/** Updates the line in which somebody asked for flags: it then says who granted them. */
export async function answerLine(
  house: House,
  { name }: Pick<Person, 'name'>,
  kept: Request,
): Promise<void> {
  const { slack } = house
  const { channelId, askedBy } = kept.about ?? {}
  const { permissions, people } = accessOf(kept)
  const has: readonly string[] = [...permissions, ...(people[0]?.there?.permissions ?? [])]
  // The form may have been changed to other flags, or another person: then the line isn’t answered.
  if (channelId === undefined || !askedBy?.flags.every((flag) => has.includes(flag))) return

  const granted = resultsOf(kept).filter(isGranted)
  const ids = await Promise.all(granted.map(({ email }) => slack.people.idOf(email)))
  if (!ids.includes(askedBy.userId) || !(await isForUs(house, channelId))) return

  await slack.update({ channelId, ts: askedBy.ts }, say(`✅ Granted by ${name}: ${askedBy.words}`))
}

const sharedMs = 90 * dayMs

const whyNotShared = {
  some: 'Another organisation reads in this channel, so I don’t post there who has which access.',
  unknown:
    'I can’t see whether another organisation reads in this channel. Invite me with /invite @Bellhop, then share again; /alert doctor says what else is missing.',
}

/** *Share in channel*: posts the receipt once. @throws UserError if it is shared already, or outsiders may read there. */
export async function shareGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { once } = house.storage
  const kept = await findSent(house, pressed)
  if (kept?.channelId === undefined) return

  const outsiders = await house.slack.channels.outsiders(kept.channelId)
  if (outsiders !== 'none') throw new UserError(whyNotShared[outsiders])

  const claim = [kept.workspaceId, `share ${kept.id}`] as const
  if (!(await once.claim(...claim, sharedMs)))
    throw new UserError('This is already shared in the channel.')

  try {
    await postReceipt(house, pressed, kept, { ...pressed.place, channelId: kept.channelId })
  } catch (error) {
    if (isCertainlyNotShared(error)) await once.release(...claim)

    throw error
  }
}

/** Posts a receipt that everybody reads. Callers make sure that no other organisation reads in the channel. */
async function postReceipt(
  house: House,
  { asker }: From,
  kept: Request,
  place: Place & { readonly channelId: string },
): Promise<void> {
  const { slack, config } = house
  const access = accessOf(kept)
  const message = renderShared(access, resultsOf(kept), {
    askerName: asker.name,
    endsAt: kept.endsAt,
    roles: config.roles,
    container: containerInWords(house, asker, access.containerId),
    about: kept.about?.isForAll ? kept.about : undefined,
    undoId: kept.about?.isForAll && config.hasAllOperations ? kept.id : undefined,
  })

  await slack.announce(place, place.channelId, message)
}
