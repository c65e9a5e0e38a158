// Pages for browsers, if `PUBLIC_URL` is set. A bot without it loads none of this.
import type { Afterwards } from '../account/connect.ts'
import type { AccountRoom } from '../account/room.ts'
import { createTokenPage } from '../account/token-page.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { connectRoutes } from './connect-page.ts'
import type { Routes } from './server.ts'

/** The part of the program that pages need. */
export interface PagesRoom {
  readonly config: Config
  readonly account: AccountRoom
  readonly log: Log
}

/** @param publicUrl - Without a last slash; where browsers reach the bot. */
export function pageRoutes(room: PagesRoom, publicUrl: string, after: Afterwards): Routes {
  const { config, account, log } = room
  if (account.page === undefined) return new Map()
  const page = createTokenPage(account, account.page, after)
  const { alertUrl } = config.monitor
  // The operator names a web address only for alerts; the API is not for browsers.
  const monitoringUrl = alertUrl === undefined ? undefined : new URL(alertUrl).origin
  return connectRoutes({ page, publicUrl, monitoringUrl, log })
}
