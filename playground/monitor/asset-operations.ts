// Operations on assets: one, those of a container, and the open alerts of one.
// Source: the documentation of the service.
import { pick, refusals, select } from './answers.ts'
import { type Asset, assetsIn } from './assets.ts'
import { listAlerts } from './container-operations.ts'
import { assetFields, type PermissionFlag } from './contract.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { hasFlags, type NewToken, type World } from './world.ts'

/** Every field unless told. */
export function readAsset(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const asset = findAsset(world, token, segment)
  if ('status' in asset) return asset
  const fields = select(asked, 'fields', assetFields)
  if (fields === 'unknown' || hasOtherParameters(asked)) return refusals.invalid
  return { status: 200, body: pick(asShown(world, asset), fields ?? assetFields) }
}

/** In no order that is promised; `id` alone unless told. */
export function listAssets(world: World, asked: Asked, token: NewToken, id: number): Reply {
  if (!world.people.containers.has(id)) return refusals.notFound
  if (!hasFlags(world, token, id, ['API', 'READ'])) return refusals.forbidden
  const fields = select(asked, 'fields', assetFields)
  if (fields === 'unknown' || hasOtherParameters(asked)) return refusals.invalid
  const { hiddenAssets } = world.ways
  const seen = assetsIn(world.assets, id).filter((one) => !hiddenAssets.includes(one.id))
  const body = seen.map((one) => pick(asShown(world, one), fields ?? (['id'] as const)))
  return { status: 200, body: body.toReversed() }
}

export function listAssetAlerts(
  world: World,
  asked: Asked,
  token: NewToken,
  segment: string,
): Reply {
  const asset = findAsset(world, token, segment)
  if ('status' in asset) return asset
  if (hasOtherParameters(asked)) return refusals.invalid
  return listAlerts(world, asked, ({ assetId }) => assetId === asset.id)
}

/** @param flag - Needed besides API. @returns A refusal where there is none, or none for this token. */
export function findAsset(
  world: World,
  token: NewToken,
  segment: string,
  flag: PermissionFlag = 'READ',
): Asset | Reply {
  if (!/^\d+$/.test(segment)) return refusals.invalid
  const asset = world.assets.get(Number(segment))
  if (asset === undefined) return refusals.notFound
  if (!hasFlags(world, token, asset.containerId, ['API', flag])) return refusals.forbidden
  const { hiddenAssets, hiddenAsset } = world.ways
  if (!hiddenAssets.includes(asset.id)) return asset
  return hiddenAsset === 403 ? refusals.forbidden : refusals.notFound
}

function hasOtherParameters({ query }: Asked): boolean {
  return [...new URLSearchParams(query).keys()].some((name) => name !== 'fields')
}

/** Counts a read of its mode. */
function asShown(world: World, { containerId: container, ...asset }: Asset) {
  const empty = { zone: 0, description: '', labels: [], disabledChecks: [], properties: [] }
  return { ...empty, ...asset, container, mode: world.modes.shown(`asset/${asset.id}`) }
}
