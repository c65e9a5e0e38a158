// Background job for what follows acts later on: after requests that died, once a doubt has given way, and while an
// alert that somebody closed may open again. Each with the token of whoever acted.
import type { Card } from '../alert/cards.ts'
import { showOnCard } from '../alert/refresh.ts'
import { webLink } from '../alert/render/card.ts'
import { isClosed } from '../alert/render/state.ts'
import { MonitorError } from '../errors.ts'
import { withId } from '../log/request.ts'
import type { ContainerAlert } from '../monitor/client.ts'
import type { Alert } from '../monitor/schema.ts'
import { containerOfAlert } from '../names/containers.ts'
import { asAlertWrite } from '../send/writes.ts'
import { every, leaseMs, type Repeated, renewing } from '../work/repeat.ts'
import {
  type Acted,
  actedCard,
  callOthers,
  closerOf,
  followAct,
  inTurn,
  noteFailure,
  readAgain,
  whereOn,
} from './follow.ts'
import { openAsAnother } from './render/to-others.ts'
import type { ActRoom, DueSequel } from './room.ts'

const lateMs = 1_000
const atOnce = 4
/** Before what failed is tried again. */
const pauseMs = 30_000
/** After this time nobody expects it any more. */
const longestMs = 10 * 60_000
/** Between two looks at an alert that may open again. */
const lookEveryMs = 60_000
/** Before what was read is read again, as it may be old. */
const soonMs = 2_000

export function followLate(room: ActRoom, everyMs = lateMs): Repeated {
  return every(everyMs, async () => {
    try {
      await followAll(room, await room.sequels.claim(leaseMs))
    } catch (error) {
      room.alert.log.failedJob('warn', { err: error }, 'what follows acts cannot be read; trying again')
    }
  })
}

/** Some at once: a service that does not answer must not keep everybody else waiting. */
async function followAll(room: ActRoom, due: readonly DueSequel[]): Promise<void> {
  const left = due.values()
  async function followOn(): Promise<void> {
    for (const one of left) {
      const renew = () => room.sequels.renew(one, leaseMs)
      await renewing(renew, () => withId(() => followOne(room, one)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, followOn))
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
  const alert = await readAgain(room, sender, write.ks)
  if (alert === undefined) return sequels.end(key)
  const another = isClosed(alert) ? await anotherFor(room, acted, alert, card) : undefined
  if (isClosed(alert) && another === undefined) return sequels.renew(key, lookEveryMs)
  // Nobody has asked for this now, so that another organisation does not read it.
  const { workspaceId } = key
  const isShared = await room.sharedChannels.in(workspaceId).wasShared(card.posted.channelId)
  if (isShared) return sequels.end(key)
  // The other one is more than they asked for there: where Slack doesn’t say who reads, it is not shown yet.
  if (another !== undefined && isShared === undefined) return sequels.renew(key, lookEveryMs)
  const ending = another && openAsAnother(another.ks, linkOf(room, another, card))
  const isShown = await alerts.turns(card.id, async () => {
    // Whoever watches it reads it with their own token.
    if (!isClosed(alert) && (await alerts.liveCards.liveOf(workspaceId, card.id))) return true
    return inTurn(room, from.place, () => showOnCard(alerts, from, card, { alert, ending, after }))
  })
  if (!isShown) return sequels.renew(key, soonMs)
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

/** None where the service does not say: what it says of the alert itself still counts. */
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

/** It is where the card’s alert is, but for when it was opened. */
function linkOf({ alert: { settings } }: ActRoom, { ks, timestamp }: ContainerAlert, { link }: Card) {
  return webLink(settings, ks, link && { ...link, timestamp: String(timestamp) })
}
