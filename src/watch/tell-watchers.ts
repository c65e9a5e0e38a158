// Tells those who watch, directly, that an alert got worse or is open again.
//
// Each hears what their own token reads: what a card shows was read with the token of one of them. A message is noted
// before it is sent, so that no other card, look or process sends it too; a note that is left behind is sent once more,
// and says so.
import type { Alert } from '../monitor/schema.ts'
import { classify } from '../slack/client/refusals.ts'
import { askFor, type Findings } from './find.ts'
import { type Held, NotHeld, throwUnlessHeld } from './poller.ts'
import { renderWorse } from './render.ts'
import type { LookRoom } from './room.ts'
import {
  type DirectNews,
  isClosedLevel,
  type KnownCard,
  type Level,
  levelOf,
  type Watcher,
} from './watches.ts'

/** Longer than Slack's client waits for an answer, so that a message in doubt is not still being sent. */
const tellingMs = 30_000

/**
 * Tells each watcher who is to hear of it.
 * @returns False when somebody is still to be told: at another look.
 */
export async function tellWatchers(
  room: LookRoom,
  held: Held,
  live: KnownCard,
  { answer, remaining }: Findings,
): Promise<boolean> {
  if (answer.kind !== 'alert') return true
  const level = levelOf(answer.alert)
  const worse = remaining.filter((one) => isToHear(one, level))
  const others = remaining.filter((one) => !worse.includes(one) && one.toldLevel !== level)
  await room.watches.keepLevel(
    live,
    others.map(({ userId }) => userId),
    level,
    'alert',
  )
  // The alert was read with the token of the first.
  const [reader] = remaining
  const told = await Promise.all(
    worse.map(async (watcher) => {
      const alert = watcher === reader ? answer.alert : await readAs(room, live, watcher)
      return alert === 'later' ? false : tellWatcher(room, held, live, { watcher, alert, level })
    }),
  )
  // Whoever sends one may die before it is out.
  const isOneUnderWay = remaining.some((one) => one.telling === 'under-way' && one.toldLevel === level)
  return told.every(Boolean) && !isOneUnderWay
}

function isToHear(watcher: Watcher, level: Level): boolean {
  if (watcher.isThreadOnly || isClosedLevel(level)) return false
  const known = watcher.toldLevel
  return level < known || (watcher.telling === 'in-doubt' && level === known)
}

/** The alert as their own token shows it; undefined when it does not. */
async function readAs(
  room: LookRoom,
  live: KnownCard,
  watcher: Watcher,
): Promise<Alert | undefined | 'later'> {
  const answer = await askFor(room, live, watcher)
  if (answer.kind === 'failure') return 'later'
  return answer.kind === 'alert' ? answer.alert : undefined
}

interface ToHear {
  readonly watcher: Watcher
  /** As they may see it. */
  readonly alert: Alert | undefined
  /** As the card’s reader found it. */
  readonly level: Level
}

/** True when they know of it, or are not to. */
async function tellWatcher(
  room: LookRoom,
  held: Held,
  live: KnownCard,
  { watcher, alert, level }: ToHear,
): Promise<boolean> {
  const { watches, log } = room
  const { workspaceId, cardId } = live
  const { userId } = watcher
  const to = alert === undefined ? level : levelOf(alert)
  const from = watcher.toldLevel
  if (alert === undefined || isClosedLevel(to) || (to >= from && watcher.telling !== 'in-doubt')) {
    await watches.keepLevel(live, [userId], to, 'card')
    return true
  }
  const telling: DirectNews = { workspaceId, cardId, userId, from, to }
  if (!room.directTurns.take({ workspaceId, userId })) return false
  let isClaimed = false
  try {
    // In the turn from the beginning: a message that was noted and then waited would seem to be in doubt.
    await room.pace.inTurn({ workspaceId, channelId: userId }, async () => {
      throwUnlessHeld(held)
      isClaimed = await watches.claimTelling(telling, tellingMs)
      if (isClaimed) await send(room, live, telling, { alert, isAgain: watcher.telling === 'in-doubt' })
      // Another card of theirs has said so, or is about to.
      else await watches.keepLevel(live, [userId], to, 'card')
    })
    return true
  } catch (error) {
    if (error instanceof NotHeld) throw error
    const { kind, mayBeDone } = classify(error)
    log.failedJob('warn', { err: error, user: userId }, 'a watcher could not be told that an alert got worse')
    // Slack may have taken it: then it is in doubt after a while.
    if (mayBeDone || !isClaimed) return false
    if (kind === 'busy') await watches.releaseTelling(telling)
    else await watches.settleTelling(telling)
    return kind !== 'busy'
  }
}

async function send(
  { watches, outbound, linkOf, settings }: LookRoom,
  { posted }: KnownCard,
  telling: DirectNews,
  { alert, isAgain }: { readonly alert: Alert; readonly isAgain: boolean },
): Promise<void> {
  const { workspaceId, userId, cardId, from, to } = telling
  const message = renderWorse(settings, {
    cardId,
    alert,
    // Of one that is sent again, nobody knows from where it came.
    from: from === to ? undefined : isClosedLevel(from) ? 'closed' : from,
    channelId: posted.channelId,
    link: await linkOf(workspaceId, posted),
    mayStandTwice: isAgain,
  })
  await outbound.in(workspaceId).postOnce(userId, message)
  await watches.settleTelling(telling)
}
