// Assets of the stand-in service: machines that alerts are on, each in one container.
import { type Mode, mostAssets } from './contract.ts'

export interface NewAsset {
  /** Default the one that it is in, else 12. */
  readonly containerId?: number
  /** Default asset-34, by its number. Two assets may have the same. */
  readonly name?: string
  /** Default Linux. */
  readonly kind?: string
  /** For ever, in place of the one that it has. Default that one, else normal. */
  readonly mode?: Mode
}

/** Its mode is kept apart. */
export interface Asset extends Required<Omit<NewAsset, 'mode'>> {
  readonly id: number
}

/** Where an asset is whose container nobody has said. */
export const usualContainer = 12

/**
 * Changes what is given of an asset that is known.
 * @throws TypeError when its container is full.
 */
export function putAsset(
  assets: Map<number, Asset>,
  id: number,
  how: Omit<NewAsset, 'mode'>,
): Asset {
  const usual = { containerId: usualContainer, name: `asset-${id}`, kind: 'Linux' } as const
  const asset = { ...usual, ...assets.get(id), ...how, id }
  const others = assetsIn(assets, asset.containerId).filter((one) => one.id !== id)
  if (others.length >= mostAssets)
    throw new TypeError(`container ${asset.containerId} holds ${mostAssets} assets already`)
  assets.set(id, asset)
  return asset
}

export function assetsIn(
  assets: ReadonlyMap<number, Asset>,
  containerId: number,
): readonly Asset[] {
  return [...assets.values()].filter((one) => one.containerId === containerId)
}
