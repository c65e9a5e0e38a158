// Receipts: to the asker alone, in the thread of what access was granted for, or by *Share in channel*.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { isRefusedFor } from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import type { Learned } from '../send/send.ts'
import { asAddUser } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { type Access, accessOf, isGranted, leftToEdit, type Result, restOf } from './access.ts'
import { personIn, readPeople } from './add.ts'
import { commandLine } from './line/line.ts'
import type { ReasonByEmail, SeenByEmail } from './render/explain.ts'
import { canLookAgain, looksOf } from './render/look.ts'
import { type ReceiptNotes, renderReceipt, renderShared, replacesNote } from './render/receipt.ts'

/** Manner in which a receipt is sent. */
export interface HowToTell {
  /** With the line that does the same. */
  readonly showsLine: boolean
  /** In place of the confirmation whose button was pressed. */
  readonly replaces: boolean
}

/** The receipt for its asker, as far as it is the same wherever they see it. @param notes - What is not, or is besides. */
export function receiptFor(
  house: House,
  { asker }: From,
  kept: Request,
  results: readonly Result[],
  notes: Partial<ReceiptNotes>,
): Message {
  const access = accessOf(kept)
  return renderReceipt(kept.id, access, results, {
    roles: house.config.roles,
    container: containerInWords(house, asker, access.containerId),
    looks: looksOf(kept),
    canShare: !kept.about?.isForAll && kept.channelId !== undefined,
    canLook: canLookAgain(kept),
    isRestOpen: true,
    ...notes,
  })
}

/** Tells what became of it: in the thread of what it is for, where that is for everybody, and to the asker. */
export async function tellOutcome(
  house: House,
  from: From,
  kept: Request,
  results: readonly Result[],
  how: HowToTell & {
    readonly learned?: Learned
    readonly seen?: SeenByEmail
  },
): Promise<void> {
  const thread = await inThread(house, from, kept, results)
  // What the service said, and the ways on, are for the asker alone.
  const left = [...restOf(results), ...leftToEdit(results), ...(how.seen?.keys() ?? [])]
  const isLeft = left.length > 0 || canLookAgain(kept)
  if (thread === 'posted' && !isLeft) return
  const message = receiptFor(house, from, kept, results, {
    reasons: reasonsByEmail(kept, how.learned),
    seen: how.seen,
    canShare: thread === 'not-posted' && kept.channelId !== undefined,
    line: how.showsLine && results.some(isGranted) ? shortLine(house, accessOf(kept)) : undefined,
    note: kept.isCorrected ? replacesNote : undefined,
  })
  // For the asker alone, what follows from a receipt in a thread stands under it.
  const place = thread === 'not-posted' ? from.place : { ...from.place, isThreadNew: false }
  await house.slack.privately(place, message, { replaces: how.replaces })
}

const longestLine = 1_000

/** None that is too long to be typed once more. */
function shortLine({ config }: House, access: Access): string | undefined {
  const line = commandLine(access, config)
  return line !== undefined && line.length <= longestLine ? line : undefined
}

/**
 * Reads once who is on the container, for those whom the service refused without a word (400), or who had changed meanwhile.
 * @returns What the sender's token shows of each of them, for the sender alone; nobody where it shows nothing.
 */
export async function seenAfterRefusal(
  house: House,
  token: string,
  kept: Request,
  results: readonly Result[],
): Promise<SeenByEmail> {
  const access = accessOf(kept)
  const codes = access.there === undefined ? (['bad-request'] as const) : (['changed'] as const)
  const refused = results.filter(({ outcome }) => isRefusedFor(outcome, codes))
  if (refused.length === 0) return new Map()
  const people = await readPeople(house, token, access.containerId)
  if (typeof people === 'string') return new Map()
  return new Map(refused.map(({ email }) => [email, personIn(people, { ...access, email }) ?? 'not-seen']))
}

/** What the service said of each person, for whoever sent it, alone. */
export function reasonsByEmail(
  { sends }: Pick<Request, 'sends'>,
  learned: Learned = new Map(),
): ReasonByEmail {
  return new Map(
    sends.flatMap(({ n, write }) => {
      const done = learned.get(n)
      return done === undefined ? [] : [[asAddUser(write).email, done.reason]]
    }),
  )
}

/** `not-posted`: it is for nothing there, or it could not be posted. */
type InThread = 'posted' | 'posted-before' | 'not-posted'

const sharedBefore = 'This is already shared in the channel.'

/** The receipt for everybody in a channel: without the container's name where another organisation may read it. */
async function receiptForAll(
  house: House,
  { asker }: From,
  kept: Request,
  results: readonly Result[],
  channelId: string,
): Promise<Message> {
  const access = accessOf(kept)
  const name = containerInWords(house, asker, access.containerId)
  const isOurs = name !== undefined && (await house.slack.channels.wasShared(channelId)) === false
  const about = kept.about?.isForAll ? kept.about : undefined
  return renderShared(asker.name, access, results, house.config.roles, about, isOurs ? name : undefined)
}

/** Tells everybody in the thread of what it is for. */
async function inThread(
  house: House,
  from: From,
  kept: Request,
  results: readonly Result[],
): Promise<InThread> {
  const { place } = from
  const { isForAll = false, channelId, threadTs, isDirect = false } = kept.about ?? {}
  if (!isForAll || channelId === undefined) return 'not-posted'
  // What the button's own response_url leads to may be another conversation.
  const responseUrl = place.channelId === channelId ? place.responseUrl : undefined
  const { workspaceId, userId } = place
  const there: Place = { workspaceId, userId, channelId, responseUrl, isDirect, threadTs }
  const message = await receiptForAll(house, from, kept, results, channelId)
  if (!(await markShared(house, kept))) return 'posted-before'
  try {
    await announce(house, there, kept, channelId, message)
    return 'posted'
  } catch (error) {
    if (isCertainlyNotShared(error)) return 'not-posted'
    throw error
  }
}

/** *Share in channel*. @throws UserError when it is shared already. */
export async function shareReceipt(
  house: House,
  from: From,
  kept: Request,
  results: readonly Result[],
  channelId: string,
): Promise<void> {
  const message = await receiptForAll(house, from, kept, results, channelId)
  if (!(await markShared(house, kept))) throw new UserError(sharedBefore)
  await announce(house, from.place, kept, channelId, message)
}

/** A receipt that everybody reads stands once: whoever claims that posts it. */
function markShared({ storage }: House, kept: Request): Promise<boolean> {
  return storage.once.claim(kept.workspaceId, shareKey(kept), sharedMs)
}

const sharedMs = 90 * 24 * 60 * 60_000
const shareKey = ({ id }: Request) => `share ${id}`

async function announce(
  { slack, storage }: House,
  place: Place,
  kept: Request,
  channelId: string,
  message: Message,
): Promise<void> {
  try {
    await slack.announce(place, channelId, message)
  } catch (error) {
    // It could not be posted after all.
    if (isCertainlyNotShared(error)) await storage.once.release(kept.workspaceId, shareKey(kept))
    throw error
  }
}
