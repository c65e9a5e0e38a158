// Finds on which assets a container’s alerts are, with its follow's carrier’s token: for new ones before they are told, as a
// notification can’t be edited; for all others with the reads that a look has left.
//
// A hint, and a name in a message, are believed once the asset’s own list holds the alert.
import type { House } from '../house.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import type { Reader } from '../names/names.ts'
import { inTime } from '../work/under-way.ts'
import { type Follow, isGrave, type SeenAlert } from './follows.ts'
import { assetsToRead, assetToTry, type Searched, type Unplaced } from './places.ts'

/** How long new alerts wait for their places, and for the names there. */
const newMs = 300
/** How long a look goes on with its search, which is far from the end of its lease. */
const searchMs = 5_000

export interface Search {
  readonly house: House
  readonly follow: Follow
  readonly reader: Reader
  readonly listed: readonly OpenAlert[]
  /** When the look began, in milliseconds since 1970. */
  readonly at: number
  /** Assets by alert’s key, found since. */
  readonly placed: Map<string, number>
  /** How many more reads this look may make. */
  left: number
}

/**
 * Finds what is known already, and makes one read at most.
 * @param keys - Of alerts that are told now. @param cards - Those with a card of their own, for which it reads.
 */
export async function placeNew(
  search: Search,
  keys: readonly string[],
  cards: readonly OpenAlert[],
): Promise<void> {
  const { house, follow, placed } = search
  if (keys.length > 0) {
    const known = await house.storage.places.some(follow.workspaceId, keys)
    for (const [ks, { asset }] of known) placed.set(ks, asset)
  } else if (Object.keys(follow.seen).length === 0) return
  await inTime(house.slack.work.track(tryOne(search, cards)), newMs)
}

/** Has the names of all assets in memory then, too. */
async function tryOne(search: Search, cards: readonly OpenAlert[]): Promise<void> {
  const { follow, at } = search
  const assets = await assetsOf(search)
  const unplaced = unplacedAmong(search, cards, () => at)
  if (search.left <= 0 || unplaced.length === 0) return
  const searched = searchedBefore(search, new Map(Object.entries(follow.seen)))
  const asset = assetToTry(unplaced, assets, searched)
  if (asset !== undefined) await readAsset(search, asset)
}

/** Looks for alerts that the channel knows. @returns Keys of the cards whose place it found. */
export async function placeOthers(
  search: Search,
  seen: ReadonlyMap<string, SeenAlert>,
): Promise<readonly string[]> {
  const { house, listed, at } = search
  const sinceOf = (ks: string) => {
    const one = seen.get(ks)
    return one && one.asset === undefined ? (one.since ?? 0) : undefined
  }
  const unplaced = unplacedAmong(search, listed, sinceOf)
  if (search.left <= 0 || unplaced.length === 0) return []
  const assets = assetsToRead(
    unplaced,
    await assetsOf(search),
    searchedBefore(search, seen),
    search.left,
  )
  const found: string[] = []
  for (const asset of assets) {
    const isLate = house.now() - at > searchMs
    if (isLate || search.left <= 0 || unplaced.every(({ ks }) => search.placed.has(ks))) break
    const keys = await readAsset(search, asset)
    if (keys === 'no-answer') break
    const cards = keys.filter((ks) => seen.get(ks)?.hasCard).slice(0, search.left)
    // Each is read again, to draw it.
    search.left -= cards.length
    found.push(...cards)
  }
  return found
}

/** @param sinceOf - When a look first had an alert; undefined where it isn’t to be looked for. */
function unplacedAmong(
  { placed }: Search,
  alerts: readonly OpenAlert[],
  sinceOf: (ks: string) => number | undefined,
): readonly Unplaced[] {
  return alerts.flatMap(({ ks, lastMessage: message }) => {
    const since = placed.has(ks) ? undefined : sinceOf(ks)
    return since === undefined ? [] : { ks, message, since }
  })
}

function searchedBefore(
  { house, follow, reader }: Search,
  seen: ReadonlyMap<string, SeenAlert>,
): Searched {
  return {
    hints: follow.hints ?? [],
    lately: [...seen.values()].flatMap(({ asset }) => asset ?? []),
    readAt: { get: (asset) => house.assets.lastRead(reader, asset) },
  }
}

async function assetsOf({ house, follow, reader }: Search) {
  const listed = await house.assets.listed(reader, follow.containerId)
  return [...(listed?.values() ?? [])]
}

/** One read places all alerts of the asset. @returns Their keys. */
async function readAsset(search: Search, asset: number): Promise<readonly string[] | 'no-answer'> {
  const { house, follow, reader, listed, placed } = search
  const { workspaceId, containerId, seen, hints = [], least } = follow
  search.left -= 1
  const keys = await house.assets.openOn(reader, asset)
  if (keys === 'no-answer') return keys
  const open = new Set(keys)
  const found = listed.filter(
    (alert) =>
      open.has(alert.ks) &&
      isGrave(alert, least) &&
      !placed.has(alert.ks) &&
      seen[alert.ks]?.asset === undefined,
  )
  for (const { ks, timestamp: time } of found) {
    const hint = hints.find((one) => one.ks === ks && one.place.asset === asset)
    const place = { ...hint?.place, asset, container: containerId, time }
    await house.storage.places.keep(workspaceId, ks, place)
    placed.set(ks, asset)
  }
  return found.map(({ ks }) => ks)
}
