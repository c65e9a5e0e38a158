// Remembers assets (machines) as each person’s present token showed them, by number and by name: in memory alone. “Asks
// nobody” means here: without a request to the service.

import { LRUCache } from 'lru-cache'
import { MonitorError, type MonitorErrorCode, orMonitorError } from '../errors.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Asset, Mode, ModeTarget } from '../monitor/schema.ts'
import { type Account, type Clock, nameInLine, type SlackUser } from '../slack/person.ts'
import { dayMs, minuteMs } from '../work/durations.ts'
import { inTime } from '../work/under-way.ts'
import { keysIn, type NamesSeen } from './names.ts'

export type Assets = ReturnType<typeof createAssets>

/** An asset by its number. The container may be out of date, as assets move. */
interface AssetAt {
  readonly asset: number
  readonly container?: number | undefined
}

/** Limits for all people together: 50,000 take some 10 MB. */
const mostListed = 50_000
const mostAlone = 5_000
const mostRead = 50_000
/** How many lists are read to find a name, as they may be long. */
const mostSearched = 3

/** How long a card waits for the name of its asset. */
const nameMs = 300
const againMs = 10 * minuteMs
/** How soon a read that got no answer is made again. */
const retryMs = minuteMs

/** @param names - Knows people’s present tokens: what an earlier token has shown counts no more. */
export function createAssets(monitor: Monitor, names: NamesSeen, now: Clock) {
  /** Lists of assets, by container. */
  const lists = createShown<Map<number, Asset>>(
    mostListed,
    ({ size }) => 1 + size,
    async (token, containerId) => {
      const listed = await monitor.assetsIn(token, containerId)
      return listed.kind === 'listed'
        ? new Map(listed.assets.map((asset) => [asset.id, asset]))
        : undefined
    },
  )

  const alone = createShown<Asset>(
    mostAlone,
    () => 1,
    async (token, assetId) => {
      const found = await monitor.assetOf(token, assetId)
      return found.kind === 'found' ? found : undefined
    },
  )

  const containers = createShown<{ readonly mode?: Mode | undefined }>(
    mostAlone,
    () => 1,
    async (token, containerId) => {
      const found = await monitor.containerOf(token, containerId)
      return found.kind === 'found' ? found : undefined
    },
  )

  /**
   * A cache of one kind of thing, as tokens have shown it.
   * @param read - Gives undefined if the token doesn’t show the thing.
   */
  function createShown<Found extends object>(
    most: number,
    sizeOf: (found: Found) => number,
    read: (token: string, id: number) => Promise<Found | undefined>,
  ) {
    type Kept = {
      readonly found: Found | undefined
      /** When the service last gave an answer; a read without an answer leaves this time as it was. */
      readonly shownAt: number
      readonly againAt: number
    }
    const cache = new LRUCache<string, Kept, { readonly token: string; readonly id: number }>({
      maxSize: most,
      sizeCalculation: ({ found }) => (found === undefined ? 1 : sizeOf(found)),
      // Names stay while the next read is under way, or fails.
      ttl: dayMs,
      ttlResolution: 0, // ask the clock each time
      perf: { now },
      // A read whose entry has to make room meanwhile still reaches whoever waits for it.
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

    function shown(owner: SlackUser, id: number): Kept | undefined {
      const mark = names.of(owner)?.mark
      return mark === undefined ? undefined : cache.get(`${mark} ${id}`)
    }

    return {
      /** The thing, as it was shown within a day. Asks nobody. */
      known: (owner: SlackUser, id: number): Found | undefined => shown(owner, id)?.found,
      /** The thing, as it was shown in the last ten minutes. Asks nobody. */
      fresh(owner: SlackUser, id: number): Found | undefined {
        const { found, shownAt = 0 } = shown(owner, id) ?? {}
        return shownAt + againMs > now() ? found : undefined
      },
      /**
       * The thing, as it was shown in the last twenty minutes: what is read every ten minutes is always there. Asks nobody.
       */
      recent(owner: SlackUser, id: number): Found | undefined {
        const { found, shownAt = 0 } = shown(owner, id) ?? {}
        return shownAt + 2 * againMs > now() ? found : undefined
      },
      /**
       * The thing, as it was shown in the last ten minutes, else read now: once for all who ask meanwhile.
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

  /** When each asset's open alerts were last read, by whom, in milliseconds since 1970. */
  // Limited by size: a cache with a number of entries takes all its memory at once.
  const readAt = new LRUCache<string, number>({ maxSize: mostRead, sizeCalculation: () => 1 })

  function known(owner: SlackUser, { asset, container }: AssetAt): Asset | undefined {
    const inList = container === undefined ? undefined : lists.known(owner, container)?.get(asset)
    return inList ?? alone.known(owner, asset)
  }

  async function read(
    reader: Account,
    { asset, container }: AssetAt,
    isFollowed: boolean,
  ): Promise<Asset | undefined> {
    if (container === undefined) return alone.of(reader, asset)
    if (isFollowed) return (await lists.of(reader, container))?.get(asset)
    const inList = lists.fresh(reader.owner, container)?.get(asset)
    if (inList !== undefined) return inList
    const found = await alone.of(reader, asset)
    // An older list gets the asset, too, as known assets are looked up there first.
    const older = lists.known(reader.owner, container)
    if (found && older?.has(asset)) older.set(asset, found)
    return found
  }

  /** Assets of this name in lists that are known, in the order of the containers. Asks nobody. @param wanted - As typed. */
  function named(owner: SlackUser, wanted: string, containerIds: readonly number[]) {
    const name = plainly(wanted)
    if (name === '') return []

    return containerIds.flatMap((containerId) =>
      [...(lists.known(owner, containerId)?.values() ?? [])]
        .filter((asset) => plainly(asset.name) === name)
        .map((asset) => ({ ...asset, container: containerId })),
    )
  }

  return {
    /** An asset that this owner’s present token has shown within a day. Asks nobody. */
    known,

    /**
     * All assets of a container that this token sees, by number, from one list in ten minutes; undefined if the list can’t
     * be read. Never throws if the service fails.
     */
    listed: (
      reader: Account,
      containerId: number,
    ): Promise<ReadonlyMap<number, Asset> | undefined> => lists.of(reader, containerId),

    /**
     * The name of an asset for this reader, short and on one line, raw. Undefined if the asset has no name, their token
     * shows none, or the read takes longer than 300 ms; after that, the name is known the next time. Never throws if the
     * service fails.
     * @param isFollowed - True reads the container’s list, as its follow does anyway; false reads the asset alone.
     */
    async nameOf(reader: Account, at: AssetAt, isFollowed: boolean): Promise<string | undefined> {
      const inTimeRead = await inTime(
        read(reader, at, isFollowed).then((found) => ({ found })),
        nameMs,
      )
      return nameInAsset(inTimeRead ? inTimeRead.found : known(reader.owner, at))
    },

    /** The name as `nameOf` has it, if it is known already. Asks nobody. */
    nameKnown: (owner: SlackUser, at: AssetAt): string | undefined => nameInAsset(known(owner, at)),

    /**
     * Keys of the alerts open on an asset. `no-answer`: asking about other assets is in vain, too. Never throws if the
     * service fails.
     */
    async openOn(account: Account, assetId: number): Promise<readonly string[] | 'no-answer'> {
      const at = now()
      const open = await keysIn(monitor.openAlertsOf(account.token, String(assetId)))
      if (open !== 'no-answer') readAt.set(`${names.used(account).mark} ${assetId}`, at)
      return open
    },

    /** The time of the last `openOn` with this token, in milliseconds since 1970. Asks nobody. */
    lastRead: (account: Account, assetId: number): number | undefined =>
      readAt.get(`${names.used(account).mark} ${assetId}`),

    /** The mode of a machine or a container, as this owner’s token has shown it lately. Asks nobody. */
    modeKnown(owner: SlackUser, { asset, container }: ModeTarget): Mode | undefined {
      if (asset === undefined) return containers.recent(owner, container)?.mode
      const inList = lists.recent(owner, container)?.get(asset)
      return (inList ?? alone.recent(owner, asset))?.mode
    },

    /** Reads a machine or a container, with its mode. @returns If it can’t be read, a code that says why. */
    async modeNow(reader: Account, { container, asset }: ModeTarget): Promise<Shown | ModeCode> {
      const { owner, token } = reader
      if (asset === undefined) {
        const found = await orMonitorError(monitor.containerOf(token, container))
        if (!('kind' in found)) return found.code
        if (found.kind !== 'found') return 'not-found'
        containers.note(reader, container, found)
        return { name: found.name, mode: found.mode, container }
      }
      const found = await orMonitorError(monitor.assetOf(token, asset))
      if (!('kind' in found)) return found.code
      if (found.kind !== 'found') return 'not-found'
      alone.note(reader, asset, found)
      lists.known(owner, found.container)?.set(asset, found)
      return { name: found.name, mode: found.mode, container: found.container }
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

    named,

    /**
     * Assets of this name, as `named` finds them; if none is known, a few more lists are read. Never throws if the service
     * fails.
     * @returns `looked`: containers whose assets are known now.
     */
    async search(reader: Account, wanted: string, containerIds: readonly number[]) {
      const { owner } = reader
      // Names that an earlier token showed are forgotten here.
      names.used(reader)
      const isKnown = named(owner, wanted, containerIds).length > 0
      const due = isKnown ? [] : containerIds.filter((id) => !lists.fresh(owner, id))
      await Promise.all(due.slice(0, mostSearched).map((id) => lists.of(reader, id)))
      const looked = containerIds.filter((id) => lists.known(owner, id) !== undefined)

      return { found: named(owner, wanted, containerIds), looked }
    },
  }
}

/** A machine or a container, as a token has just shown it. Its name is raw, and may be empty. */
interface Shown {
  readonly name: string
  readonly mode: Mode | undefined
  /** The number of the container itself, or of the container that the machine is in. */
  readonly container: number
}
export type ModeCode = MonitorErrorCode

function nameInAsset(asset: Asset | undefined): string | undefined {
  return (asset && nameInLine(asset.name.slice(0, 120))) || undefined
}

const plainly = (name: string) => name.trim().toLowerCase()
