// The room put together: what people ask about alerts.
import type { ConnectFirst } from '../account/connect-first.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Patiently } from '../slack/client/patience.ts'
import type { Once } from '../slack/guard/once.ts'
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
import { createResumeAlert, type ResumeAlert } from './resume.ts'
import { createSetStyle, type SetStyle } from './style.ts'
import { createThreadNews, type ThreadNews } from './thread-news.ts'
import { createUnfurl, type Unfurl } from './unfurl.ts'

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
