// Plans the search for alerts’ places (the asset that each alert is on): which assets’ open alerts a look reads. Pure.
//
// In this order, as long as the look has reads left:
// 1. assets that a hint names, as the service itself has sent most of them;
// 2. assets whose name stands in the alert’s message;
// 3. assets that had alerts lately, as trouble stays where it is, the one read longest ago first;
// 4. all others, the one read longest ago first.
// An asset isn’t read for an alert if it was read already since the alert was first seen. So the search ends by itself, and
// a hint that lies costs one read. In a container of more than 500 assets, step 4 is left out: it would take hours.
import { type Hint, isNamedIn } from '../alert/place.ts'
import type { Asset, OpenAlert } from '../monitor/schema.ts'

/** An alert whose place nobody knows: on which asset it is. */
export interface Unplaced extends Pick<OpenAlert, 'ks' | 'lastMessage'> {
  /** Time of the first look that had the alert, in milliseconds since 1970. */
  readonly since: number
}

/** Facts and hints by which a search chooses assets. Each field may be empty. */
export interface Searched {
  /** Hints for any alerts, the newest last. */
  readonly hints: readonly Hint[]
  /** Numbers of assets that had alerts lately. */
  readonly lately: ReadonlySet<number>
  /** When each asset’s open alerts were last read, in milliseconds since 1970. */
  readonly readAt: Pick<ReadonlyMap<number, number>, 'get'>
}

/** Most reads of one look for places; fewer if the look’s news has left fewer. */
const mostPlaceReads = 10
/** In a container with more assets, those without a hint, a name in a message or alerts lately are never read. */
const mostGoneThrough = 500

/**
 * @param assets - All assets of the container that the carrier’s token shows; if there are none, hints alone count.
 * @param most - Reads that the look has left.
 * @returns Numbers of assets to read now, each once, the likeliest first; at most ten.
 */
export function assetsToRead(
  unplaced: readonly Unplaced[],
  assets: readonly Asset[],
  { hints, lately, readAt }: Searched,
  most: number,
): readonly number[] {
  const lastRead = (asset: number) => readAt.get(asset) ?? 0
  const byKey = new Map(unplaced.map((alert) => [alert.ks, alert]))

  const hinted = hints.toReversed().map(({ ks, place }) => [byKey.get(ks), place.asset] as const)
  const likely = [...hinted, ...assetsNamed(unplaced, assets)]
    .filter(([alert, asset]) => alert !== undefined && lastRead(asset) < alert.since)
    .map(([, asset]) => asset)

  const newest = Math.max(...unplaced.map(({ since }) => since))
  const unread = assets
    .map(({ id }) => id)
    .filter((id) => lastRead(id) < newest)
    .toSorted((one, other) => lastRead(one) - lastRead(other) || one - other)
  const others = assets.length > mostGoneThrough ? [] : unread

  const wanted = new Set([...likely, ...unread.filter((id) => lately.has(id)), ...others])
  const reads = Math.max(0, Math.min(most, mostPlaceReads))
  return [...wanted].slice(0, reads)
}

/** Characters of a message that are searched for names. */
const longestMessage = 2_000
const words = /[\p{L}\p{N}_-]+/gu

/**
 * Pairs of an alert and the number of an asset whose name stands in the alert’s message; for each alert, the longest name
 * first. Several assets may have one name.
 */
export function assetsNamed(
  alerts: readonly Unplaced[],
  assets: readonly Asset[],
): readonly (readonly [Unplaced, number])[] {
  // Looked up by the first word, so that 2,000 names aren’t searched for in each of 2,000 messages.
  const byWord = Map.groupBy(assets, ({ name }) => wordsIn(name)[0])
  return alerts.flatMap((alert) => {
    const message = alert.lastMessage.slice(0, longestMessage)
    const inMessage = new Set(wordsIn(message))
    const candidates = [...inMessage].flatMap((word) => byWord.get(word) ?? [])
    return candidates
      .filter(({ name }) => isNamedIn(message, name))
      .toSorted((one, other) => other.name.length - one.name.length)
      .map(({ id }) => [alert, id] as const)
  })
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(words) ?? []
}
