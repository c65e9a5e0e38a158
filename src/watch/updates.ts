// Updates that Slack lets into a workspace, some 50 a minute, people's own among them: turns at drawing live cards, and how
// long those can be trusted meanwhile; and turns at direct messages to those who watch.
//
// What waits for its turn is one entry a card, however often the alert changes meanwhile: the card is looked at once
// more when its turn has come, and the newest state is drawn. Each process keeps its own share; where several draw in
// one workspace, Slack asks them to wait, and they do.
// Source: docs.slack.dev/apis/web-api/rate-limits; chat.update is Tier 3.
import type { Clock, SlackUser } from '../slack/ids.ts'
import type { CardKey } from './watches.ts'

/** `pressed`: somebody waits to see what they pressed, or the card is not live any more. */
export type Urgency = 'pressed' | 'change' | 'renewal'

export interface DrawRequest {
  readonly urgency: Urgency
  /** When the card ceases to be trusted, in Unix seconds: of two that are as urgent, the older promise comes first. */
  readonly nextBy: number
}

export interface Updates {
  /** True when the card may be drawn now: then `done` follows. Otherwise it waits, and `next` names it in its turn. */
  ask(card: CardKey, request: DrawRequest): boolean
  /** Its turn is over. @param isSent - An update went out, taken or not. */
  done(card: CardKey, isSent: boolean): void
  /** There is nothing to draw on this card after all. */
  forget(card: CardKey): void
  /** Slack has asked to wait with updates. */
  busy(workspaceId: string, seconds: number): void
  /**
   * Somebody's own update went out, which waits for nothing: cards wait for it instead.
   * @param askedSeconds - Slack has asked to wait with it.
   */
  note(workspaceId: string, askedSeconds: number | undefined): void
  /** Cards whose turn has come: each is to be looked at now. Its place is kept for a while. */
  next(): readonly CardKey[]
  /** How many cards wait. */
  waiting(): number
}

const minuteMs = 60_000
/** So many updates a minute there may be when one of these goes out. The rest of Slack's 50 is for what people press. */
const mostPerMinute: Readonly<Record<Urgency, number>> = { pressed: 44, change: 40, renewal: 30 }
/** What quiet cards need to stay trusted: one every three seconds, so that they never stand before a change. */
const renewalsPerMinute = 20
/** A card that was called and does not come within this time has lost its place. */
const heldMs = 15_000

const ranks: Readonly<Record<Urgency, number>> = { pressed: 0, change: 1, renewal: 2 }

/** Of one workspace. Times are in milliseconds by a clock that never jumps. */
interface WorkspaceUpdates {
  /** When Slack had answered: it counted them no later. */
  sent: number[]
  /** Cards that are being drawn. */
  readonly underWay: Set<string>
  /** When the last renewal went out. */
  renewedAt: number
  readonly waiting: Map<string, DrawRequest>
  /** Until when a place is kept, by card. */
  readonly called: Map<string, number>
  busyUntil: number
}

/** @param now - Milliseconds, never jumps. */
export function createUpdates(now: () => number): Updates {
  const all = new Map<string, WorkspaceUpdates>()

  function turnsOf(workspaceId: string): WorkspaceUpdates {
    const known = all.get(workspaceId)
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const turns: WorkspaceUpdates = {
      sent: [],
      underWay: new Set(),
      renewedAt: never,
      waiting: new Map(),
      called: new Map(),
      busyUntil: never,
    }
    all.set(workspaceId, turns)
    return turns
  }

  /** Forgets what is over. */
  function tidy(turns: WorkspaceUpdates): void {
    const from = now() - minuteMs
    turns.sent = turns.sent.filter((at) => at > from)
    for (const [cardId, until] of turns.called) {
      if (until > now()) continue
      turns.called.delete(cardId)
      // It is in other hands, or gone; one that has only taken long asks again.
      turns.waiting.delete(cardId)
    }
  }

  /** How many such may be drawn now, besides those that were called. */
  function roomFor(
    urgency: Urgency,
    { sent, underWay, renewedAt, waiting, called }: WorkspaceUpdates,
  ): number {
    const room = mostPerMinute[urgency] - sent.length - underWay.size - called.size
    if (urgency !== 'renewal') return room
    const isOneCalled = [...called.keys()].some((id) => waiting.get(id)?.urgency === 'renewal')
    const isTooEarly = now() - renewedAt < minuteMs / renewalsPerMinute
    return isOneCalled || isTooEarly ? 0 : Math.min(room, 1)
  }

  function isOver({ sent, underWay, waiting, renewedAt, busyUntil }: WorkspaceUpdates): boolean {
    return (
      sent.length + underWay.size + waiting.size === 0 && Math.max(renewedAt + minuteMs, busyUntil) <= now()
    )
  }

  function notCalled({ waiting, called }: WorkspaceUpdates): readonly (readonly [string, DrawRequest])[] {
    return [...waiting].filter(([cardId]) => !called.has(cardId))
  }

  function hasRoom(turns: WorkspaceUpdates, cardId: string, request: DrawRequest): boolean {
    const before = notCalled(turns).filter(([id, other]) => id !== cardId && compare(other, request) < 0)
    return roomFor(request.urgency, turns) > before.length
  }

  function busy(workspaceId: string, seconds: number): void {
    const turns = turnsOf(workspaceId)
    turns.busyUntil = Math.max(turns.busyUntil, now() + seconds * 1000)
  }

  return {
    ask({ workspaceId, cardId }, request) {
      const turns = turnsOf(workspaceId)
      tidy(turns)
      const isCalled = turns.called.delete(cardId)
      const mayGo = turns.busyUntil <= now() && (isCalled || hasRoom(turns, cardId, request))
      if (!mayGo) {
        turns.waiting.set(cardId, request)
        return false
      }
      turns.waiting.delete(cardId)
      turns.underWay.add(cardId)
      if (request.urgency === 'renewal') turns.renewedAt = now()
      return true
    },
    done({ workspaceId, cardId }, isSent) {
      const turns = turnsOf(workspaceId)
      turns.underWay.delete(cardId)
      if (isSent) turns.sent.push(now())
    },
    forget({ workspaceId, cardId }) {
      const turns = all.get(workspaceId)
      turns?.waiting.delete(cardId)
      turns?.called.delete(cardId)
    },
    busy,
    note(workspaceId, askedSeconds) {
      if (askedSeconds === undefined) turnsOf(workspaceId).sent.push(now())
      else busy(workspaceId, askedSeconds)
    },
    next() {
      return [...all].flatMap(([workspaceId, turns]) => {
        tidy(turns)
        if (isOver(turns)) all.delete(workspaceId)
        if (turns.waiting.size === 0 || turns.busyUntil > now()) return []
        const next: CardKey[] = []
        for (const [cardId, { urgency }] of notCalled(turns).toSorted(([, a], [, b]) => compare(a, b))) {
          if (roomFor(urgency, turns) <= 0) break
          turns.called.set(cardId, now() + heldMs)
          next.push({ workspaceId, cardId })
        }
        return next
      })
    },
    waiting: () => [...all.values()].reduce((sum, turns) => sum + turns.waiting.size, 0),
  }
}

function compare(one: DrawRequest, other: DrawRequest): number {
  return ranks[one.urgency] - ranks[other.urgency] || one.nextBy - other.nextBy
}

const shortestMs = 10 * minuteMs
const longestMs = 60 * minuteMs
/** A fifth of the renewals is left for those that come late. */
const renewalsPlanned = renewalsPerMinute * 0.8
/** So many cards a workspace can keep within an hour. */
export const mostLiveCards = 1_000
/** Besides an interval: for reading, and for a busy moment. */
const spareMs = 30_000

export interface Freshness {
  /** From when it is drawn. */
  readonly goodForMs: number
  /** So long before that it may be drawn again: all cards of the workspace may want it at the same moment. */
  readonly leadMs: number
}

/**
 * How long a live card can be trusted: what it says about its next check, and when it is drawn again to keep that.
 * Renewals share 20 updates a minute and workspace. With more cards the next check moves out, to an hour at most;
 * beyond that no further card can become live.
 * @param cards - Live in the workspace.
 * @param intervalMs - Between two reads of an alert.
 */
export function freshnessFor(cards: number, intervalMs: number): Freshness {
  const allMs = Math.min(longestMs, Math.max(shortestMs, (cards / renewalsPlanned) * minuteMs))
  // Where alerts are read rarely, no card can be true more often than that.
  const goodForMs = Math.round(Math.max(allMs, 1.25 * intervalMs + 2 * spareMs))
  const leadMs = 1.1 * intervalMs + spareMs + (cards / renewalsPerMinute) * minuteMs
  return { goodForMs, leadMs: Math.round(Math.min(leadMs, Math.max(goodForMs * 0.75, 1.1 * intervalMs))) }
}

const mostKept = 500
const keptMs = 30_000

export interface FreshnessByWorkspace {
  of(workspaceId: string): Promise<Freshness>
}

/** Remembers for a while how many cards there are. */
export function createFreshness(
  countLive: (workspaceId: string) => Promise<number>,
  intervalMs: number,
  monotonic: () => number,
): FreshnessByWorkspace {
  const counts = new Map<string, { readonly count: Promise<number>; readonly at: number }>()
  return {
    async of(workspaceId) {
      let known = counts.get(workspaceId)
      if (known === undefined || monotonic() - known.at >= keptMs) {
        // They are soon counted again.
        if (counts.size >= mostKept) counts.clear()
        known = { count: countLive(workspaceId), at: monotonic() }
        counts.set(workspaceId, known)
        known.count.catch(() => counts.delete(workspaceId))
      }
      return freshnessFor(await known.count, intervalMs)
    },
  }
}

/** Of the several hundred messages a minute that Slack takes in a workspace. */
const mostDirectPerMinute = 60
/** Slack takes one a second in a conversation, and a few more at once. */
const mostPerPerson = 10

/**
 * Turns at direct messages to those who watch, of this process: threads need most of what Slack takes in a workspace, and
 * nobody reads dozens at once.
 */
export interface DirectTurns {
  /** True when one more may go out to this person now. */
  take(person: SlackUser): boolean
}

/** @param now - Milliseconds, never jumps. */
export function createDirectTurns(now: Clock): DirectTurns {
  const sent = new Map<string, readonly { readonly userId: string; readonly at: number }[]>()
  return {
    take({ workspaceId, userId }) {
      const from = now() - minuteMs
      for (const [id, all] of sent) {
        const lately = all.filter(({ at }) => at > from)
        if (lately.length === 0) sent.delete(id)
        else sent.set(id, lately)
      }
      const lately = sent.get(workspaceId) ?? []
      const theirs = lately.filter((one) => one.userId === userId)
      if (lately.length >= mostDirectPerMinute || theirs.length >= mostPerPerson) return false
      sent.set(workspaceId, [...lately, { userId, at: now() }])
      return true
    },
  }
}
