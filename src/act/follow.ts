// Consequences of an act on an alert, once a read has shown what became of it: for the card that it was pressed on and its
// thread, other cards of the alert, its new owner, and whether it opens again. Its request does this at once; whoever
// comes after a request that died does it from what is kept. Nothing is shown that was only pressed.
import { type Card, cardTheySee } from '../alert/cards.ts'
import { showOnCard } from '../alert/refresh.ts'
import { isClosed } from '../alert/render/state.ts'
import { MonitorError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import { slackPersonOf } from '../names/own-id.ts'
import { isOpenDoubt, type SendOutcome } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import { classify } from '../slack/client/refusals.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId, personKey, type SlackUser } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { leaseMs, renewing } from '../work/repeat.ts'
import { openAtOnce, renderNewOwner } from './render/to-others.ts'
import type { ActRoom, SequelKey } from './room.ts'

/** An alert may open again soon after it was closed: for so long somebody looks. */
const reopeningMs = 15 * 60_000
/** The first look comes soon, as some services open it at once. */
const firstLookMs = 5_000
/** A doubt gives way to what later looks have found. */
const doubtMs = 5_000

/** An act with an outcome. */
export interface Acted {
  readonly key: SequelKey
  readonly sender: SlackUser
  readonly write: AlertWrite
  readonly outcome: SendOutcome
  /** An equal one stands for it: that one is followed by all that is not about this card. */
  readonly isJoined: boolean
}

/** What its own request knows besides. */
interface AtOnce {
  readonly from: From
  /** It was pressed on the card itself. */
  readonly isOnCard: boolean
  /** As its sender’s token showed it last. */
  readonly alert: Alert | undefined
  /** Which drawing of the card was the last one before it was sent; undefined where there is none to draw. */
  readonly drawing: number | undefined
}

/** Sends an act, which is followed up by others once this process has died. */
export async function following(
  { sequels }: Pick<ActRoom, 'sequels'>,
  of: SequelKey & SlackUser,
  send: () => Promise<void>,
): Promise<void> {
  await sequels.keep(of, leaseMs)
  await renewing(() => sequels.renew(of, leaseMs), send)
}

/** Never rejects: what fails is tried again by others, and the sender is told of the act in any case. */
export async function followAtOnce(room: ActRoom, acted: Acted, atOnce: AtOnce): Promise<void> {
  try {
    await followAct(room, acted, atOnce)
  } catch (error) {
    noteFailure(room, acted.sender, error)
  }
}

export function noteFailure({ alert }: Pick<ActRoom, 'alert'>, { userId }: SlackUser, error: unknown): void {
  const what = 'what follows an act on an alert could not be done; trying again'
  alert.log.failedJob('warn', { err: error, user: userId }, what)
}

/** @throws What keeps it from being done, which may pass. */
export async function followAct(room: ActRoom, acted: Acted, atOnce?: AtOnce): Promise<void> {
  const { sequels } = room
  const { key, outcome, isJoined } = acted
  if (!showsSomething(outcome)) {
    return isOpenDoubt(outcome) ? sequels.renew(key, doubtMs) : sequels.end(key)
  }
  const card = await actedCard(room, acted)
  const shown = await showWhatWasRead(room, acted, card, atOnce)
  if (shown === undefined || isJoined) return sequels.end(key)
  const { alert, failure } = shown
  await callOthers(room, acted, alert, card)
  await tellNewOwner(room, acted, card)
  if (failure !== undefined) throw failure
  if (mayReopen(acted, alert, card)) {
    return sequels.awaitReopening(key, { forMs: reopeningMs, inMs: firstLookMs })
  }
  await sequels.end(key)
}

/** What its sender saw may be otherwise by now, or is so by this act. */
function showsSomething(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'not-done' && outcome.code === 'changed')
}

/** The sender did it, as far as anybody can tell. */
function isOwnDoing(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

/** The card that it was pressed on, as far as its sender may see it. */
export function actedCard(
  { alert }: Pick<ActRoom, 'alert'>,
  { sender, write }: Pick<Acted, 'sender' | 'write'>,
): Promise<Card | undefined> {
  return cardTheySee(alert, sender, write.cardId)
}

/** What was shown on the card, and what kept it from being shown. */
interface Shown {
  readonly alert: Alert
  readonly failure: unknown
}

/** @returns Undefined where its sender cannot read it any more. */
async function showWhatWasRead(
  room: ActRoom,
  acted: Acted,
  card: Card | undefined,
  atOnce: AtOnce | undefined,
): Promise<Shown | undefined> {
  const read = () => readAgain(room, acted.sender, acted.write.ks)
  const from = card && (await whereOn(room, acted.sender, card, atOnce))
  if (card === undefined || from === undefined) {
    const alert = atOnce?.alert ?? (await read())
    return alert && { alert, failure: undefined }
  }
  return room.alert.turns(card.id, async () => {
    // What was drawn since may be newer than what was read before.
    const after = await room.alert.cards.drawingOf(acted.sender.workspaceId, card.id)
    const isNewest = after !== undefined && atOnce?.drawing === after
    // By the equal one, pressed on the same card.
    if (acted.isJoined && !isNewest) return undefined
    const alert = (isNewest ? atOnce?.alert : undefined) ?? (await read())
    if (alert === undefined) return undefined
    const isOpenAtOnce = acted.write.kind === 'close' && isOwnDoing(acted.outcome) && !isClosed(alert)
    const ending = isOpenAtOnce ? openAtOnce(acted.key.wishId) : undefined
    const show = async () => {
      if (await showOnCard(room.alert, from, card, { alert, ending, after })) return alert
      // Another process has drawn what may be newer.
      const newer = await read()
      if (newer !== undefined) await showOnCard(room.alert, from, card, { alert: newer, ending })
      return newer ?? alert
    }
    try {
      // Whoever pressed waits for it; nobody waits for what comes later.
      const shown = await (atOnce === undefined ? inTurn(room, from.place, show) : show())
      return { alert: shown, failure: undefined }
    } catch (error) {
      return { alert, failure: classify(error).lost.message ? undefined : error }
    }
  })
}

/** With the sender’s own token; undefined where it shows the alert no more. @throws MonitorError for what may pass. */
export async function readAgain(room: ActRoom, sender: SlackUser, ks: string): Promise<Alert | undefined> {
  const token = await room.account.tokens.find(sender)
  if (token === undefined) return undefined
  try {
    return await room.alert.reads.fresh(personKey(sender), token, ks)
  } catch (error) {
    const isFinal = error instanceof MonitorError && finalCodes.has(error.code)
    if (!isFinal) throw error
    return undefined
  }
}

const finalCodes: ReadonlySet<string> = new Set(['refused', 'forbidden', 'not-found', 'bad-request'])

/** Sends in the channel’s turn. */
export function inTurn<T>(
  { pace }: Pick<ActRoom, 'pace'>,
  { workspaceId, channelId }: Place,
  send: () => Promise<T>,
): Promise<T> {
  return channelId === undefined ? send() : pace.inTurn({ workspaceId, channelId }, send)
}

/** Where a card stands, for whoever acted on it; undefined where nothing leads there. */
export async function whereOn(
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
export async function callOthers(
  { alert: { noteClosed }, callIn }: Pick<ActRoom, 'alert' | 'callIn'>,
  { sender: { workspaceId }, write: { ks } }: Pick<Acted, 'sender' | 'write'>,
  alert: Alert,
  card: Card | undefined,
): Promise<void> {
  if (isClosed(alert)) noteClosed(workspaceId, alert, { ks, but: card?.id })
  else await callIn(workspaceId, [...new Set([ks, alert.ks])])
}

/** Tells a new owner who is somebody else, once. What fails is lost, as sending it again might be the second. */
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
  await outbound.in(workspaceId).post(owner.userId, renderNewOwner(giver, link))
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

/** The card can say so. */
function mayReopen({ write, outcome }: Acted, alert: Alert, card: Card | undefined): boolean {
  return write.kind === 'close' && isOwnDoing(outcome) && isClosed(alert) && card?.posted !== undefined
}
