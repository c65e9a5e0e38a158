// Finds on which assets a followed container’s alerts are (their places), with the token of the follow’s carrier: for new
// alerts before they are told, as a notification can’t be edited; for all others with the reads that a look has left.
//
// A hint (from a ring of the doorbell), and a name in a message, are believed once the asset’s own list of open alerts
// holds the alert.

import type { House } from '../house.ts'
import { placesFoundTotal } from '../metrics/metrics.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import type { Account } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import { type AfterLook, type Follow, isGrave } from './follows.ts'
import { assetsToRead } from './places.ts'

/** How long new alerts wait for their places, and for the names there. */
const newMs = 300
/** How long after its begin a look still searches: far less than its lease, in which it also has to post. */
const searchMs = 5_000

/** The state of a search, which is a part of a look. */
export interface Search {
  readonly house: House
  readonly follow: Follow
  readonly reader: Account
  readonly listed: readonly OpenAlert[]
  /** When the look began, in milliseconds since 1970. */
  readonly at: number
  readonly found: Pick<AfterLook, 'seen'>
  /** Numbers of the assets that this look has found, by the alert’s key. */
  readonly placed: Map<string, number>
  /** How many more reads this look may make. */
  left: number
}

/**
 * Takes the places that are stored already. To find others, reads the open alerts of one asset at most; if this takes
 * longer than 300 ms, the look goes on without them.
 * @param keys - Keys of alerts that are told now.
 * @param cards - Alerts that get a card of their own: the asset is read for these alone.
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

/** Reads the likeliest asset. Before that, reads the list of assets, so that all their names are in memory, too. */
async function tryOne(search: Search, cards: readonly OpenAlert[]): Promise<void> {
  const [asset] = await likeliestAssets(search, cards)
  if (asset !== undefined) await readAsset(search, asset)
}

/**
 * Searches for the places of alerts that the channel knows.
 * @returns Keys of cards to draw again, as their alert’s place was found.
 */
export async function placeOthers(search: Search): Promise<readonly string[]> {
  const { house, listed, at, found } = search
  const told = listed.filter(({ ks }) => found.seen.has(ks))
  const cards: string[] = []
  for (const asset of await likeliestAssets(search, told)) {
    const isLate = house.now() - at > searchMs
    const isDone = unplacedAmong(search, told).length === 0
    if (isLate || isDone || search.left <= 0) break

    const keys = await readAsset(search, asset)
    if (keys === 'no-answer') break
    cards.push(...keys.filter((ks) => found.seen.get(ks)?.hasCard))
  }
  return cards
}

/** The asset of an alert, if this look or one before has found it, and the time of the first look that had the alert. */
export function assetAndSince({ found, placed, at }: Search, { ks }: OpenAlert) {
  const { asset = placed.get(ks), since = at } = found.seen.get(ks) ?? {}
  return { asset, since }
}

function unplacedAmong(search: Search, alerts: readonly OpenAlert[]) {
  return alerts.flatMap((alert) => {
    const { asset, since } = assetAndSince(search, alert)
    return asset === undefined ? { ...alert, since } : []
  })
}

/** Numbers of the assets to read for those of these alerts whose place isn’t known, the likeliest first. */
async function likeliestAssets(search: Search, alerts: readonly OpenAlert[]) {
  const { house, follow, reader, found, left } = search
  const listed = await house.assets.listed(reader, follow.containerId)
  const searched = {
    hints: follow.hints ?? [],
    lately: new Set([...found.seen.values()].flatMap(({ asset }) => asset ?? [])),
    readAt: { get: (asset: number) => house.assets.lastRead(reader, asset) },
  }
  return assetsToRead(unplacedAmong(search, alerts), [...(listed?.values() ?? [])], searched, left)
}

/**
 * Reads the asset’s open alerts, which places them all there.
 * @returns Keys of those whose place was not known before.
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
