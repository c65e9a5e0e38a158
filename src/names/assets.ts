// Remembers assets (machines), by number and by name, as each person’s present token has shown them. Kept in memory alone.

import { LRUCache } from 'lru-cache'
import { MonitorError, orMonitorError } from '../errors.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Asset, Mode, ModeTarget } from '../monitor/schema.ts'
import { type Account, type Clock, nameInLine, type SlackUser } from '../slack/person.ts'
import { dayMs, minuteMs } from '../work/durations.ts'
import { inTime } from '../work/under-way.ts'
import { keysIn, type NamesSeen } from './names.ts'

export type Assets = ReturnType<typeof createAssets>

/** An asset by its number. Assets move, so the container may be an earlier one. */
interface AssetAt {
  readonly asset: number
  readonly container?: number | undefined
}

/** Entries of each cache, for all people together: 50,000 take some 10 MB. */
const mostKept = 50_000
/** How many containers’ lists are read to find an asset by its name: such a list may be long. */
const mostSearched = 3

/** How long a card waits for the name of its asset. */
const nameMs = 300
/** How long an answer of the service is used before the service is asked for the same again. */
const againMs = 10 * minuteMs
/** How soon a read is repeated after the service gave no answer. */
const retryMs = minuteMs

/** @param names - Knows which token each person has now: what earlier tokens have shown isn’t used. */
export function createAssets(monitor: Monitor, names: NamesSeen, now: Clock) {
  /** Lists of assets, by container. */
  const lists = createShown<Map<number, Asset>>(
    async (token, containerId) => {
      const listed = await monitor.assetsIn(token, containerId)
      return listed.kind === 'listed'
        ? new Map(listed.assets.map((asset) => [asset.id, asset]))
        : undefined
    },
    ({ size }) => 1 + size,
  )

  /** Assets that were read one by one. */
  const alone = createShown<Asset>(async (token, assetId) => {
    const found = await monitor.assetOf(token, assetId)
    return found.kind === 'found' ? found : undefined
  })

  /** Containers that were read, each with its mode (such as maintenance), which is set for the whole container. */
  const containers = createShown<{ readonly mode?: Mode | undefined }>(
    async (token, containerId) => {
      const found = await monitor.containerOf(token, containerId)
      return found.kind === 'found' ? found : undefined
    },
  )

  /**
   * A cache of the service’s answers. Its keys have the token’s hash, and the number of the asset or container that was
   * read.
   * @param read - Gives undefined if the token doesn’t show what has this number.
   * @param sizeOf - How many entries of the cache an answer counts as.
   */
  function createShown<Found extends object>(
    read: (token: string, id: number) => Promise<Found | undefined>,
    sizeOf: (found: Found) => number = () => 1,
  ) {
    type Kept = {
      readonly found: Found | undefined
      /** When the service last gave an answer; a read without an answer leaves this time as it was. */
      readonly shownAt: number
      readonly againAt: number
    }
    const cache = new LRUCache<string, Kept, { readonly token: string; readonly id: number }>({
      maxSize: mostKept,
      sizeCalculation: ({ found }) => (found === undefined ? 1 : sizeOf(found)),
      // Names stay while the next read is under way, or fails.
      ttl: dayMs,
      ttlResolution: 0, // ask the clock each time
      perf: { now },
      // The result of a read goes to those who wait for it, even if the cache has dropped the entry meanwhile to make
      // room.
      ignoreFetchAbort: true,
      async fetchMethod(_, old, { context: { token, id } }) {
        const found = await orMonitorError(read(token, id))
        const shownAt = now()
        if (!(found instanceof MonitorError)) return { found, shownAt, againAt: shownAt + againMs }

        const isNoAnswer = found.code === 'busy' || found.code === 'unreachable'

        return isNoAnswer
          ? { found: old?.found, shownAt: old?.shownAt ?? 0, againAt: shownAt + retryMs }
          : { found: undefined, shownAt, againAt: shownAt + againMs }
      },
    })

    return {
      /** The answer with this number, if it was given within this time. Makes no request. */
      shown(owner: SlackUser, id: number, withinMs = dayMs): Found | undefined {
        const mark = names.of(owner)?.mark
        const { found, shownAt = 0 } = cache.get(`${mark} ${id}`) ?? {}
        return shownAt + withinMs > now() ? found : undefined
      },
      /**
       * The answer with this number, as given in the last ten minutes; otherwise it is read now, once for all who ask
       * during the read.
       * @param since - Reads before this time are too old, in milliseconds since 1970.
       */
      async of(account: Account, id: number, since = 0): Promise<Found | undefined> {
        const key = `${names.used(account).mark} ${id}`
        const againAt = cache.get(key)?.againAt ?? 0
        const forceRefresh = againAt <= now() || againAt - againMs < since
        return (await cache.fetch(key, { forceRefresh, context: { token: account.token, id } }))
          ?.found
      },
      /** Keeps what was read just now. */
      note(account: Account, id: number, found: Found): void {
        const { mark } = names.used(account)
        cache.set(`${mark} ${id}`, { found, shownAt: now(), againAt: now() + againMs })
      },
    }
  }

  /** When the open alerts of an asset were last read with a token, in milliseconds since 1970. */
  // `maxSize` instead of `max`: a cache with `max` takes all its memory when it is made.
  const readAt = new LRUCache<string, number>({ maxSize: mostKept, sizeCalculation: () => 1 })

  /** An asset, as it was shown in a list or alone. Makes no request. */
  function known(owner: SlackUser, { asset, container = 0 }: AssetAt, withinMs = dayMs) {
    const inList = lists.shown(owner, container, withinMs)?.get(asset)
    return inList ?? alone.shown(owner, asset, withinMs)
  }

  async function read(
    reader: Account,
    { asset, container }: AssetAt,
    isFollowed: boolean,
  ): Promise<Asset | undefined> {
    if (container === undefined) return alone.of(reader, asset)
    if (isFollowed) return (await lists.of(reader, container))?.get(asset)
    const inList = lists.shown(reader.owner, container, againMs)?.get(asset)
    if (inList !== undefined) return inList
    const found = await alone.of(reader, asset)
    // An older list is brought up to date: `known` looks for an asset in the list first.
    const older = lists.shown(reader.owner, container)
    if (found && older?.has(asset)) older.set(asset, found)
    return found
  }

  /**
   * Assets of this name in lists that were shown within a day, in the order of the containers. Makes no request.
   * @param wanted - As typed.
   */
  function named(owner: SlackUser, wanted: string, containerIds: readonly number[]) {
    const name = plainly(wanted)
    if (name === '') return []

    return containerIds.flatMap((containerId) =>
      [...(lists.shown(owner, containerId)?.values() ?? [])]
        .filter((asset) => plainly(asset.name) === name)
        .map((asset) => ({ ...asset, container: containerId })),
    )
  }

  return {
    /**
     * All assets of a container that this token sees, by number, read at most once in ten minutes; undefined if the list
     * can’t be read. Never throws if the service fails.
     */
    listed: (
      reader: Account,
      containerId: number,
    ): Promise<ReadonlyMap<number, Asset> | undefined> => lists.of(reader, containerId),

    /**
     * The name of an asset for this reader, short and on one line, raw. Undefined if the asset has no name, their token
     * shows none, or the read takes longer than 300 ms; the read then goes on, and the next call has the name. Never
     * throws if the service fails.
     * @param isFollowed - True: reads the list of all assets of the container, as the container’s follow does anyway.
     * False: reads the asset alone.
     */
    async nameOf(reader: Account, at: AssetAt, isFollowed: boolean): Promise<string | undefined> {
      const inTimeRead = await inTime(
        read(reader, at, isFollowed).then((found) => ({ found })),
        nameMs,
      )
      return nameInAsset(inTimeRead ? inTimeRead.found : known(reader.owner, at))
    },

    /** The name as `nameOf` gives it, if this owner’s present token has shown it within a day. Makes no request. */
    nameKnown: (owner: SlackUser, at: AssetAt): string | undefined => nameInAsset(known(owner, at)),

    /**
     * Keys of the alerts open on an asset; `no-answer` if reading other assets would fail as well. Never throws if the
     * service fails.
     */
    async openOn(account: Account, assetId: number): Promise<readonly string[] | 'no-answer'> {
      const at = now()
      const open = await keysIn(monitor.openAlertsOf(account.token, String(assetId)))
      if (open !== 'no-answer') readAt.set(`${names.used(account).mark} ${assetId}`, at)
      return open
    },

    /** The time of the last `openOn` with this token, in milliseconds since 1970. Makes no request. */
    lastRead: (account: Account, assetId: number): number | undefined =>
      readAt.get(`${names.used(account).mark} ${assetId}`),

    /**
     * The mode of a machine or a container, as this owner’s token has shown it in the last twenty minutes. A mode is
     * read anew after ten minutes at the earliest, so one that is read regularly is always there. Makes no request.
     */
    modeKnown(owner: SlackUser, { asset, container }: ModeTarget): Mode | undefined {
      const withinMs = 2 * againMs
      return asset === undefined
        ? containers.shown(owner, container, withinMs)?.mode
        : known(owner, { asset, container }, withinMs)?.mode
    },

    /**
     * Reads a machine or a container.
     * @returns The name (raw, may be empty), the mode, and the number of the container: its own, or that of the
     * container which the machine is in. If the service shows nothing, a code that says why.
     */
    async modeNow(reader: Account, { container, asset }: ModeTarget) {
      const { owner, token } = reader
      const found = await orMonitorError<Awaited<ReturnType<Monitor['assetOf' | 'containerOf']>>>(
        asset === undefined ? monitor.containerOf(token, container) : monitor.assetOf(token, asset),
      )
      if (found instanceof MonitorError) return found.code
      if (found.kind !== 'found') return 'not-found'

      const { name, mode } = found
      if (!('container' in found)) {
        containers.note(reader, container, found)
        return { name, mode, container }
      }

      alone.note(reader, found.id, found)
      lists.shown(owner, found.container)?.set(found.id, found)
      return { name, mode, container: found.container }
    },

    /**
     * Reads the modes of a container and of all in it, unless they were read in the last ten minutes. Never throws if the
     * service fails.
     * @param since - Reads before this time are too old, in milliseconds since 1970.
     * @returns All assets that this token sees there; undefined if they can’t be read.
     */
    async modesIn(reader: Account, containerId: number, since = 0) {
      const [assets] = await Promise.all([
        lists.of(reader, containerId, since),
        containers.of(reader, containerId, since),
      ])
      return assets
    },

    /**
     * Assets of this name, as `named` finds them; if there are none, a few more lists are read. Never throws if the service
     * fails.
     * @returns `looked`: containers whose assets are known now.
     */
    async search(reader: Account, wanted: string, containerIds: readonly number[]) {
      const { owner } = reader
      // From here on, names that an earlier token of this person showed are forgotten.
      names.used(reader)
      const isKnown = named(owner, wanted, containerIds).length > 0
      const due = isKnown ? [] : containerIds.filter((id) => !lists.shown(owner, id, againMs))
      await Promise.all(due.slice(0, mostSearched).map((id) => lists.of(reader, id)))
      const looked = containerIds.filter((id) => lists.shown(owner, id) !== undefined)

      return { found: named(owner, wanted, containerIds), looked }
    },
  }
}

function nameInAsset(asset: Asset | undefined): string | undefined {
  return (asset && nameInLine(asset.name.slice(0, 120))) || undefined
}

const plainly = (name: string) => name.trim().toLowerCase()
