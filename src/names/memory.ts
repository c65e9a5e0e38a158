// Memory of what people's tokens showed of containers and alerts, unsealed: each for one person and one token of theirs.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ContainerPeople, TokenHolder } from '../monitor/containers.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'

/** Tells tokens apart; the token itself is not kept. */
export type TokenMark = string

export function markOf(token: string): TokenMark {
  return hash('sha256', token, 'base64url')
}

/** Of one container. Times are milliseconds since 1970; 0: never. */
export interface SeenContainer {
  /** Raw; empty where it has none, undefined while it isn't known. */
  readonly name: string | undefined
  readonly nameAt: number
  /** Raw names by the service's user id, also of people who were there before. */
  readonly people: ReadonlyMap<number, string>
  readonly peopleAt: number
  /** When this process last asked, whatever came of it. */
  readonly nameAskedAt: number
  readonly peopleAskedAt: number
  /** The service says that there is none, or none for this token. */
  readonly isNowhere: boolean
}

export const nothingSeen: SeenContainer = {
  name: undefined,
  nameAt: 0,
  people: new Map(),
  peopleAt: 0,
  nameAskedAt: 0,
  peopleAskedAt: 0,
  isNowhere: false,
}

/** Of one alert. */
export interface SeenAlert {
  readonly containerId: number
  /** The database has it as well. */
  readonly isKept: boolean
}

/** With one token. */
export interface SeenByToken {
  readonly mark: TokenMark
  readonly containers: ReadonlyMap<number, SeenContainer>
  /** Alerts whose container is known, by key as the service writes it. */
  readonly alerts: ReadonlyMap<string, SeenAlert>
  /** Alerts whose container the database didn’t have, and when it was asked; by key as the service writes it. */
  readonly unplaced: ReadonlyMap<string, number>
  /** Containers that they used last, and when the database was asked. */
  readonly used: { readonly containers: readonly number[]; readonly at: number } | undefined
  /** When the open alerts of a container were read last. */
  readonly listed: ReadonlyMap<number, number>
  /** When an alert was last looked for in containers and was in none of them; by its key and theirs. */
  readonly searches: ReadonlyMap<string, number>
  /** Whose token it is; undefined while nobody has asked. */
  readonly holder: TokenHolder | undefined
}

/** A container's people as they were read, whole. */
export interface SeenList {
  readonly people: ContainerPeople
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface NamesMemory {
  /** What their present token showed; undefined where this process knows of no token, or has forgotten. */
  of(owner: SlackUser): SeenByToken | undefined
  /** For whoever has this person's token: what another token showed is forgotten. */
  used(owner: SlackUser, token: string): SeenByToken
  /** Does nothing where another token is theirs by now, or nothing is remembered of them. */
  change(owner: SlackUser, mark: TokenMark, change: (seen: SeenByToken) => Partial<SeenByToken>): void
  listOf(owner: SlackUser, mark: TokenMark, containerId: number): SeenList | undefined
  /** As `change`. */
  keepList(owner: SlackUser, mark: TokenMark, containerId: number, list: SeenList): void
  forget(owner: SlackUser): void
}

/** Characters, of everybody together. */
const mostCharacters = 40_000_000
const mostOwners = 5_000
/** Of one person. */
const mostContainers = 50
const mostAlerts = 2_000
const mostSearches = 200
/** People in lists that are kept whole, of everybody together. */
const mostListed = 20_000

export function createNamesMemory(): NamesMemory {
  const seen = new LRUCache<string, SeenByToken>({
    maxSize: mostCharacters,
    // `max` would take room for all of them at the start.
    sizeCalculation: (owned) => Math.max(charactersIn(owned), mostCharacters / mostOwners),
  })
  const lists = new LRUCache<string, SeenList>({ maxSize: mostListed, sizeCalculation: peopleIn })
  const listKey = (owner: SlackUser, mark: TokenMark, containerId: number) =>
    `${personKey(owner)} ${mark} ${containerId}`

  return {
    of: (owner) => seen.get(personKey(owner)),

    used(owner, token) {
      const key = personKey(owner)
      const mark = markOf(token)
      const known = seen.get(key)
      if (known?.mark === mark) return known
      const nothing: SeenByToken = {
        mark,
        containers: new Map(),
        alerts: new Map(),
        unplaced: new Map(),
        used: undefined,
        listed: new Map(),
        searches: new Map(),
        holder: undefined,
      }
      seen.set(key, nothing)
      return nothing
    },

    change(owner, mark, change) {
      const key = personKey(owner)
      const known = seen.get(key)
      if (known?.mark !== mark) return
      const { containers, alerts, unplaced, used, listed, searches, holder } = {
        ...known,
        ...change(known),
      }
      seen.set(key, {
        mark,
        containers: lastOf(containers, mostContainers),
        alerts: lastOf(alerts, mostAlerts),
        unplaced: lastOf(unplaced, mostSearches),
        used,
        listed: lastOf(listed, mostContainers),
        searches: lastOf(searches, mostSearches),
        holder,
      })
    },

    listOf: (owner, mark, containerId) => lists.get(listKey(owner, mark, containerId)),

    keepList(owner, mark, containerId, list) {
      if (seen.peek(personKey(owner))?.mark === mark) lists.set(listKey(owner, mark, containerId), list)
    },

    forget(owner) {
      const key = personKey(owner)
      seen.delete(key)
      for (const list of [...lists.keys()]) if (list.startsWith(`${key} `)) lists.delete(list)
    },
  }
}

/** A map with this as the last that was set. */
export function withLast<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
): ReadonlyMap<Key, Value> {
  const next = new Map(map)
  next.delete(key)
  return next.set(key, value)
}

/** Those that were set last. */
function lastOf<Key, Value>(map: ReadonlyMap<Key, Value>, most: number): ReadonlyMap<Key, Value> {
  return map.size <= most ? map : new Map([...map].slice(-most))
}

/** For each thing that is kept, beside its text. */
const overhead = 50

function charactersIn({ containers, alerts, unplaced, searches }: SeenByToken): number {
  let characters = overhead
  for (const container of containers.values()) characters += charactersOf(container)
  for (const keys of [alerts.keys(), unplaced.keys(), searches.keys()])
    for (const key of keys) characters += overhead + key.length
  return characters
}

/** A container may have thousands of people, and is counted with each change of another one. */
const counted = new WeakMap<SeenContainer, number>()

function charactersOf(container: SeenContainer): number {
  const known = counted.get(container)
  if (known !== undefined) return known
  const { name = '', people } = container
  let characters = overhead + name.length
  for (const one of people.values()) characters += overhead + one.length
  counted.set(container, characters)
  return characters
}

function peopleIn({ people }: SeenList): number {
  return 1 + (people.kind === 'listed' ? people.people.length : 0)
}
