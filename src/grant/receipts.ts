// Receipts as they are told: to the asker alone, in the thread of what access was granted for, or by *Share in channel*.
import { MonitorError, UserError } from '../errors.ts'
import { isThem } from '../send/proof.ts'
import type { Reasons } from '../send/send.ts'
import type { KeptReason, KeptWish } from '../send/wishes.ts'
import { asAddUser } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { commandLine } from './line/line.ts'
import type { ReasonByEmail, SeenByEmail } from './render/explain.ts'
import { canLookAgain, glimpsesOf } from './render/look.ts'
import { doubtedNote, renderReceipt, renderShared } from './render/receipt.ts'
import type { GrantRoom } from './room.ts'
import { hasCode, isGranted, leftToEdit, offersRest, type Result, wishOf } from './wish.ts'

/** Manner in which an outcome is told. */
export interface HowToTell {
  /** With the line that does the same. */
  readonly showsLine: boolean
  /** In place of the confirmation whose button was pressed. */
  readonly replaces: boolean
}

/** Tells what became of it: in the thread of what it is for, where that is for everybody, and to the asker. */
export async function tellOutcome(
  room: GrantRoom,
  from: From,
  kept: KeptWish,
  results: readonly Result[],
  how: HowToTell & {
    /** Others may have told it as not certain. */
    readonly corrects?: boolean
    readonly waits?: boolean
    readonly reasons?: Reasons
    readonly seen?: SeenByEmail
  },
): Promise<void> {
  const { id, channelId } = kept
  const wish = wishOf(kept)
  const { about } = kept
  const { containerId } = wish
  const there = about && (await room.containerWords(from.asker, containerId, about.channelId))
  const shared = renderShared(from.asker.name, wish, results, room.settings.roles, about, there)
  const thread = await inThread(room, from, kept, about, shared)
  // What the service said, and the ways on, are for the asker alone.
  const waits = how.waits ?? false
  const reasons = reasonsByEmail(kept, how.reasons)
  const glimpses = glimpsesOf(kept)
  const isLeft = offersRest(results) || leftToEdit(results, waits).length > 0 || canLookAgain(kept)
  if (thread === 'told' && !isLeft) return
  const { roles } = room.settings
  const message = renderReceipt(id, wish, results, {
    ...{ roles, reasons, glimpses, waits },
    canShare: thread === 'not-told' && channelId !== undefined,
    canLook: canLookAgain(kept),
    isRestOpen: true,
    line: how.showsLine && results.some(isGranted) ? commandLine(wish, room.settings) : undefined,
    note: how.corrects ? doubtedNote : undefined,
    seen: how.seen,
    container: await room.containerWords(from.asker, containerId),
  })
  // For the asker alone, what follows from a receipt in a thread stands under it.
  const place = thread === 'not-told' ? from.place : { ...from.place, isThreadNew: false }
  await room.delivery.privately(place, message, { replaces: how.replaces })
}

/**
 * Reads once who is on the container, for those whom the service refused without a word (400).
 * @returns What the sender's token shows of each of them, for the sender alone; nobody where it shows nothing.
 */
export async function seenAfterRefusal(
  { send: { monitor } }: Pick<GrantRoom, 'send'>,
  token: string,
  kept: KeptWish,
  results: readonly Result[],
): Promise<SeenByEmail> {
  const refused = results.filter((one) => hasCode([one], 'bad-request'))
  if (refused.length === 0) return new Map()
  const wish = wishOf(kept)
  const found = await monitor.usersOf(token, wish.containerId).catch((error: unknown) => {
    if (error instanceof MonitorError) return undefined
    throw error
  })
  if (found?.kind !== 'listed') return new Map()
  return new Map(
    refused.flatMap(({ email }): readonly [string, readonly string[] | 'not-seen'][] => {
      const [them] = found.people
        .filter((person) => isThem({ ...wish, email }, person))
        .toSorted((one, other) => Number(one.inherit) - Number(other.inherit))
      if (them === undefined) return [[email, 'not-seen']]
      // Through another container: whether that is why it was refused, nobody knows.
      return them.inherit ? [] : [[email, them.permissions]]
    }),
  )
}
/** What the service said of each person, for whoever sent it, alone. */
export function reasonsByEmail(
  { sends }: Pick<KeptWish, 'sends'>,
  reasons: Reasons = new Map(),
): ReasonByEmail {
  return new Map(
    sends.flatMap(({ n, write }) => (reasons.has(n) ? [[asAddUser(write).email, reasons.get(n)]] : [])),
  )
}

type Room = Pick<GrantRoom, 'delivery' | 'send'>

/** `not-told`: it is for nothing there, or nobody could be told. */
type ThreadTold = 'told' | 'told-before' | 'not-told'

const sharedBefore = 'This is already shared in the channel.'

/** Tells everybody in the thread of what it is for. */
async function inThread(
  room: Room,
  { place }: From,
  kept: KeptWish,
  about: KeptReason | undefined,
  message: Message,
): Promise<ThreadTold> {
  const { isForAll = false, channelId, threadTs, isDirect = false } = about ?? {}
  if (!isForAll || channelId === undefined) return 'not-told'
  // What the button's own response_url leads to may be another conversation.
  const responseUrl = place.channelId === channelId ? place.responseUrl : undefined
  const { workspaceId, userId } = place
  const there: Place = { workspaceId, userId, channelId, responseUrl, isDirect, threadTs }
  if (!(await markShared(room, kept))) return 'told-before'
  try {
    await announce(room, there, kept, channelId, message)
    return 'told'
  } catch (error) {
    if (isCertainlyNotShared(error)) return 'not-told'
    throw error
  }
}

/** *Share in channel*. @throws UserError when it is shared already. */
export async function inChannel(
  room: Room,
  from: From,
  kept: KeptWish,
  channelId: string,
  message: Message,
): Promise<void> {
  if (!(await markShared(room, kept))) throw new UserError(sharedBefore)
  await announce(room, from.place, kept, channelId, message)
}

/** A receipt that everybody reads stands once: whoever sets the mark first posts it. False when it was set before. */
function markShared({ send }: Pick<Room, 'send'>, { id, sender }: KeptWish): Promise<boolean> {
  return send.wishes.share(sender.workspaceId, id, true)
}

async function announce(
  { delivery, send }: Pick<Room, 'delivery' | 'send'>,
  place: Place,
  { id, sender }: KeptWish,
  channelId: string,
  message: Message,
): Promise<void> {
  try {
    await delivery.announce(place, channelId, message)
  } catch (error) {
    // It could not be posted after all.
    if (isCertainlyNotShared(error)) await send.wishes.share(sender.workspaceId, id, false)
    throw error
  }
}
