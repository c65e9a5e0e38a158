// Pages for browsers, if `PUBLIC_URL` is set. A bot without it loads none of this.
import { readFileSync } from 'node:fs'
import type { Afterwards } from '../account/connect.ts'
import type { AccountRoom } from '../account/room.ts'
import { createTokenPage } from '../account/token-page.ts'
import type { Config } from '../config/config.ts'
import { unfurlDomainOf } from '../config/installed.ts'
import type { BodyBudget } from '../http/read-body.ts'
import type { InstallRoom } from '../install/install.ts'
import type { Log } from '../log/log.ts'
import { connectRoutes } from './connect-page.ts'
import { installRoutes } from './install-page.ts'
import { askedScopes, fillManifest } from './manifest.ts'
import type { Routes } from './server.ts'

/** The part of the program that pages need. */
export interface PagesRoom {
  readonly config: Config
  readonly account: AccountRoom
  /** Undefined if people can't install the bot by themselves. */
  readonly install: InstallRoom | undefined
  readonly bodies: BodyBudget
  readonly log: Log
}

/** @param publicUrl - Without a last slash; where browsers reach the bot. */
export function pageRoutes(room: PagesRoom, publicUrl: string, after: Afterwards): Routes {
  return new Map([...tokenRoutes(room, publicUrl, after), ...pagesToInstall(room, publicUrl)])
}

/** The page where people enter tokens. */
function tokenRoutes(room: PagesRoom, publicUrl: string, after: Afterwards): Routes {
  const { config, account, bodies, log } = room
  if (account.page === undefined) return new Map()
  const page = createTokenPage(account, account.page, after)
  const { alertUrl } = config.monitor
  // The operator names a web address only for alerts; the API is not for browsers.
  const monitoringUrl = alertUrl === undefined ? undefined : new URL(alertUrl).origin
  return connectRoutes({ page, publicUrl, monitoringUrl, bodies, log })
}

/** The pages on which people install the bot by themselves. */
function pagesToInstall({ config, install, log }: PagesRoom, publicUrl: string): Routes {
  if (install === undefined) return new Map()
  const scopes = manifestScopes(unfurlDomainOf(config))
  return installRoutes({ install, scopes, publicUrl, log })
}

/** The scopes that an installation asks for, optional ones too, as in the manifest that `npm run manifest` prints. */
export function manifestScopes(unfurlDomain: string | undefined): readonly string[] {
  const template = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')
  return askedScopes(fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain }))
}
