// Consequences of an act on an alert, once a read has shown what became of it: for the card that it was pressed on and its
// thread, other cards of the alert, its new owner, and whether it opens again. Nothing is shown that was only pressed, and
// each read is made with the token of whoever acted.
import { type Card, cardTheySee } from '../alert/cards.ts'
import { type ReadAlert, showOnCard } from '../alert/refresh.ts'
import { isClosed } from '../alert/render/state.ts'
import { MonitorError } from '../errors.ts'
import { withId } from '../log/request.ts'
import type { Alert } from '../monitor/schema.ts'
import type { SendOutcome } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId, type SlackUser } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { leaseMs } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { openAtOnce, renderNewOwner } from './render/to-others.ts'
import type { ActRoom, Reopening } from './room.ts'

/** An alert may open again soon after it was closed: for so long somebody looks. */
const reopeningMs = 15 * 60_000
/** The first look comes soon, as some services open it at once. */
const firstLookMs = 5_000

/** An act with an outcome. */
interface Acted {
  /** Of its wish. */
  readonly id: string
  readonly from: From
  readonly sender: SlackUser
  readonly write: AlertWrite
  readonly outcome: SendOutcome
  /** It was pressed on the card itself. */
  readonly isOnCard: boolean
}

/** Never rejects: the sender is told of the act in any case, and Refresh shows the rest. */
export async function followAct(room: ActRoom, acted: Acted): Promise<void> {
  try {
    if (showsSomething(acted.outcome)) await follow(room, acted)
  } catch (error) {
    noteFailure(room, acted.sender, error)
  }
}

function noteFailure({ alert }: Pick<ActRoom, 'alert'>, { userId }: SlackUser, error: unknown): void {
  alert.log.failedJob(
    'warn',
    { err: error, user: userId },
    'what follows an act on an alert could not be done',
  )
}

async function follow(room: ActRoom, acted: Acted): Promise<void> {
  const { sender, write } = acted
  const card = await cardTheySee(room.alert, sender, write.cardId)
  const alert = await showWhatIsRead(room, acted, card)
  if (alert === undefined) return
  await callOthers(room, sender, write.ks, alert, card)
  if (card !== undefined && mayReopen(acted, alert, card)) {
    await room.reopenings.keep({ ...sender, cardId: card.id }, { forMs: reopeningMs, inMs: firstLookMs })
  }
  await tellNewOwner(room, acted, card)
}

/** True when the alert differs from what its sender saw: by this act, or by somebody else's. */
function showsSomething(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'not-done' && outcome.code === 'changed')
}

/** The sender did it, as far as anybody can tell. */
function isOwnDoing(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

/**
 * Reads the alert in the card’s turn, so that nothing older is drawn over something newer.
 * @returns Undefined where its sender cannot read it any more.
 */
async function showWhatIsRead(
  room: ActRoom,
  acted: Acted,
  card: Card | undefined,
): Promise<Alert | undefined> {
  const { sender, write, outcome } = acted
  const read = () => readForSender(room, sender, write.ks)
  const from = card && whereOn(acted.from, card, acted.isOnCard)
  if (card === undefined || from === undefined) return (await read())?.alert
  return room.alert.turns(card.id, async () => {
    const found = await read()
    if (found === undefined) return undefined
    const isOpenAtOnce = write.kind === 'close' && isOwnDoing(outcome) && !isClosed(found.alert)
    const ending = isOpenAtOnce ? openAtOnce(acted.id) : undefined
    try {
      await showOnCard(room.alert, from, card, { ...found, ending })
    } catch (error) {
      noteFailure(room, sender, error)
    }
    return found.alert
  })
}

/** With the sender’s own token; undefined where it shows the alert no more. @throws MonitorError for what may pass. */
async function readForSender(room: ActRoom, sender: SlackUser, ks: string): Promise<ReadAlert | undefined> {
  const token = await room.account.tokens.find(sender)
  if (token === undefined) return undefined
  try {
    const alert = await room.alert.monitor.readAlert(token, ks)
    return { alert, readAt: Math.floor(room.alert.now() / 1000) }
  } catch (error) {
    const isFinal = error instanceof MonitorError && finalCodes.has(error.code)
    if (!isFinal) throw error
    return undefined
  }
}

const finalCodes: ReadonlySet<string> = new Set(['refused', 'forbidden', 'not-found', 'bad-request'])

/** Where a card stands, for whoever acted on it; undefined where nothing leads there. */
function whereOn({ asker, place }: From, { posted }: Card, isOnCard: boolean): From | undefined {
  if (posted === undefined) return isOnCard ? { asker, place } : undefined
  // Another message’s response_url leads to that one.
  return { asker, place: placeOn(asker, posted, isOnCard ? place.responseUrl : undefined) }
}

function placeOn(
  { workspaceId, userId }: SlackUser,
  { channelId, ts, threadTs }: Posted,
  responseUrl: string | undefined,
): Place {
  return {
    workspaceId,
    userId,
    channelId,
    pressedTs: ts,
    threadTs,
    isDirect: isDirectId(channelId),
    responseUrl,
  }
}

/** Others who show this alert: each live card reads it with its own watcher’s token. */
async function callOthers(
  { alert: { callOthersIfClosed }, makeDue }: Pick<ActRoom, 'alert' | 'makeDue'>,
  { workspaceId }: SlackUser,
  ks: string,
  alert: Alert,
  card: Card | undefined,
): Promise<void> {
  if (isClosed(alert)) callOthersIfClosed(workspaceId, alert, { ks, but: card?.id })
  else await makeDue(workspaceId, [...new Set([ks, alert.ks])])
}

/** Tells a new owner who is somebody else. */
async function tellNewOwner(
  { names, people, linkOf, alert: { outbound } }: ActRoom,
  { sender, write, outcome }: Acted,
  card: Card | undefined,
): Promise<void> {
  const { workspaceId, userId: senderId } = sender
  if (write.kind !== 'assign' || !isOwnDoing(outcome)) return
  const owner = await names.ownIds.personOf(workspaceId, write.ownerId)
  if (owner === undefined || owner.userId === senderId) return
  if (await people.in(workspaceId).hasLeft(owner.userId)) return
  const giver = await people.in(workspaceId).nameOf(senderId)
  const posted = card && whereOthersSee(card)
  const link = posted && (await linkOf(workspaceId, posted))
  await outbound.in(workspaceId).post(owner.userId, renderNewOwner(giver, link))
}

/** Undefined where nobody else sees the card, as in a conversation with the bot, or nobody knows where it stands. */
export function whereOthersSee({ isPrivate, posted }: Card): Posted | undefined {
  return isPrivate || posted === undefined || isDirectId(posted.channelId) ? undefined : posted
}

/** True where somebody closed an alert on a card that can say when it opens again. */
function mayReopen({ write, outcome }: Acted, alert: Alert, card: Card): boolean {
  return write.kind === 'close' && isOwnDoing(outcome) && isClosed(alert) && card.posted !== undefined
}

const lateMs = 1_000
/** Before what failed is tried again, and between two looks at an alert that may open again. */
const lookEveryMs = 60_000

/** Background job: looks whether alerts that somebody closed open again. */
export function lookForReopenings(room: ActRoom, everyMs = lateMs): Repeated {
  return every(everyMs, async () => {
    try {
      const due = await room.reopenings.claim(leaseMs)
      await Promise.all(due.map((one) => withId(() => lookAt(room, one))))
    } catch (error) {
      room.alert.log.failedJob('warn', { err: error }, 'closed alerts that may open again cannot be read')
    }
  })
}

async function lookAt(room: ActRoom, one: Reopening): Promise<void> {
  try {
    const againMs = await lookForReopening(room, one)
    await (againMs === undefined ? room.reopenings.end(one) : room.reopenings.renew(one, againMs))
  } catch (error) {
    noteFailure(room, one, error)
    const askedMs = error instanceof MonitorError ? error.retryAfterMs : 0
    await room.reopenings.renew(one, Math.max(lookEveryMs, askedMs)).catch(() => undefined)
  }
}

/** @returns Milliseconds until the next look; undefined where there is none. */
async function lookForReopening(
  room: ActRoom,
  { workspaceId, userId, cardId }: Reopening,
): Promise<number | undefined> {
  const { alert: alerts, people, sharedChannels } = room
  const sender = { workspaceId, userId }
  const card = await cardTheySee(alerts, sender, cardId)
  if (card?.posted === undefined) return undefined
  const { posted, asker, askerName } = card
  // Before the card’s turn: people who press something there do not wait for it.
  const found = await readForSender(room, sender, card.ks)
  if (found === undefined) return undefined
  if (isClosed(found.alert)) return lookEveryMs
  // Nobody has asked for this now, so that another organisation does not read it.
  if (await sharedChannels.in(workspaceId).wasShared(posted.channelId)) return undefined
  const name = asker.userId === userId ? askerName : await people.in(workspaceId).nameOf(userId)
  const place = placeOn(sender, posted, undefined)
  const from = { asker: { ...sender, name: name ?? 'a colleague' }, place }
  await alerts.turns(cardId, async () => {
    // Whoever watches it reads it with their own token.
    if (await alerts.liveCards.liveOf(workspaceId, cardId)) return
    await room.pace.inTurn({ workspaceId, channelId: posted.channelId }, () =>
      showOnCard(alerts, from, card, found),
    )
  })
  await callOthers(room, sender, card.ks, found.alert, card)
  return undefined
}
