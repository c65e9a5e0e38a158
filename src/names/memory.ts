// Memory of what people's tokens showed of containers and alerts: each for one person and one token of theirs.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ContainerPerson } from '../monitor/client.ts'
import { type Clock, personKey, type SlackUser } from '../slack/ids.ts'
import { type SingleFlights, singleFlights } from '../work/turns.ts'

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
  ...{ name: undefined, nameAskedAt: 0, listedAt: 0 },
  ...{ people: [], peopleAt: 0, peopleAskedAt: 0 },
  ...{ flags: undefined, flagsAt: 0 },
}

export type NamesSeen = ReturnType<typeof createNamesSeen>

const mostOwners = 2_000
/** Of one person: more people than that are in no list that somebody reads. */
const mostContainers = 50
const mostPeople = 5_000
const mostAlerts = 1_000
const dayMs = 24 * 60 * 60_000

export function createNamesSeen(now: Clock) {
  const owners = new LRUCache<string, ReturnType<typeof begin>>({ max: mostOwners })

  /** What one token of one person has shown. The token itself is not kept. */
  function begin(mark: string) {
    const seen = new LRUCache<number, SeenContainer>({
      ...{ max: mostContainers, maxSize: mostPeople, sizeCalculation: ({ people }) => 1 + people.length },
      ...{ ttl: dayMs, noUpdateTTL: true, ttlResolution: 0, perf: { now } },
    })
    const found = (containerId: number) => seen.get(containerId) ?? nothingSeen
    return {
      mark,
      /** Containers of alerts, by key as the service writes it; the last used first. */
      alerts: new LRUCache<string, number>({ max: mostAlerts }),
      in: found,
      /** Whoever has forgotten it by then has forgotten this, too. */
      note(containerId: number, shown: Partial<SeenContainer>): void {
        seen.set(containerId, { ...found(containerId), ...shown })
      },
      /** The last used first. */
      containers: (): readonly (readonly [number, SeenContainer])[] => [...seen.entries()],
    }
  }

  const learning: SingleFlights<void> = singleFlights()
  return {
    /** What their present token showed; undefined where this process knows of no token, or has forgotten. */
    of: (owner: SlackUser) => owners.get(personKey(owner)),
    /** For whoever has this person's token: what another token showed is forgotten. */
    used(owner: SlackUser, token: string) {
      const key = personKey(owner)
      const mark = hash('sha256', token, 'base64url')
      const known = owners.get(key)
      if (known?.mark === mark) return known
      const seen = begin(mark)
      owners.set(key, seen)
      return seen
    },
    forget: (owner: SlackUser) => owners.delete(personKey(owner)),
    /** Whoever wants what is being read waits for the same. */
    learning,
  }
}
