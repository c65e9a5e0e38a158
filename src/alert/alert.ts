// The room put together: everything that people ask about alerts, and how it goes on after it waited for an account.

import { z } from 'zod'
import type { ConnectFirst, Resumed } from '../account/connect-first.ts'
import { renderWaitedTooLong } from '../account/render.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Patiently } from '../slack/client/patience.ts'
import type { Once } from '../slack/guard/once.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { ChannelStyles } from '../slack/workspace/channels.ts'
import type { Cards, LiveCards } from './cards.ts'
import { createHistories, type Histories } from './history.ts'
import { type AfterLookUp, createLookUps, createShowAlert, type LookUps } from './look-up.ts'
import { createReadAlert } from './read-alert.ts'
import { createRefresh, type Refresh } from './refresh.ts'
import type { CardSettings } from './render/card.ts'
import { createSetStyle, type SetStyle } from './style.ts'
import { createThreadNews, type ThreadNews } from './thread-news.ts'
import { createUnfurl, postedLinks, type Unfurl } from './unfurl.ts'

export interface Alerts {
  readonly lookUps: LookUps
  readonly refresh: Refresh
  readonly histories: Histories
  readonly threadNews: ThreadNews
  readonly setStyle: SetStyle
  readonly unfurl: Unfurl
  /** Goes on with what waited for an account. */
  readonly resume: ResumeAlert
}

export function createAlerts(room: {
  readonly reads: AlertReads
  readonly audit: Pick<Audit, 'lookedUp'>
  readonly cards: Cards
  readonly liveCards: LiveCards
  readonly watching: AfterLookUp
  readonly channelStyles: ChannelStyles
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Outbound>
  readonly patiently: Patiently
  readonly once: Once
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}): Alerts {
  const { cards, delivery } = room
  const readAlert = createReadAlert(room)
  const showAlert = createShowAlert({ ...room, readAlert })
  const lookUps = createLookUps({ ...room, showAlert })
  const threadNews = createThreadNews(cards, room.now)
  const refresh = createRefresh({ ...room, readAlert, threadNews })
  const histories = createHistories({ ...room, readAlert })
  const setStyle = createSetStyle(room)
  const unfurl = createUnfurl({ ...room, readAlert })
  const resume = createResumeAlert({ lookUps, refresh, histories, unfurl, delivery })
  return { lookUps, refresh, histories, threadNews, setStyle, unfurl, resume }
}

const lookup = z.object({ ks: z.string(), isPrivate: z.boolean(), isWatched: z.boolean().default(false) })
const ofCard = z.object({ cardId: z.string() })
const ofHistory = z.object({ pressed: z.string() })

/** @param viewId - The modal in which the account was connected, still open; undefined when it was elsewhere. */
export type ResumeAlert = (from: From, resumed: Resumed, viewId: string | undefined) => Promise<void>

/** Goes on with what waited for an account: a look-up, a refresh, a share, a history, a preview. */
function createResumeAlert(room: {
  readonly lookUps: LookUps
  readonly refresh: Refresh
  readonly histories: Histories
  readonly unfurl: Unfurl
  readonly delivery: Delivery
}): ResumeAlert {
  const { lookUps, refresh, histories, unfurl, delivery } = room
  return async (from, { feature, ask, isOld }, viewId) => {
    // However long it has waited, as long as it is kept: the link still stands there.
    if (feature === 'unfurl') return unfurl(from, postedLinks.parse(ask))
    if (isOld) return delivery.privately(from.place, renderWaitedTooLong())
    switch (feature) {
      case 'look-up':
        return lookUps.lookUp(from, lookup.parse(ask))
      case 'refresh':
        return refresh(from, ofCard.parse(ask).cardId)
      case 'share':
        return lookUps.share(from, ofCard.parse(ask).cardId)
      case 'history':
        return histories.show(from, ofHistory.parse(ask).pressed, viewId)
    }
  }
}
