// Consequences of an act on an alert, once a read has shown what became of it: for the card that it was pressed on and its
// thread, other cards of the alert, its new owner, and whether it opens again. Its request does this at once; a background
// job does it for a request that died, once a doubt has given way, and while an alert that somebody closed may open again.
// Nothing is shown that was only pressed, and each read is made with the token of whoever acted.
import { type Card, cardTheySee } from '../alert/cards.ts'
import { type ReadAlert, showOnCard } from '../alert/refresh.ts'
import { webLink } from '../alert/render/card.ts'
import { isClosed } from '../alert/render/state.ts'
import { MonitorError } from '../errors.ts'
import { withId } from '../log/request.ts'
import type { ContainerAlert } from '../monitor/client.ts'
import type { Alert } from '../monitor/schema.ts'
import { containerOfAlert } from '../names/containers.ts'
import { slackPersonOf } from '../names/own-id.ts'
import { isOpenDoubt, type SendOutcome } from '../send/outcome.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import { classify } from '../slack/client/refusals.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId, type SlackUser } from '../slack/ids.ts'
import { isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { openAsAnother, openAtOnce, renderNewOwner } from './render/to-others.ts'
import type { ActRoom, DueSequel, SequelKey } from './room.ts'

/** An alert may open again soon after it was closed: for so long somebody looks. */
const reopeningMs = 15 * 60_000
/** The first look comes soon, as some services open it at once. */
const firstLookMs = 5_000
/** A doubt gives way to what later looks have found. */
const doubtMs = 5_000

/** An act with an outcome. */
interface Acted {
  readonly key: SequelKey
  readonly sender: SlackUser
  readonly write: AlertWrite
  readonly outcome: SendOutcome
  /** It joined an equal act, which does all that is not about this card. */
  readonly isJoined: boolean
}

/** What its own request knows besides. */
interface AtOnce {
  readonly from: From
  /** It was pressed on the card itself. */
  readonly isOnCard: boolean
  /** As its sender’s token showed it last. */
  readonly read: ReadAlert | undefined
  /** Which drawing of the card was the last one before it was sent; undefined where there is none to draw. */
  readonly drawing: number | undefined
}

/** Sends an act, which is followed up by others once this process has died. */
export async function following<T>(
  { sequels }: Pick<ActRoom, 'sequels'>,
  of: SequelKey & SlackUser,
  send: () => Promise<T>,
): Promise<T> {
  await sequels.keep(of, leaseMs)
  return renewing(() => sequels.renew(of, leaseMs), send)
}

/** Never rejects: what fails is tried again by others, and the sender is told of the act in any case. */
export async function followAtOnce(room: ActRoom, acted: Acted, atOnce: AtOnce): Promise<void> {
  try {
    await followAct(room, acted, atOnce)
  } catch (error) {
    noteFailure(room, acted.sender, error)
  }
}

function noteFailure({ alert }: Pick<ActRoom, 'alert'>, { userId }: SlackUser, error: unknown): void {
  const what = 'what follows an act on an alert could not be done; trying again'
  alert.log.failedJob('warn', { err: error, user: userId }, what)
}

/** @throws What keeps it from being done, which may pass. */
async function followAct(room: ActRoom, acted: Acted, atOnce?: AtOnce): Promise<void> {
  const { sequels } = room
  const { key, outcome, isJoined } = acted
  if (!showsSomething(outcome)) {
    return isOpenDoubt(outcome) ? sequels.renew(key, doubtMs) : sequels.end(key)
  }
  const card = await actedCard(room, acted)
  const shown = await showWhatWasRead(room, acted, card, atOnce)
  if (shown === undefined || isJoined) return sequels.end(key)
  const { alert, failure, isUntold } = shown
  await callOthers(room, acted, alert, card)
  await tellNewOwner(room, acted, card)
  if (failure !== undefined) throw failure
  if (isUntold) return sequels.renew(key, untoldMs)
  if (mayReopen(acted, alert, card)) {
    return sequels.awaitReopening(key, { forMs: reopeningMs, inMs: firstLookMs })
  }
  await sequels.end(key)
}

/** True when the alert differs from what its sender saw: by this act, or by somebody else's. */
function showsSomething(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'not-done' && outcome.code === 'changed')
}

/** The sender did it, as far as anybody can tell. */
function isOwnDoing(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

/** The card that it was pressed on, as far as its sender may see it. */
function actedCard(
  { alert }: Pick<ActRoom, 'alert'>,
  { sender, write }: Pick<Acted, 'sender' | 'write'>,
): Promise<Card | undefined> {
  return cardTheySee(alert, sender, write.cardId)
}

/** What its card was to show, and what came of that. */
interface CardShowing {
  readonly alert: Alert
  /** Why the card does not show it. */
  readonly failure?: unknown
  /** The card’s thread is still to be told. */
  readonly isUntold?: boolean
}

/** @returns Undefined where its sender cannot read it any more. */
async function showWhatWasRead(
  room: ActRoom,
  acted: Acted,
  card: Card | undefined,
  atOnce: AtOnce | undefined,
): Promise<CardShowing | undefined> {
  const read = () => readForSender(room, acted.sender, acted.write.ks)
  const from = card && (await whereOn(room, acted.sender, card, atOnce))
  if (card === undefined || from === undefined) return atOnce?.read ?? (await read())
  return room.alert.turns(card.id, async () => {
    // What was drawn since may be newer than what was read before.
    const after = await room.alert.cards.drawingOf(acted.sender.workspaceId, card.id)
    const isNewest = after !== undefined && atOnce?.drawing === after
    // The act that it joined has drawn the same card.
    if (acted.isJoined && !isNewest) return undefined
    const found = (isNewest ? atOnce?.read : undefined) ?? (await read())
    if (found === undefined) return undefined
    const { alert } = found
    const isOpenAtOnce = acted.write.kind === 'close' && isOwnDoing(acted.outcome) && !isClosed(alert)
    const ending = isOpenAtOnce ? openAtOnce(acted.key.wishId) : undefined
    const show = async (): Promise<CardShowing> => {
      const shown = await showOnCard(room.alert, from, card, { ...found, ending, after })
      if (shown !== 'drawn-since') return { alert, isUntold: shown === 'untold' }
      // Another process has drawn what may be newer.
      const newer = await read()
      if (newer === undefined) return { alert }
      const isUntold = (await showOnCard(room.alert, from, card, { ...newer, ending })) === 'untold'
      return { alert: newer.alert, isUntold }
    }
    try {
      // Whoever pressed waits for it; nobody waits for what comes later.
      return await (atOnce === undefined ? inTurn(room, from.place, show) : show())
    } catch (error) {
      return { alert, failure: classify(error).lost.message ? undefined : error }
    }
  })
}

/** With the sender’s own token; undefined where it shows the alert no more. @throws MonitorError for what may pass. */
export async function readForSender(
  room: ActRoom,
  sender: SlackUser,
  ks: string,
): Promise<ReadAlert | undefined> {
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

/** Sends in the channel’s turn. */
function inTurn<T>(
  { pace }: Pick<ActRoom, 'pace'>,
  { workspaceId, channelId }: Place,
  send: () => Promise<T>,
): Promise<T> {
  return channelId === undefined ? send() : pace.inTurn({ workspaceId, channelId }, send)
}

/** Where a card stands, for whoever acted on it; undefined where nothing leads there. */
async function whereOn(
  { people }: Pick<ActRoom, 'people'>,
  sender: SlackUser,
  { posted, asker, askerName }: Card,
  pressed?: Pick<AtOnce, 'from' | 'isOnCard'>,
): Promise<From | undefined> {
  const { workspaceId, userId } = sender
  if (posted === undefined) return pressed?.isOnCard ? pressed.from : undefined
  const { channelId, ts, threadTs } = posted
  const place: Place = {
    workspaceId,
    userId,
    channelId,
    pressedTs: ts,
    threadTs,
    isDirect: isDirectId(channelId),
    // Another message’s leads to that one.
    responseUrl: pressed?.isOnCard ? pressed.from.place.responseUrl : undefined,
  }
  if (pressed !== undefined) return { asker: pressed.from.asker, place }
  const name = asker.userId === userId ? askerName : await people.in(workspaceId).nameOf(userId)
  return { asker: { workspaceId, userId, name: name ?? 'a colleague' }, place }
}

/** Others who show this alert: each live card reads it with its own watcher’s token. */
async function callOthers(
  { alert: { tellOthersIfClosed }, makeDue }: Pick<ActRoom, 'alert' | 'makeDue'>,
  { sender: { workspaceId }, write: { ks } }: Pick<Acted, 'sender' | 'write'>,
  alert: Alert,
  card: Card | undefined,
): Promise<void> {
  if (isClosed(alert)) tellOthersIfClosed(workspaceId, alert, { ks, but: card?.id })
  else await makeDue(workspaceId, [...new Set([ks, alert.ks])])
}

/** Tells a new owner who is somebody else, once. What may have arrived is not sent again. */
async function tellNewOwner(
  { names, people, sequels, linkOf, alert: { outbound } }: ActRoom,
  { key, sender, write, outcome }: Acted,
  card: Card | undefined,
): Promise<void> {
  const { workspaceId, userId: senderId } = sender
  if (write.kind !== 'assign' || !isOwnDoing(outcome)) return
  const owner = await slackPersonOf(names, workspaceId, write.ownerId)
  if (owner?.workspaceId !== workspaceId || owner.userId === senderId) return
  if (await people.in(workspaceId).hasLeft(owner.userId)) return
  const giver = await people.in(workspaceId).nameOf(senderId)
  const posted = card && whereOthersSee(card)
  const link = posted && (await linkOf(workspaceId, posted))
  if (!(await sequels.takeNotice(key))) return
  try {
    await outbound.in(workspaceId).post(owner.userId, renderNewOwner(giver, link))
  } catch (error) {
    if (isCertainlyNotShared(error) && !classify(error).lost.person) await sequels.releaseNotice(key)
    throw error
  }
}

/** Undefined where nobody else sees the card, as in a conversation with the bot, or nobody knows where it stands. */
export function whereOthersSee({ isPrivate, posted }: Card): Posted | undefined {
  return isPrivate || posted === undefined || isDirectId(posted.channelId) ? undefined : posted
}

/** At the service, where its last closing names them. */
export function closerOf({ actions }: Alert): number | undefined {
  const closerId = actions.findLast(({ kind }) => kind === 'Close')?.data?.userId
  return typeof closerId === 'number' ? closerId : undefined
}

/** True where somebody closed an alert on a card that can say when it opens again. */
function mayReopen({ write, outcome }: Acted, alert: Alert, card: Card | undefined): boolean {
  return write.kind === 'close' && isOwnDoing(outcome) && isClosed(alert) && card?.posted !== undefined
}

const lateMs = 1_000
const mostAtOnce = 4
/** Before what failed is tried again. */
const pauseMs = 30_000
/** After this time nobody expects it any more. */
const longestMs = 10 * 60_000
/** Between two looks at an alert that may open again. */
const lookEveryMs = 60_000
/** Pause before the next read, where the last one may be old. */
const soonMs = 2_000
/** Pause before a card's thread is told what could not be told yet: another reply is on its way there. */
const untoldMs = 10_000

export function followLate(room: ActRoom, everyMs = lateMs): Repeated {
  return every(everyMs, async () => {
    try {
      await followAll(room, await room.sequels.claim(leaseMs))
    } catch (error) {
      room.alert.log.failedJob('warn', { err: error }, 'what follows acts cannot be read; trying again')
    }
  })
}

/** Follows up several at once, so that a service that does not answer keeps nobody else waiting. */
async function followAll(room: ActRoom, due: readonly DueSequel[]): Promise<void> {
  const left = due.values()
  async function followOn(): Promise<void> {
    for (const one of left) {
      const renew = () => room.sequels.renew(one, leaseMs)
      await renewing(renew, () => withId(() => followOne(room, one)))
    }
  }
  await Promise.all(Array.from({ length: mostAtOnce }, followOn))
}

async function followOne(room: ActRoom, due: DueSequel): Promise<void> {
  const { workspaceId, userId, wishId, step, ageMs, isOver } = due
  const sender = { workspaceId, userId }
  try {
    const acted = await actedIn(room, due)
    const isTooOld = step === 'act' && ageMs > longestMs
    if (acted === undefined || isOver || isTooOld) return await room.sequels.end({ workspaceId, wishId })
    await (step === 'act' ? followAct(room, acted) : lookForReopening(room, acted))
  } catch (error) {
    noteFailure(room, sender, error)
    const askedMs = error instanceof MonitorError ? error.retryAfterMs : 0
    await room.sequels.renew(due, Math.max(pauseMs, askedMs)).catch(() => undefined)
  }
}

/** Undefined where nothing was sent, and where another act stands for it. */
async function actedIn(room: ActRoom, { workspaceId, wishId }: DueSequel): Promise<Acted | undefined> {
  const wish = await room.send.wishes.find(workspaceId, wishId)
  const [send] = wish?.sends ?? []
  if (wish?.id !== wishId || send?.outcome === undefined || send.isJoined) return undefined
  const { write, outcome } = send
  const key = { workspaceId, wishId }
  return { key, sender: wish.sender, write: asAlertWrite(write), outcome, isJoined: false }
}

/** Looks whether an alert that was closed is open again: by its own key, or by another one. */
async function lookForReopening(room: ActRoom, acted: Acted): Promise<void> {
  const { sequels, alert: alerts } = room
  const { key, sender, write } = acted
  const card = await actedCard(room, acted)
  const from = card && (await whereOn(room, sender, card))
  if (card?.posted === undefined || from === undefined) return sequels.end(key)
  const after = await alerts.cards.drawingOf(sender.workspaceId, card.id)
  // Before the card’s turn: people who press something there do not wait for it.
  const found = await readForSender(room, sender, write.ks)
  if (found === undefined) return sequels.end(key)
  const { alert } = found
  const another = isClosed(alert) ? await anotherFor(room, acted, alert, card) : undefined
  if (isClosed(alert) && another === undefined) return sequels.renew(key, lookEveryMs)
  // Nobody has asked for this now, so that another organisation does not read it.
  const { workspaceId } = key
  const isShared = await room.sharedChannels.in(workspaceId).wasShared(card.posted.channelId)
  if (isShared) return sequels.end(key)
  // Nobody asked for the other alert there, so it waits until Slack says that only the organisation reads.
  if (another !== undefined && isShared === undefined) return sequels.renew(key, lookEveryMs)
  const ending = another && openAsAnother(another.ks, monitoringLinkOf(room, another, card))
  const shown = await alerts.turns(card.id, async () => {
    // Whoever watches it reads it with their own token.
    if (!isClosed(alert) && (await alerts.liveCards.liveOf(workspaceId, card.id))) return 'shown'
    return inTurn(room, from.place, () => showOnCard(alerts, from, card, { ...found, ending, after }))
  })
  if (shown !== 'shown') return sequels.renew(key, soonMs)
  if (!isClosed(alert)) await callOthers(room, acted, alert, card)
  await sequels.end(key)
}

/**
 * The open alert of the same container that says the same as one that was closed, was opened since, and belongs to who
 * closed it. Undefined also where there are several, or nobody can tell.
 */
async function anotherFor(
  room: ActRoom,
  { sender, write }: Acted,
  closed: Alert,
  { link }: Card,
): Promise<ContainerAlert | undefined> {
  const token = await room.account.tokens.find(sender)
  const closerId = closerOf(closed) ?? write.senderId
  if (token === undefined || closerId === undefined) return undefined
  const containerId = await containerOfAlert(room.names, sender, token, closed.ks, link)
  if (containerId === undefined) return undefined
  const open = await openIn(room, token, containerId)
  const same = open.filter(
    ({ ks, ownerId, lastMessage, timestamp }) =>
      ks !== closed.ks &&
      ownerId === closerId &&
      (lastMessage === closed.lastMessage || lastMessage === closed.message) &&
      timestamp >= (closed.closedTimestamp ?? 0),
  )
  return same.length === 1 ? same[0] : undefined
}

/** Empty where the service does not answer: what it said of the alert itself still counts. */
async function openIn(
  { names: { monitor } }: ActRoom,
  token: string,
  containerId: number,
): Promise<readonly ContainerAlert[]> {
  try {
    const open = await monitor.openAlertsIn(token, containerId)
    return open.kind === 'listed' ? open.alerts : []
  } catch (error) {
    if (error instanceof MonitorError) return []
    throw error
  }
}

/** In monitoring: it is where the card’s alert is, but for when it was opened. */
function monitoringLinkOf(
  { alert: { settings } }: ActRoom,
  { ks, timestamp }: ContainerAlert,
  { link }: Card,
) {
  return webLink(settings, ks, link && { ...link, timestamp: String(timestamp) })
}
