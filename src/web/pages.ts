// Pages for browsers, where there is an address for them: apart from the rest, as a bot without one loads none of it.
import { readFileSync } from 'node:fs'
import type { Afterwards } from '../account/connect.ts'
import { createTokenPage } from '../account/token-page.ts'
import { unfurlDomainOf } from '../config/installed.ts'
import type { Rooms, World } from '../rooms.ts'
import { connectRoutes } from './connect-page.ts'
import { installRoutes } from './install-page.ts'
import { askedScopes, fillManifest } from './manifest/manifest.ts'
import type { Routes } from './server.ts'

/** @param publicUrl - Without a last slash; where browsers reach the bot. */
export function pageRoutes(publicUrl: string, rooms: Rooms, world: World, after: Afterwards): Routes {
  return new Map([...tokenRoutes(publicUrl, rooms, world, after), ...pagesToInstall(publicUrl, rooms, world)])
}

/** The page where tokens are given. */
function tokenRoutes(
  publicUrl: string,
  { account, bodies }: Rooms,
  { log, now }: World,
  after: Afterwards,
): Routes {
  if (account.page === undefined) return new Map()
  const page = createTokenPage(account, account.page, after)
  return connectRoutes({ page, publicUrl, bodies, log, now })
}

/** Where people install the bot by themselves. */
function pagesToInstall(publicUrl: string, { install }: Rooms, { config, log, now }: World): Routes {
  if (install === undefined) return new Map()
  const scopes = manifestScopes(unfurlDomainOf(config))
  return installRoutes({ ...install, scopes, publicUrl, log, now })
}

/** The scopes that an installation asks for, the optional ones too: those of the manifest that `npm run manifest` prints. */
export function manifestScopes(unfurlDomain: string | undefined): readonly string[] {
  const template = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')
  return askedScopes(fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain }))
}
