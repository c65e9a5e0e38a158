// Tells others that an alert is closed, when Bellhop reads it somewhere: its live cards are looked at at once, each with
// its own watcher's token, and the threads of cards that were posted lately get one line.
//
// The line says that it is closed, and nothing else that was read: whoever reads there has not asked again. Private cards
// get none, nor do channels that others read, or where nobody knows whether others do.
import { hash } from 'node:crypto'
import type { Cards } from '../alert/cards.ts'
import type { CardSettings } from '../alert/render/card.ts'
import type { TellOthersIfClosed } from '../alert/room.ts'
import { isNews, tellThread, type Way } from '../alert/thread-news.ts'
import type { Log } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Once } from '../slack/guard/once.ts'
import { type Clock, isDirectId, type PerWorkspace } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { Work } from '../work/under-way.ts'
import type { Watches } from './watches.ts'

/** Every card that is looked at reads the alert again. Within this time, that is no news. */
const sameNewsMs = 60_000
const dayMs = 24 * 60 * 60_000
/** So many threads get the line, the newest cards first. */
const mostSnapshots = 10

export interface ClosingsRoom {
  readonly watches: Pick<Watches, 'makeDue' | 'snapshotsOf'>
  readonly cards: Cards
  readonly once: Pick<Once, 'claim'>
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'isShared'>>
  readonly outbound: PerWorkspace<Pick<Outbound, 'reply' | 'seek'>>
  readonly pace: Pace
  readonly settings: CardSettings
  readonly work: Pick<Work, 'track'>
  readonly log: Log
  readonly now: Clock
}

/** Tells others in the background. Nobody waits for it, and it never rejects. */
export function createTellOthersIfClosed(room: ClosingsRoom): TellOthersIfClosed {
  return (workspaceId, alert, { ks, but }) => {
    if (alert.closedTimestamp === null) return
    const keys = [...new Set([ks, alert.ks])]
    void room.work.track(
      tellOthers(room, workspaceId, alert, keys, but).catch((error: unknown) =>
        room.log.failedJob('warn', { err: error }, 'other cards of a closed alert could not be told'),
      ),
    )
  }
}

async function tellOthers(
  room: ClosingsRoom,
  workspaceId: string,
  alert: Alert,
  keys: readonly string[],
  but: string | undefined,
): Promise<void> {
  const news = hash('sha256', JSON.stringify([alert.ks, alert.closedTimestamp]), 'base64url')
  if (!(await room.once.claim(workspaceId, `closed ${news}`, sameNewsMs))) return
  const how = { but, newerThanMs: dayMs, most: mostSnapshots }
  await room.watches.makeDue(workspaceId, keys, but)
  const snapshots = await room.watches.snapshotsOf(workspaceId, keys, how)
  for (const cardId of snapshots) await tellSnapshot(room, workspaceId, cardId, alert)
}

async function tellSnapshot(
  room: ClosingsRoom,
  workspaceId: string,
  cardId: string,
  alert: Alert,
): Promise<void> {
  const card = await room.cards.find(workspaceId, cardId)
  if (card?.posted === undefined || card.isPrivate) return
  const { posted } = card
  const { channelId } = posted
  const toTell = { alert, isClosingAlone: true }
  // A conversation of two is one person's, who reads with their own token.
  if (isDirectId(channelId) || !isNews(room, card, toTell)) return
  if ((await room.sharedChannels.in(workspaceId).isShared(channelId)) !== false) return
  const slack = room.outbound.in(workspaceId)
  const way: Way = {
    post: (message, mark) => slack.reply(posted, message, mark),
    seek: (markId, since) => slack.seek(posted, markId, since),
  }
  try {
    await room.pace.inTurn({ workspaceId, channelId }, () => tellThread(room, card, toTell, way))
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    // Whoever reads it next tries again.
    room.log.failedJob('warn', { err: error }, 'a thread was not told that its alert is closed')
  }
}
