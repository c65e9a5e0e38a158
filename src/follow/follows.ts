// Followed containers: what is kept of each, and the steps of its life. Pure.
//
// A follow               moved by                                               ends as
// due, or due later      its time, a ring of its doorbell                       held
// held (by a lease)      the process that took it; another once that is over    due later, lost, or out
// lost                   somebody takes it over                                 due
// out: lost, and due     the bot is in its channel again; who takes it over     due
// any of these           *Stop following*; another organisation in its channel  gone
//
// Beside that, a follow has notes. Each goes by itself, and any two may be there at once, but for what is said here.
//
// note         set by                                           taken away by
// noNewsAbove  its start; who takes over and leaves less out    the look that tells what is open: nothing else is new to that
// failures     each look that monitoring fails                  a look that it answers; somebody takes it over
// isMissing    an answer that there’s no such container: never  any other answer or failure; a second one: it is lost
//              beside failures
// failMessage  the warning of failures, in the channel          the gap, which rewrites it; or the follow is lost
// gap          a look after a long time without one             the channel, once it is told
// unsaid       news that Slack doesn’t take; a card that it     a look that says something, or could; a card’s news, where
//              doesn’t let change                               no new alert waits
// unconfirmed  a post of an alert that may have arrived         some time after it may be tried again
// forgotten    a card that somebody deleted                     the look that knows its alert as one without a card
// lostMessage  the channel hears that it is lost; never if out  somebody takes it over
// againAt      a daily message that may have arrived            the one that Slack has confirmed
// call.away    a call of somebody who isn’t there               a call that finds them there, or not known; another setting
// openCalls    news that calls somebody                         each, once it is answered or was made three times; or the
//              follow is lost, whose warning calls once more

import { hash } from 'node:crypto'
import { afterCall, callDue, type Following, fingerprintInList } from '../alert/followed.ts'
import { type Hint, withHint } from '../alert/place.ts'
import type { Counts } from '../alert/tally.ts'
import { gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { Person } from '../slack/person.ts'
import type { DocKey, Facets } from '../storage/docs.ts'
import { minuteMs } from '../work/durations.ts'
import { dueTime, type Leased, poked, returnedBy } from '../work/lease.ts'
import { type Daily, settingKept } from './daily.ts'

/** The reason why nobody reads any more: token refused, API or READ missing, container gone, or carrier disconnected. */
export type Lost = 'refused' | 'forbidden' | 'no-container' | 'disconnected'

export interface SeenAlert {
  readonly severity: number
  /** Equal while the list shows the alert unchanged; empty once its card was deleted. */
  readonly fingerprint: string
  /** True for a card of its own, false for a line in a list. */
  readonly hasCard: boolean
  /** Somebody has it, at the last look. */
  readonly isOwned?: true | undefined
  /** Number of its asset, once the service has shown that the alert is there. */
  readonly asset?: number | undefined
  /** When a look first had it, in milliseconds since 1970. */
  readonly since?: number | undefined
}

/** A message of a follow, redrawn when it has to say something else. */
export interface Drawn {
  readonly posted: Posted
  /** Equal for messages that say the same but for the time. */
  readonly fingerprint: string
  /** Milliseconds since 1970. */
  readonly drawnAt: number
}

export interface AlertList extends Drawn {
  /** `open`: when the follow began, or left less out. `new`: many at once, and any soon after. */
  readonly kind: 'open' | 'new'
  /** Closed ones too. */
  readonly keys: readonly string[]
  readonly at: number
  /** Whom it called: an edit without that would make Slack forget the call. */
  readonly calls: string | undefined
  /** Gravest severity told since. An edit notifies nobody, so anything graver gets a card of its own. */
  readonly worst: number
}

/** Times are milliseconds since 1970. */
export interface Follow extends DocKey, Leased, Following {
  readonly channelId: string
  readonly containerId: number
  /** Name as the carrier's token shows it, raw: “Customer 1 (12)”. */
  readonly container: string
  /** Whose token reads. */
  readonly carrier: Person
  /** Less grave alerts are left out; 0 is the highest severity. */
  readonly least: number
  /** Says what the channel follows, with its buttons. */
  readonly ownMessage: Drawn
  /** The newest few, oldest first, for as long as one of their alerts is open. */
  readonly lists: readonly AlertList[]
  readonly seen: Readonly<Record<string, SeenAlert>>
  /**
   * Open alerts less grave than this, a greater number, are no news to the next look: they were open when the follow began
   * (-1: all were), or when somebody took the follow over and left less out.
   */
  readonly noNewsAbove?: number | undefined
  readonly cardsAt: readonly number[]
  /** By key, alerts whose post Slack hasn’t confirmed: tried again, though it may be there. */
  readonly unconfirmed?:
    | Readonly<Record<string, { readonly tries: number; readonly againAt: number }>>
    | undefined
  /** When the list was last read; 0 before that. */
  readonly readAt: number
  /** The service knew no such container in the last look. */
  readonly isMissing?: boolean
  /** Looks in a row that failed. */
  readonly failures: number
  /** Warns the channel of that: nothing new can come. */
  readonly failMessage?: Posted | undefined
  /** Time without a look, of which the channel still has to hear. */
  readonly gap?: { readonly from: number; readonly to: number } | undefined
  /** Since then nobody reads. */
  readonly lostAt?: number | undefined
  /** True where the bot isn’t in the channel, or that is archived: the follow goes on by itself once it is back. */
  readonly isOut?: boolean | undefined
  /** Tells the channel that nobody reads. */
  readonly lostMessage?: Posted | undefined
  /** Hash of the doorbell's secret. */
  readonly bell?: string | undefined
  /** Places that its rings have named, the newest last: nobody has looked there yet. */
  readonly hints?: readonly Hint[] | undefined
  /** When the last of them came, which may be placed by now. */
  readonly hintAt?: number | undefined
  /** When maintenance there was last set or over, as Bellhop knows: modes that were read before are old. */
  readonly modesAt?: number | undefined
  /** All in maintenance at the last look, one text each, in numbers: quiet.ts writes them. */
  readonly quietStates?: readonly string[] | undefined
  /** Keys of cards that don’t say what these do: the next looks have them drawn. */
  readonly cardsToDraw?: readonly string[] | undefined
  /** When it posts what the night was. */
  readonly daily?: Daily | undefined
}

export function claimOf({
  channelId,
  containerId,
}: Pick<Follow, 'channelId' | 'containerId'>): string {
  return `${channelId} ${containerId}`
}

/** Lists of follows, with the time since when each stands there. */
export const followsThat = { areLost: 'lost', areUnsaid: 'unsaid', fail: 'failing' } as const

export function facetsOfFollow(follow: Follow): Facets {
  const { carrier, channelId: ref } = follow
  return {
    ownerId: carrier.userId,
    ref,
    claim: claimOf(follow),
    dueAt: dueTime(follow),
    lists: { ...troublesOf(follow), [followsIn(follow.containerId)]: 0 },
  }
}

/** The list of all that follow a container. */
export const followsIn = (containerId: number) => `in ${containerId}`

/** Has modes read at once. Undefined where nobody reads. */
export function withModesRead(follow: Follow, now: number): Follow | undefined {
  return follow.lostAt === undefined ? poked({ ...follow, modesAt: now }, now) : undefined
}

function troublesOf({
  lostAt,
  unsaid,
  failures,
  readAt,
}: Follow): Readonly<Record<string, number>> {
  if (lostAt !== undefined) return { [followsThat.areLost]: lostAt }
  return {
    ...(unsaid && { [followsThat.areUnsaid]: unsaid.since }),
    ...(failures > 0 && readAt > 0 && { [followsThat.fail]: readAt }),
  }
}

export type Agreed = Pick<Follow, 'containerId' | 'least' | 'call' | 'daily'>

export function takenOver(
  follow: Follow,
  carrier: Person,
  { least, call, daily }: Agreed,
  now: number,
): Follow {
  const leavesOutLess = least > follow.least
  const noNewsAbove = follow.noNewsAbove ?? (leavesOutLess ? follow.least : undefined)
  const openCalls = call === undefined ? undefined : follow.openCalls
  const mine = {
    ...follow,
    openCalls,
    carrier,
    least,
    call,
    daily: settingKept(follow.daily, daily),
    noNewsAbove,
    lostAt: undefined,
    lostMessage: undefined,
    isOut: undefined,
    failures: 0,
  }
  return poked(mine, now)
}

/**
 * @param lostMessage - Message to the channel.
 * @returns Undefined where somebody has taken it over meanwhile.
 */
export function lostBy(
  follow: Follow,
  taken: Follow,
  lostMessage: Posted | undefined,
  now: number,
): Follow | undefined {
  if (follow.holder !== taken.holder || follow.carrier.userId !== taken.carrier.userId)
    return undefined
  return {
    ...follow,
    lostAt: now,
    lostMessage,
    failMessage: undefined,
    openCalls: undefined,
    dueAt: null,
    heldUntil: 0,
  }
}

/** A process that has had a follow for longer is taken for dead. */
export const leaseMs = 30_000

/** Between looks whether the bot is in the channel again. */
export const outMs = 5 * minuteMs

/** @returns Undefined where another process has it since, or somebody has taken it over. */
export function outBy(follow: Follow, taken: Follow, now: number): Follow | undefined {
  const left = returnedBy(follow, taken, outMs, now)
  return left && { ...left, lostAt: now, isOut: true }
}

export function broughtBack(follow: Follow): Follow {
  return { ...follow, lostAt: undefined, isOut: undefined }
}

const ringsEveryMs = 5_000

/** A ring makes it due soon, unless nobody reads, or the service fails: growing pauses stay as they are. */
export function rung(before: Follow, hint: Hint | undefined, now: number): Follow | undefined {
  const follow = hint
    ? { ...before, hints: withHint(before.hints ?? [], hint), hintAt: now }
    : before
  const { lostAt, failures, heldUntil, readAt, dueAt } = follow
  if (lostAt !== undefined || failures > 0) return hint && follow

  const isHeld = heldUntil > now
  const soon = Math.max(now, (isHeld ? now : readAt) + ringsEveryMs)
  return { ...follow, dueAt: isHeld ? soon : Math.min(dueAt ?? soon, soon) }
}

/** A follow as a look leaves it. Its `call` is undefined unless somebody was called. */
export type AfterLook = { -readonly [Key in keyof Omit<Follow, 'seen'>]: Follow[Key] } & {
  readonly seen: Map<string, SeenAlert>
}

/**
 * The findings of a look, in the follow as it is stored by then: what cards or people have changed since stays.
 * @param taken - The follow as it was before the look.
 * @param found - As the look leaves it.
 */
export function withFound(one: Follow, taken: Follow, found: AfterLook): Follow {
  const { container, readAt, lists, cardsAt, ownMessage, failMessage, gap, seen, unsaid, call } =
    found
  const isOld = ([ks]: [string, unknown]) => Object.hasOwn(taken.forgotten ?? {}, ks)
  const isWaiting = ([, { againAt }]: [string, { readonly againAt: number }]) =>
    againAt + stormMs > one.readAt
  const isAsTaken = one.unsaid?.since === taken.unsaid?.since
  return {
    ...one,
    container,
    readAt,
    lists,
    cardsAt,
    ownMessage,
    failMessage,
    gap,
    noNewsAbove: taken.noNewsAbove === undefined ? one.noNewsAbove : found.noNewsAbove,
    seen: Object.fromEntries(seen),
    forgotten: Object.fromEntries(
      Object.entries(one.forgotten ?? {}).filter((entry) => !isOld(entry)),
    ),
    unconfirmed: Object.fromEntries(Object.entries(found.unconfirmed ?? {}).filter(isWaiting)),
    unsaid: isAsTaken ? unsaid : (unsaid ?? one.unsaid),
    quietStates: found.quietStates,
    cardsToDraw: found.cardsToDraw,
    hints: one.hints?.filter(({ ks }) => seen.get(ks)?.asset === undefined),
    call: afterCall(one.call, call),
  }
}

/**
 * Counts of a look, by what it knew before and afterwards.
 * @param withCard - Alerts that are open again: their card is in Slack already.
 */
export function countedIn(
  follow: Follow,
  { seen }: Pick<AfterLook, 'seen'>,
  listed: readonly OpenAlert[],
  withCard: ReadonlySet<string>,
): Counts {
  const isNews = follow.noNewsAbove === undefined
  const fresh = [...seen.keys()].filter((ks) => !Object.hasOwn(follow.seen, ks))
  const again = fresh.filter((ks) => withCard.has(ks)).length
  const open = new Set(listed.map(({ ks }) => ks))
  const gone = Object.keys(follow.seen).filter((ks) => !seen.has(ks) && !open.has(ks)).length
  const told = isNews ? fresh.length - again : 0

  return { new: told || undefined, gone: gone || undefined, again: again || undefined }
}

export const leastGrave = 7

export function isGrave({ lastSeverity }: OpenAlert, least: number): boolean {
  return least >= leastGrave || lastSeverity <= least
}

/** More than this are not told one by one. */
const mostAlerts = 2_000
/** Most reads that come of one look: of alerts with a new card, reopened and changed ones, and of assets. */
const mostReads = 20

/** The channel hears of a longer silence. */
export const gapMs = 5 * minuteMs

export function isSilent({ readAt }: Follow, intervalMs: number, now: number): boolean {
  return readAt > 0 && now - readAt > Math.max(gapMs, 3 * intervalMs)
}

/** More new alerts than this within `stormMs` are one message, which others join for as long again. */
export const mostCards = 5
const stormMs = 10 * minuteMs
/** Lists that are kept up to date, the newest. */
export const mostLists = 4

/** News to tell after a look, the gravest first. */
export interface Plan {
  /** For one message: what is open when the follow begins, or many new alerts. */
  readonly many: readonly OpenAlert[]
  /** The message that they join. */
  readonly joins: AlertList | undefined
  /** Alerts that get a card of their own. */
  readonly cards: readonly OpenAlert[]
  /** Keys of cards to be read and brought up to date. */
  readonly reread: readonly string[]
  /** Alerts as known once all of it is told, but for those still to be told. */
  readonly seen: Map<string, SeenAlert>
  /** Reads that are left. */
  readonly left: number
}

/**
 * Compares open alerts with the last look, and decides how to tell each.
 * @param withCard - Keys of new alerts whose card is in Slack already.
 */
export function planFor(
  follow: Follow,
  listed: readonly OpenAlert[],
  withCard: ReadonlySet<string>,
  now: number,
): Plan {
  const { lists, cardsAt, noNewsAbove, call } = follow
  const { fresh, worse, changed, known, seen } = changesIn(follow, listed, withCard, now)

  // 1. Alerts that were open already are one message. News comes with the next look, also of those that got worse.
  if (noNewsAbove !== undefined) {
    const many = fresh.filter(({ lastSeverity }) => lastSeverity > noNewsAbove)
    for (const { ks } of worse) {
      const before = known.get(ks)
      if (before) seen.set(ks, before)
    }
    return { many, joins: undefined, cards: [], seen, ...readNow(0) }
  }

  // 2. A few new alerts get a card each. Many begin one message, which any soon after join.
  const joins = lists.findLast(({ kind, at }) => kind === 'new' && now - at < stormMs)
  const room = mostCards - cardsAt.filter((at) => now - at < stormMs).length
  const isMany = joins !== undefined || fresh.length > room
  const isBegun = isMany && joins === undefined
  const many = isBegun ? [...fresh] : []

  // 3. An edit of a message notifies nobody. So an alert that joins one, or that gets worse in one, still gets a card if
  // it is graver than all that this message told, or if it is the gravest that calls somebody.
  const others = isBegun ? worse : [...fresh, ...worse]
  const gravestToCall = others
    .toSorted(gravestFirst)
    .find(({ ownerId, lastSeverity }) => ownerId === null && callDue(call, lastSeverity, now))
  const cards: OpenAlert[] = []
  const gravestTold = new Map(lists.map((list) => [list, list.worst]))
  for (const alert of others) {
    const { ks, lastSeverity } = alert
    const before = known.get(ks)
    const list = before ? lists.findLast(({ keys }) => keys.includes(ks)) : joins
    const isGravest = list !== undefined && lastSeverity < (gravestTold.get(list) ?? 0)
    const lostItsCard = list === undefined && before?.fingerprint === ''
    const hasRoom = !isMany && cards.length < room
    const getsCard = isGravest || alert === gravestToCall || lostItsCard || hasRoom
    if (getsCard) {
      cards.push(alert)
      if (list) gravestTold.set(list, lastSeverity)
    } else if (before === undefined) many.push(alert)

    // A message with its line shows how it is now. Without one it is still to be told, so it stays as it was known.
    const isShown = list !== undefined && !getsCard
    if (before && !isShown) seen.set(ks, before)
  }

  return { many, joins, cards: cards.toSorted(gravestFirst), seen, ...readNow(cards.length) }

  /**
   * The next look finds the rest again.
   * @param others - Reads for new cards.
   */
  function readNow(others: number): Pick<Plan, 'reread' | 'left'> {
    const most = Math.max(0, mostReads - others)
    const reread = changed.slice(0, most)
    for (const ks of changed.slice(most)) {
      const before = known.get(ks)
      if (before === undefined) seen.delete(ks)
      else seen.set(ks, before)
    }
    return { reread, left: most - reread.length }
  }
}

/**
 * The differences between the list and the last look, the gravest first.
 *
 * - `fresh`: new alerts, without a card.
 * - `worse`: alerts without a card that are graver than they were told.
 * - `changed`: keys of cards to be read again: closed, worse, better or open again; then those that say something else.
 * - `known`: alerts of the last look.
 * - `seen`: alerts to be known from now on, if all of that is told.
 */
function changesIn(
  follow: Follow,
  listed: readonly OpenAlert[],
  withCard: ReadonlySet<string>,
  now: number,
) {
  const { least, unconfirmed = {} } = follow
  const known = seenBefore(follow)
  const open = new Map(listed.toSorted(gravestFirst).map((alert) => [alert.ks, alert]))
  const seen = new Map<string, SeenAlert>()
  const fresh: OpenAlert[] = []
  const worse: OpenAlert[] = []
  const changed: string[] = []
  const reworded: string[] = []

  for (const [ks, alert] of open) {
    // Slack may have posted it already, so it waits.
    const isTriedLater = (unconfirmed[ks]?.againAt ?? 0) > now
    const before = known.get(ks)
    if (before === undefined) {
      const hasRoom = seen.size + fresh.length < mostAlerts
      if (!hasRoom || isTriedLater || !isGrave(alert, least)) continue
      if (withCard.has(ks)) {
        changed.push(ks)
        seen.set(ks, seenOf(alert, true, { since: now }))
      } else fresh.push(alert)
      continue
    }

    const after = seenOf(alert, before.hasCard, before)
    const isWorse = after.severity < before.severity
    const isWaiting = isWorse && !before.hasCard && isTriedLater
    seen.set(ks, isWaiting ? before : after)
    if (before.hasCard) {
      if (after.severity !== before.severity) changed.push(ks)
      else if (after.fingerprint !== before.fingerprint) reworded.push(ks)
    } else if (isWorse && !isWaiting) worse.push(alert)
  }

  const closed = [...known].flatMap(([ks, { hasCard }]) => (hasCard && !open.has(ks) ? ks : []))
  // Messages may change all the time.
  return { fresh, worse, changed: [...changed, ...closed, ...reworded], known, seen }
}

/** Alerts of the last look, without cards deleted since. A key may be any text, `__proto__` too. */
function seenBefore({ seen, forgotten = {} }: Follow): Map<string, SeenAlert> {
  const known = new Map(Object.entries(seen))
  for (const [ks, severity] of Object.entries(forgotten))
    if (severity === null) known.delete(ks)
    else {
      const before = known.get(ks)
      if (before) known.set(ks, { ...before, severity, fingerprint: '', hasCard: false })
    }
  return known
}

/** @param before - What is known of its place. */
export function seenOf(
  alert: OpenAlert,
  hasCard: boolean,
  { asset, since }: Pick<SeenAlert, 'asset' | 'since'>,
): SeenAlert {
  return {
    severity: alert.lastSeverity,
    fingerprint: fingerprintInList(alert),
    hasCard,
    isOwned: alert.ownerId === null ? undefined : true,
    asset,
    since,
  }
}

/** One card for an alert's life. */
export function cardKeyOf({ workspaceId, id }: DocKey, ks: string): DocKey {
  return { workspaceId, id: hash('sha256', `${id} ${ks}`, 'base64url').slice(0, 22) }
}
