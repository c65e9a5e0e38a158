// Concludes a look at a live card: the thread is told, and so are those who watch no more, and the card is given back.

import { askToConnect } from '../account/connect-first.ts'
import type { Ending } from '../alert/cards.ts'
import { beginStanding, isNews, type ToTell, tellThread, type Way } from '../alert/thread-news.ts'
import { type Names, noNames } from '../names/names.ts'
import type { Message } from '../slack/outbound/message.ts'
import { endOf, type Fresh, isOld, isResting } from './draw.ts'
import { type Findings, findOut, namesFor } from './find.ts'
import { type Held, NotHeld, throwUnlessHeld } from './poller.ts'
import {
  endingWords,
  nameOf,
  refusedWatchWords,
  renderGone,
  renderNotAllowed,
  unreadWords,
} from './render.ts'
import type { LookRoom } from './room.ts'
import type { CardShown, Ended, KnownCard, Looked, Watcher } from './watches.ts'

/** What the thread knows. */
export interface NewsTold {
  /** What was found last: all of it is told, unless it is still to be. */
  readonly fresh: Fresh
  readonly isTold: boolean
}

/** Tells the thread what it does not know yet. Rejects for what Slack does; then nothing is told. */
export async function tellNews(room: LookRoom, held: Held, live: KnownCard, first: Fresh): Promise<NewsTold> {
  const card = live.shown === undefined ? live.card : await beginStanding(room, live.card, live.shown.alert)
  const known = card.names ?? noNames
  if (!isNews(room, card, toTell(room, live, first.found, known))) return { fresh: first, isTold: true }
  // In the turn from the beginning: a reply that was noted and then waited would seem to be in doubt.
  return inTurn(room, held, async () => {
    // What came while it waited is told along.
    const atMs = held.ageMs()
    const fresh = isOld(held, first) ? { found: await findOut(room, live), atMs } : first
    const { found } = fresh
    const names = await namesFor(room, live, found)
    // Somebody may watch again by now.
    if (endOf(found) !== undefined && !(await room.watches.isStill(held.owner, live))) throw new NotHeld()
    const slack = room.outbound.in(live.workspaceId)
    const way: Way = {
      post: (message, mark) => {
        throwUnlessHeld(held)
        return slack.reply(live.posted, message, mark)
      },
      seek: (markId, since) => slack.seek(live.posted, markId, since),
    }
    const told = await tellThread(room, { ...card, names }, toTell(room, live, found, names), way)
    if (told.kind === 'doubtful')
      room.log.warn({ err: told.error }, 'Slack did not confirm a reply; it is looked for')
    return { fresh, isTold: told.kind === 'all' }
  })
}

/** Sends in the channel's turn, unless the card has come into other hands by then. */
function inTurn<T>({ pace }: LookRoom, held: Held, work: () => Promise<T>): Promise<T> {
  const { workspaceId, posted } = held.live
  return pace.inTurn({ workspaceId, channelId: posted.channelId }, async () => {
    throwUnlessHeld(held)
    return work()
  })
}

/** What the thread is told besides actions: how it ended, or, once, that the alert cannot be read just now. */
function lastWords(
  { timing, ttlHours }: LookRoom,
  live: KnownCard,
  found: Findings,
  names: Names,
): Ending | undefined {
  const end = endOf(found)
  if (end !== undefined) return { id: String(live.since), ...endingWords(end, ttlHours, names) }
  if (found.answer.kind !== 'failure' || isResting(live) || !timing.isOverdue(live)) return undefined
  return { id: `${live.since} unread ${live.shown?.asOf ?? 0}`, words: unreadWords }
}

function toTell(room: LookRoom, live: KnownCard, found: Findings, names: Names): ToTell {
  const { answer } = found
  return {
    alert: answer.kind === 'alert' ? answer.alert : undefined,
    ending: lastWords(room, live, found, names),
  }
}

/** Those who watch no more hear why, each once, where the thread does not tell it. */
export async function informEnded(
  room: LookRoom,
  { owner }: Held,
  live: KnownCard,
  { ended }: Findings,
): Promise<void> {
  for (const { watcher, why } of ended) {
    if (watcher.ended !== undefined || (why.kind !== 'refused' && why.kind !== 'forbidden')) continue
    const isMarked = await room.watches.markEnded(owner, live, watcher.userId, why)
    if (isMarked) await inform(room, live, watcher, why.kind)
  }
}

/** So often somebody is told that their card is gone, when Slack does not take it. */
const mostFarewells = 8

/** The card is out of reach: its watchers hear it, as no thread can tell them. */
export async function abandon(room: LookRoom, held: Held, live: KnownCard): Promise<void> {
  for (const watcher of live.watchers) {
    if (watcher.ended !== undefined) continue
    const isTold = await inform(room, live, watcher, 'gone')
    if (!isTold && live.failures < mostFarewells) return giveBackFailed(room, held, {})
    await room.watches.markEnded(held.owner, live, watcher.userId, { kind: 'gone' })
  }
  await room.watches.finish(held.owner, live)
}

type WhyInform = Extract<Ended['kind'], 'refused' | 'forbidden' | 'gone'>

/**
 * Tells a watcher directly that they watch no more, where they could not know it from the thread. Never throws. False
 * when the message could not be posted, which is logged.
 */
async function inform(room: LookRoom, live: KnownCard, watcher: Watcher, why: WhyInform): Promise<boolean> {
  try {
    await tellWatcher(room, live, watcher, why)
    return true
  } catch (error) {
    room.log.failedJob(
      'warn',
      { err: error, user: watcher.userId },
      'a watcher could not be told that their watch has ended',
    )
    return false
  }
}

async function tellWatcher(
  { account, outbound }: LookRoom,
  live: KnownCard,
  { userId, name }: Watcher,
  why: WhyInform,
): Promise<void> {
  const { workspaceId, cardId, shown } = live
  const { ks } = live.card
  const post = (message: Message) => outbound.in(workspaceId).post(userId, message)
  const alertName = nameOf(ks, shown)
  if (why === 'gone') await post(renderGone(alertName, ks))
  if (why === 'forbidden') await post(renderNotAllowed(alertName))
  if (why !== 'refused') return
  const place = { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: true }
  const wanted = { feature: 'watch', ks, ask: { cardId } } as const
  const text = refusedWatchWords(alertName)
  await askToConnect(account, { asker: { workspaceId, userId, name }, place }, wanted, 'refused', { text })
}

/** Keeps what was found, and lets others have the card. */
export function giveBack(
  { watches, timing }: LookRoom,
  { owner, live, ageMs }: Held,
  looked: Partial<Looked>,
): Promise<void> {
  const nothing = { drawn: undefined, seen: undefined, isTrue: false, failures: 0, askInMs: 0 }
  return watches.looked(owner, live, { ...nothing, inMs: timing.next(live, ageMs()), ...looked })
}

/** The look failed: the next one comes later. */
export function giveBackFailed(room: LookRoom, held: Held, looked: Partial<Looked>): Promise<void> {
  const { live } = held
  return giveBack(room, held, {
    ...looked,
    failures: live.failures + 1,
    inMs: room.timing.afterFailure(live),
  })
}

/** The service did not answer, or was not asked, as it has asked to be left alone. */
export function giveBackUnanswered(
  room: LookRoom,
  held: Held,
  askInMs: number,
  drawn: CardShown | undefined,
): Promise<void> {
  const { live } = held
  if (live.askInMs === 0) return giveBackFailed(room, held, { drawn, askInMs })
  const inMs = Math.min(room.timing.afterFailure(live), askInMs)
  return giveBack(room, held, { drawn, askInMs, inMs, failures: live.failures })
}
