// What browsers see of the bot, where there is an address for it: apart from the rest, as a bot without one loads none of it.
import type { GoOn } from '../account/go-on.ts'
import { createTokenPage } from '../account/token-page.ts'
import { unfurlDomainOf } from '../config/installed.ts'
import type { Rooms } from '../rooms.ts'
import type { World } from '../world.ts'
import { connectRoutes } from './connect-page.ts'
import { installRoutes } from './install-page.ts'
import { manifestScopes } from './manifest/scopes.ts'
import type { Routes } from './server.ts'

/** @param publicUrl - Without a last slash; where browsers reach the bot. */
export function pageRoutes(publicUrl: string, rooms: Rooms, world: World, goOn: GoOn): Routes {
  return new Map([...tokenRoutes(publicUrl, rooms, world, goOn), ...pagesToInstall(publicUrl, rooms, world)])
}

/** The page where tokens are given. */
function tokenRoutes(publicUrl: string, rooms: Rooms, { storage, log, now }: World, goOn: GoOn): Routes {
  const { links, slack, bodies } = rooms
  if (links === undefined) return new Map()
  const page = createTokenPage({ ...slack, ...rooms, links, store: storage.connectLinks, goOn, log })
  return connectRoutes({ page, publicUrl, bodies, log, now })
}

/** Where people install the bot by themselves. */
function pagesToInstall(publicUrl: string, { install }: Rooms, { config, log, now }: World): Routes {
  if (install === undefined) return new Map()
  const scopes = manifestScopes(unfurlDomainOf(config))
  return installRoutes({ ...install, scopes, publicUrl, log, now })
}
