// Memory of what people's tokens showed of containers and alerts: each for one person and one token of theirs.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ContainerPerson } from '../monitor/client.ts'
import { type Clock, personKey, type SlackUser } from '../slack/ids.ts'
import { type SingleFlights, singleFlights } from '../work/turns.ts'

/** Tells tokens apart; the token itself is not kept. */
function markOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** Of one container, forgotten after a day, as names change. Times are milliseconds since 1970; 0: never. */
export interface SeenContainer {
  /** Raw; empty where it has none, undefined while it isn't known. */
  readonly name: string | undefined
  readonly people: readonly ContainerPerson[]
  readonly peopleAt: number
  /** When it was last asked for, whatever came of it. */
  readonly nameAskedAt: number
  readonly peopleAskedAt: number
  /** When its open alerts were read. */
  readonly listedAt: number
  /** What the token may do there; undefined where the service doesn't say. */
  readonly flags: readonly string[] | undefined
  readonly flagsAt: number
}

const nothingSeen: SeenContainer = {
  name: undefined,
  people: [],
  peopleAt: 0,
  nameAskedAt: 0,
  peopleAskedAt: 0,
  listedAt: 0,
  flags: undefined,
  flagsAt: 0,
}

/** What one token of one person has shown. */
export interface Seen {
  /** Containers of alerts, by key as the service writes it; the last used first. */
  readonly alerts: LRUCache<string, number>
  in(containerId: number): SeenContainer
  /** Does nothing once another token is theirs, or it was forgotten. */
  note(containerId: number, shown: Partial<SeenContainer>): void
  /** The last noted first. */
  containers(): readonly (readonly [number, SeenContainer])[]
}

export type NamesSeen = ReturnType<typeof createNamesSeen>

const mostOwners = 2_000
/** Of one person. */
const mostContainers = 50
const mostAlerts = 1_000
/** People in lists, of everybody together. */
const mostPeople = 100_000
const dayMs = 24 * 60 * 60_000

export function createNamesSeen(now: Clock) {
  const owners = new LRUCache<string, { readonly mark: string; readonly seen: Seen }>({ max: mostOwners })
  // Of everybody, so that all lists together have a bound.
  const containers = new LRUCache<string, SeenContainer>({
    ...{ maxSize: mostPeople, ttl: dayMs, noUpdateTTL: true, ttlResolution: 0, perf: { now } },
    sizeCalculation: ({ people }) => 1 + people.length,
  })

  function begin(key: string, mark: string): Seen {
    const ids = new LRUCache<number, true>({ max: mostContainers })
    const nameOf = (containerId: number) => `${key} ${mark} ${containerId}`
    const found = (containerId: number) => containers.get(nameOf(containerId)) ?? nothingSeen
    return {
      alerts: new LRUCache({ max: mostAlerts }),
      in: found,
      note(containerId, shown) {
        if (owners.peek(key)?.mark !== mark) return
        ids.set(containerId, true)
        containers.set(nameOf(containerId), { ...found(containerId), ...shown })
      },
      containers: () => [...ids.keys()].map((id) => [id, found(id)] as const),
    }
  }

  function forget(key: string): void {
    owners.delete(key)
    for (const one of [...containers.keys()]) if (one.startsWith(`${key} `)) containers.delete(one)
  }

  const learning: SingleFlights<void> = singleFlights()
  return {
    /** What their present token showed; undefined where this process knows of no token, or has forgotten. */
    of: (owner: SlackUser) => owners.get(personKey(owner))?.seen,
    /** For whoever has this person's token: what another token showed is forgotten. */
    used(owner: SlackUser, token: string): Seen {
      const key = personKey(owner)
      const mark = markOf(token)
      const known = owners.get(key)
      if (known?.mark === mark) return known.seen
      if (known !== undefined) forget(key)
      const seen = begin(key, mark)
      owners.set(key, { mark, seen })
      return seen
    },
    forget: (owner: SlackUser) => forget(personKey(owner)),
    /** Whoever wants what is being read waits for the same. */
    learning,
  }
}
