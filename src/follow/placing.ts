// Finds on which assets a container’s alerts are, with its follow's carrier’s token: for new ones before they are told, as a
// notification can’t be edited; for all others with the reads that a look has left.
//
// A hint, and a name in a message, are believed once the asset’s own list holds the alert.

import type { House } from '../house.ts'
import { placesFoundTotal } from '../metrics/metrics.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import type { Account } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import { type AfterLook, type Follow, isGrave } from './follows.ts'
import { assetsToRead, assetToTry, type Searched } from './places.ts'

/** How long new alerts wait for their places, and for the names there. */
const newMs = 300
/** How long a look goes on with its search, which is far from the end of its lease. */
const searchMs = 5_000

export interface Search {
  readonly house: House
  readonly follow: Follow
  readonly reader: Account
  readonly listed: readonly OpenAlert[]
  /** When the look began, in milliseconds since 1970. */
  readonly at: number
  readonly found: Pick<AfterLook, 'seen'>
  /** Assets by alert’s key, found since. */
  readonly placed: Map<string, number>
  /** How many more reads this look may make. */
  left: number
}

/**
 * Finds what is known already, and makes one read at most.
 * @param keys - Of alerts that are told now.
 * @param cards - Alerts that get a card of their own: it reads for these alone.
 */
export async function placeNew(
  search: Search,
  keys: readonly string[],
  cards: readonly OpenAlert[],
): Promise<void> {
  const { house, follow, found, placed } = search
  if (keys.length === 0 && found.seen.size === 0) return

  if (keys.length > 0) {
    const known = await house.storage.places.some(follow.workspaceId, keys)
    for (const [ks, { asset }] of known) placed.set(ks, asset)
  }

  const trying = house.slack.work.track(tryOne(search, cards))
  await inTime(trying, newMs)
}

/** Has the names of all assets in memory then, too. */
async function tryOne(search: Search, cards: readonly OpenAlert[]): Promise<void> {
  const assets = await assetsOf(search)
  const unplaced = unplacedAmong(search, cards)
  const asset = assetToTry(unplaced, assets, searchedBefore(search))
  if (asset !== undefined && search.left > 0) await readAsset(search, asset)
}

/**
 * Looks for alerts that the channel knows.
 * @returns Keys of the cards whose place it found.
 */
export async function placeOthers(search: Search): Promise<readonly string[]> {
  const { house, listed, at, found } = search
  const told = listed.filter(({ ks }) => found.seen.has(ks))
  const unplaced = unplacedAmong(search, told)
  if (unplaced.length === 0) return []

  const assets = await assetsOf(search)
  const likeliest = assetsToRead(unplaced, assets, searchedBefore(search), search.left)
  const cards: string[] = []
  for (const asset of likeliest) {
    const isLate = house.now() - at > searchMs
    const isDone = unplacedAmong(search, told).length === 0
    if (isLate || isDone || search.left <= 0) break

    const keys = await readAsset(search, asset)
    if (keys === 'no-answer') break
    const drawn = keys.filter((ks) => found.seen.get(ks)?.hasCard).slice(0, search.left)
    // Each is read again, to draw it.
    search.left -= drawn.length
    cards.push(...drawn)
  }
  return cards
}

function unplacedAmong({ found, placed, at }: Search, alerts: readonly OpenAlert[]) {
  return alerts.flatMap(({ ks, lastMessage, timestamp }) => {
    const { asset = placed.get(ks), since = at } = found.seen.get(ks) ?? {}
    if (asset !== undefined) return []
    return { ks, message: lastMessage, since, timestamp }
  })
}

function searchedBefore({ house, follow, reader, found }: Search): Searched {
  const seen = [...found.seen.values()]
  return {
    hints: follow.hints ?? [],
    lately: seen.flatMap(({ asset }) => asset ?? []),
    readAt: { get: (asset) => house.assets.lastRead(reader, asset) },
  }
}

async function assetsOf({ house, follow, reader }: Search) {
  const listed = await house.assets.listed(reader, follow.containerId)
  return [...(listed?.values() ?? [])]
}

/**
 * One read places all alerts of the asset.
 * @returns Their keys.
 */
async function readAsset(search: Search, asset: number): Promise<readonly string[] | 'no-answer'> {
  const { house, follow, reader, listed, placed } = search
  const { workspaceId, containerId: container, hints = [], least } = follow
  search.left -= 1
  const keys = await house.assets.openOn(reader, asset)
  if (keys === 'no-answer') return keys

  const open = new Set(keys)
  const here = listed.filter((alert) => open.has(alert.ks) && isGrave(alert, least))
  const found = unplacedAmong(search, here)

  for (const { ks, timestamp } of found) {
    const hint = hints.find((one) => one.ks === ks && one.place.asset === asset)
    const place = { ...hint?.place, asset, container, timestamp }
    await house.storage.places.keep(workspaceId, ks, place)
    placed.set(ks, asset)
    placesFoundTotal.inc({ source: hint ? 'webhook' : 'search' })
  }
  return found.map(({ ks }) => ks)
}
