// Goes on with what waited for an account: a look-up, a refresh, a share, a history.
import { z } from 'zod'
import type { Resumed } from '../account/connect-first.ts'
import { renderWaitedTooLong } from '../account/render.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Histories } from './history.ts'
import type { LookUps } from './look-up.ts'
import type { Refresh } from './refresh.ts'
import { postedLinks, type Unfurl } from './unfurl.ts'

const lookup = z.object({ ks: z.string(), isPrivate: z.boolean(), isWatched: z.boolean().default(false) })
const ofCard = z.object({ cardId: z.string() })
const ofHistory = z.object({ pressed: z.string() })

/** @param viewId - The modal in which the account was connected, still open; undefined when it was elsewhere. */
export type ResumeAlert = (from: From, resumed: Resumed, viewId: string | undefined) => Promise<void>

export function createResumeAlert(room: {
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
