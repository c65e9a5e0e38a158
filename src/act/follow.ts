// Consequences of an act on an alert, once a read has shown what became of it: for the card that it was pressed on and its
// thread, other cards of the alert, its new owner, and whether it opens again. Nothing is shown that was only pressed, and
// each read is made with the token of whoever acted.
import { type Card, cardTheySee } from '../alert/cards.ts'
import { callOthersIfClosed } from '../alert/closings.ts'
import { type ReadAlert, showOnCard } from '../alert/refresh.ts'
import { isClosed } from '../alert/render/state.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { withId } from '../log/request.ts'
import type { Alert } from '../monitor/schema.ts'
import type { SendOutcome } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId, type SlackUser } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { lookSoon } from '../watch/look.ts'
import { leaseMs } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { openAtOnce, renderNewOwner } from './render/to-others.ts'

/** Somebody closed the alert of a card, and hears when it opens again. */
export interface Reopening extends SlackUser {
  readonly cardId: string
}

/** Store of closed alerts that are looked at for a while. Each step is atomic across processes. */
export interface Reopenings {
  /** In place of what was kept of this card. */
  keep(of: Reopening, how: { readonly forMs: number; readonly inMs: number }): Promise<void>
  /** Nobody else looks within this time; then it is due. */
  renew(one: Reopening, ms: number): Promise<void>
  end(one: Reopening): Promise<void>
  /** Ends all of a person’s. */
  endAllOf(owner: SlackUser): Promise<void>
  /** Those that are due, each handed to one caller; again after `leaseMs`. Those whose time is over end. */
  claim(leaseMs: number): Promise<readonly Reopening[]>
  forgetWorkspace(workspaceId: string): Promise<void>
}

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
export async function followAct(house: House, acted: Acted): Promise<void> {
  try {
    if (showsSomething(acted.outcome)) await follow(house, acted)
  } catch (error) {
    noteFailure(house, acted.sender, error)
  }
}

function noteFailure({ log }: House, { userId }: SlackUser, error: unknown): void {
  log.failedJob('warn', { err: error, user: userId }, 'what follows an act on an alert could not be done')
}

async function follow(house: House, acted: Acted): Promise<void> {
  const { sender, write } = acted
  const card = await cardTheySee(house, sender, write.cardId)
  const alert = await showWhatIsRead(house, acted, card)
  if (alert === undefined) return
  await callOthers(house, sender, write.ks, alert, card)
  if (card !== undefined && mayReopen(acted, alert, card)) {
    await house.storage.reopenings.keep(
      { ...sender, cardId: card.id },
      { forMs: reopeningMs, inMs: firstLookMs },
    )
  }
  await tellNewOwner(house, acted, card)
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
  house: House,
  acted: Acted,
  card: Card | undefined,
): Promise<Alert | undefined> {
  const { sender, write, outcome } = acted
  const read = () => readForSender(house, sender, write.ks)
  const from = card && whereOn(acted.from, card, acted.isOnCard)
  if (card === undefined || from === undefined) return (await read())?.alert
  return house.turns(`refresh ${card.id}`, async () => {
    const found = await read()
    if (found === undefined) return undefined
    const isOpenAtOnce = write.kind === 'close' && isOwnDoing(outcome) && !isClosed(found.alert)
    const ending = isOpenAtOnce ? openAtOnce(acted.id) : undefined
    try {
      await showOnCard(house, from, card, { ...found, ending })
    } catch (error) {
      noteFailure(house, sender, error)
    }
    return found.alert
  })
}

/** With the sender’s own token; undefined where it shows the alert no more. @throws MonitorError for what may pass. */
async function readForSender(house: House, sender: SlackUser, ks: string): Promise<ReadAlert | undefined> {
  const token = await house.tokens.find(sender)
  if (token === undefined) return undefined
  try {
    const alert = await house.monitor.readAlert(token, ks)
    return { alert, readAt: Math.floor(house.now() / 1000) }
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
  house: House,
  { workspaceId }: SlackUser,
  ks: string,
  alert: Alert,
  card: Card | undefined,
): Promise<void> {
  if (isClosed(alert)) callOthersIfClosed(house, workspaceId, alert, { ks, but: card?.id })
  else await lookSoon(house, workspaceId, [...new Set([ks, alert.ks])])
}

/** Tells a new owner who is somebody else. */
async function tellNewOwner(
  { slack, storage: { ownIds } }: House,
  { sender, write, outcome }: Acted,
  card: Card | undefined,
): Promise<void> {
  const { workspaceId, userId: senderId } = sender
  if (write.kind !== 'assign' || !isOwnDoing(outcome)) return
  const owner = await ownIds.personOf(workspaceId, write.ownerId)
  if (owner === undefined || owner.userId === senderId) return
  if (await slack.people.hasLeft(owner.userId)) return
  const giver = await slack.people.inLine(senderId)
  const posted = card && whereOthersSee(card)
  const link = posted && (await slack.linkOf(posted))
  await slack.post(owner.userId, renderNewOwner(giver, link))
}

/** Undefined where nobody else sees the card, as in a conversation with the bot, or nobody knows where it stands. */
function whereOthersSee({ isPrivate, posted }: Card): Posted | undefined {
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
export function lookForReopenings(house: House, everyMs = lateMs): Repeated {
  return every(everyMs, async () => {
    try {
      const due = await house.storage.reopenings.claim(leaseMs)
      await Promise.all(due.map((one) => withId(() => lookAt(house, one))))
    } catch (error) {
      house.log.failedJob('warn', { err: error }, 'closed alerts that may open again cannot be read')
    }
  })
}

async function lookAt(house: House, one: Reopening): Promise<void> {
  const { reopenings } = house.storage
  try {
    const againMs = await lookForReopening(house, one)
    await (againMs === undefined ? reopenings.end(one) : reopenings.renew(one, againMs))
  } catch (error) {
    noteFailure(house, one, error)
    const askedMs = error instanceof MonitorError ? error.retryAfterMs : 0
    await reopenings.renew(one, Math.max(lookEveryMs, askedMs)).catch(() => undefined)
  }
}

/** @returns Milliseconds until the next look; undefined where there is none. */
async function lookForReopening(
  house: House,
  { workspaceId, userId, cardId }: Reopening,
): Promise<number | undefined> {
  const { people, channels } = house.slack
  const sender = { workspaceId, userId }
  const card = await cardTheySee(house, sender, cardId)
  if (card?.posted === undefined) return undefined
  const { posted, asker, askerName } = card
  // Before the card’s turn: people who press something there do not wait for it.
  const found = await readForSender(house, sender, card.ks)
  if (found === undefined) return undefined
  if (isClosed(found.alert)) return lookEveryMs
  // Nobody has asked for this now, so that another organisation does not read it.
  if (await channels.wasShared(posted.channelId)) return undefined
  const name = asker.userId === userId ? askerName : await people.nameOf(userId)
  const place = placeOn(sender, posted, undefined)
  const from = { asker: { ...sender, name: name ?? 'a colleague' }, place }
  await house.turns(`refresh ${cardId}`, async () => {
    // Whoever watches it reads it with their own token.
    if (await house.storage.watches.liveOf(workspaceId, cardId)) return
    await house.pace.inTurn(posted.channelId, () => showOnCard(house, from, card, found))
  })
  await callOthers(house, sender, card.ks, found.alert, card)
  return undefined
}
