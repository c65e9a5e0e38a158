// Fills a database with what 90 days of use leave behind, through the product's own stores: cards in their threads,
// requests that have ended, access that ends some day, follows with their resting cards, small things, the audit trail.
// All of it is other people's, and nothing of it falls due within the hour.
import { hash } from 'node:crypto'
import type { Card } from '../../src/alert/cards.ts'
import { newTally } from '../../src/alert/tally.ts'
import { createChain } from '../../src/audit/chain.ts'
import type { Entry } from '../../src/audit/trail.ts'
import type { End } from '../../src/ends/states.ts'
import { cardKeyOf, type Follow, seenOf } from '../../src/follow/follows.ts'
import { type LiveCard, newLiveCard } from '../../src/live/live-cards.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import { createRequest, type Request } from '../../src/send/request.ts'
import type { Person } from '../../src/slack/person.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { unheld } from '../../src/work/lease.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const spanMs = 90 * dayMs

/** Of a thousand documents and records, so many are of each kind; the rest are records of the audit trail. */
const shares = { card: 380, request: 60, end: 10, 'live-card': 10, follow: 1, once: 60, link: 40 }
type Kind = keyof typeof shares | 'record'

/** Kinds of a thousand in a row, mixed: any part of them has about as much of each. */
const mixed: readonly Kind[] = Array.from({ length: 1_000 }, (_, at) => {
  const names = Object.entries(shares).flatMap(([name, count]) => Array(count).fill(name))
  // 919 and 1,000 have no common factor, so each place is taken once.
  return names[(at * 919) % 1_000] ?? 'record'
})

/** Half of what ends, ends there. */
export const busyContainer = 12
const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']

export interface Filled {
  /** As in DATABASE_URL. */
  readonly url: string
  readonly keys: Parameters<typeof createChain>[0]
  readonly workspaceId: string
  /** Milliseconds since 1970: the newest of it is as old as that. */
  readonly until: number
  /** Documents and records. */
  readonly count: number
}

/** Written together: each commit is one of many. */
const mostAtOnce = 500

export async function fillDatabase(filled: Filled): Promise<void> {
  const { url, keys, until, count } = filled
  let at = until - spanMs
  const storage = await openStorage({ url, now: () => at })
  const make = makerOf(filled)
  const chain = createChain(keys)
  try {
    for (let from = 0; from < count; from += mostAtOnce) {
      const writing: Promise<unknown>[] = []
      const entries: Entry[] = []
      for (let n = from; n < Math.min(count, from + mostAtOnce); n += 1) {
        at = Math.floor(until - spanMs * (1 - n / count))
        const kind = mixed[n % mixed.length] ?? 'record'
        if (kind === 'record') entries.push(make.record(n))
        else writing.push(insert(kind, n))
      }
      await Promise.all([...writing, storage.auditRecords.append(entries, chain.seal)])
    }
    await storage.scrub()
  } finally {
    await storage.close()
  }

  function insert(kind: Exclude<Kind, 'record'>, n: number): Promise<unknown> {
    const { workspaceId } = filled
    switch (kind) {
      case 'card':
        return storage.cards.insert((now) => make.card(n, now))
      case 'request':
        return storage.requests.insert((now) => make.request(n, now))
      case 'end':
        return storage.ends.insert((now) => make.end(n, now))
      case 'live-card':
        return storage.liveCards.insert((now) => make.liveCard(n, now))
      case 'follow':
        return storage.follows.insert(() => make.follow(n))
      case 'once':
        return storage.once.claim(workspaceId, `command ${n}`, until + dayMs - at)
      case 'link':
        return storage.alertLinks.keep(make.person(n), { asset: n, timestamp: 1 }, ks(n))
      default:
        return kind satisfies never
    }
  }
}

const ks = (n: number) => `filled-${n}`

/** Documents and records by their number. Equal numbers make equal ones. */
function makerOf({ workspaceId, until }: Filled) {
  const idOf = (kind: string, n: number) => hash('sha256', `${kind} ${n}`, 'base64url').slice(0, 22)
  const channelOf = (n: number) => `C0FILLED${String(n % 40).padStart(2, '0')}`
  const person = (n: number): Person => {
    const number = n % 200
    return {
      workspaceId,
      userId: `U0FILLED${String(number).padStart(3, '0')}`,
      name: `Person ${number}`,
    }
  }
  const posted = (n: number) => {
    return { channelId: channelOf(n), ts: `${1_700_000_000 + n}.000100` }
  }
  const alert = (n: number): Alert => ({
    ks: ks(n),
    message: `Disk of host-${n} is filling up`,
    severity: 4,
    timestamp: 1_700_000_000 + n,
    lastMessage: `Disk of host-${n} is almost full: 97 % used on /var/lib/data`,
    lastSeverity: 2 + (n % 4),
    lastTimestamp: 1_700_003_600 + n,
    ownerId: n % 3 === 0 ? null : n % 50,
    closedTimestamp: null,
    actions: [],
  })
  const containerOf = (n: number) => 100 + (n % 50)
  const thousandOf = (n: number) => Math.floor(n / mixed.length)
  const followId = (thousand: number) => idOf('follow', thousand)

  return {
    person,

    card(n: number, now: number): Card {
      const { name: askerName, ...asker } = person(n)
      const containerId = containerOf(n)
      return {
        workspaceId,
        id: idOf('card', n),
        ks: ks(n),
        title: alert(n).message,
        asker,
        askerName,
        channelId: channelOf(n),
        isPrivate: false,
        at: now,
        told: [idOf('mark', n).slice(0, 16), idOf('mark', n + 1).slice(0, 16), 'now closed'],
        posted: posted(n),
        place: { asset: n, timestamp: 1_700_000_000 + n },
        names: {
          people: { [n % 50]: `Person ${n % 50}` },
          container: { id: containerId, name: `Customer ${containerId}` },
        },
      }
    },

    request(n: number, now: number): Request {
      const asked = createRequest(
        {
          id: idOf('request', n),
          sender: person(n),
          channelId: channelOf(n),
          about: undefined,
          writes: [
            {
              kind: 'add-user',
              containerId: containerOf(n),
              email: `somebody-${n}@example.com`,
              permissions: viewer,
            },
          ],
        },
        now,
      )
      return {
        ...asked,
        state: 'sent',
        attempt: 1,
        concludedAt: now + 900,
        sends: asked.sends.map((send) => ({ ...send, hasBegun: true, outcome: { kind: 'done' } })),
        heldUntil: 0,
        stepNo: 6,
      }
    },

    end(n: number, now: number): End {
      const { userId } = person(n)
      // In a day at the earliest, and within a month.
      const endsAt = until + dayMs * (1 + (n % 30))
      return {
        workspaceId,
        id: `${idOf('request', n)}.1`,
        containerId: n % 2 === 0 ? busyContainer : containerOf(n),
        whom: {
          email: `somebody-${n}@example.com`,
          there: {
            userId: 1_000_000 + n,
            name: `Somebody ${n}`,
            permissions: viewer,
            member: false,
          },
        },
        flags: viewer,
        since: Object.fromEntries(viewer.map((flag) => [flag, now])),
        member: false,
        wasThere: false,
        giverId: userId,
        askerId: userId,
        endsAt,
        tries: 0,
        standingMessages: [],
        dueAt: endsAt - 15 * minuteMs,
        ...unheld,
      }
    },

    /** At rest: its follow keeps it, and of some, somebody watches it besides. */
    liveCard(n: number, now: number): LiveCard {
      const id = followId(thousandOf(n))
      const { userId, name } = person(n)
      const card = newLiveCard(
        {
          ...cardKeyOf({ workspaceId, id }, ks(n)),
          ks: ks(n),
          posted: posted(n),
          alert: alert(n),
          fingerprint: idOf('fingerprint', n).slice(0, 12),
          followId: id,
        },
        now,
      )
      // There can be 200 of them.
      const isWatched = thousandOf(n) < 15
      const watchers = isWatched ? [{ userId, name, until: until + dayMs }] : []
      return { ...card, watchers, dueAt: null }
    },

    follow(n: number): Follow {
      const thousand = thousandOf(n)
      const containerId = containerOf(thousand)
      const carrier = person(thousand)
      const open = Array.from({ length: shares['live-card'] }, (_, at) =>
        alert(1_000 * thousand + at),
      )
      const ownMessage = { posted: posted(n), fingerprint: idOf('look', n), drawnAt: until }
      return {
        workspaceId,
        id: followId(thousand),
        channelId: `C0FOLLOW${thousand}`,
        containerId,
        container: `Customer ${containerId} (${containerId})`,
        carrier,
        least: 7,
        ownMessage,
        lists: [],
        seen: Object.fromEntries(open.map((one) => [one.ks, seenOf(one, true, {})])),
        cardsAt: [],
        readAt: until,
        failures: 0,
        tally: newTally(until),
        // An interval may be an hour.
        dueAt: until + 58 * minuteMs,
        ...unheld,
      }
    },

    record(n: number): Entry {
      const { userId } = person(n)
      const isGrant = n % 8 === 0
      return {
        workspaceId,
        userId,
        key: `filled:${n}`,
        act: isGrant ? 'grant' : 'look-up',
        outcome: 'done',
        containerId: containerOf(n),
        ...(isGrant ? { email: `somebody-${n}@example.com`, permissions: viewer } : { ks: ks(n) }),
      }
    },
  }
}
