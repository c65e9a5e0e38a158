// Operations on modes: setting that of an asset, or of a container.
// Source: the documentation of the service.
import { bodyOf, done, refusals } from './answers.ts'
import { findAsset } from './asset-operations.ts'
import { modeSchema, tooManyForNormal } from './contract.ts'
import type { Monitored, NewMode } from './modes.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { hasFlags, type NewToken, type World } from './world.ts'

export function setAssetMode(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const asset = findAsset(world, token, segment, 'ASSET_MANAGEMENT')
  if ('status' in asset) return asset
  const wish = bodyOf(asked, modeSchema)
  return wish === undefined ? refusals.invalid : change(world, `asset/${asset.id}`, wish)
}

export function setContainerMode(world: World, asked: Asked, token: NewToken, id: number): Reply {
  if (!world.people.containers.has(id)) return refusals.notFound
  if (!hasFlags(world, token, id, ['API', 'ASSET_MANAGEMENT'])) return refusals.forbidden
  const wish = bodyOf(asked, modeSchema)
  if (wish === undefined) return refusals.invalid
  const open = [...world.alerts.values()].filter(
    ({ containerId, values }) => containerId === id && values.closedTimestamp === null,
  )
  if (wish.mode === 'normal' && open.length >= tooManyForNormal) return refusals.tooManyAlerts
  return change(world, `container/${id}`, wish)
}

function change({ ways, modes, changed }: World, of: Monitored, wish: NewMode): Reply {
  const isAgain = modes.inForce(of).mode === wish.mode
  if (ways.modes === 'ignored' || (isAgain && ways.secondDuration === 'stays')) return done
  modes.set(of, wish, ways.visible)
  changed()
  return done
}
