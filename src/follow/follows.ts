// Defines a follow, the steps of its life, and which news a look has to tell. Pure.
//
// A follow is a channel that gets a container’s new alerts: each as a card, or many in one message, a list. A look reads
// which alerts are open, with the token of a person, the follow’s carrier, and tells the channel the news.
//
// A follow            is moved by                                                     to
// due, or due later   its due time, which a ring of its doorbell makes earlier        held
// held (by a lease)   the process that took it; another once the lease is over        due later, lost, or out
// lost                a take-over (*Take over with my account*)                       due
// out: lost, and due  the bot, once it is in the channel again; a take-over           due
// any of these        *Stop following*; people of another organisation who may read   gone
//
// A follow also has notes. Each is set and taken away by itself; any two may be there at once, unless this table says else.
//
// note         is set by                                        is taken away by
// noNewsAbove  the start; a take-over that leaves less out      the look that tells the alerts that were open already
// failures     each look that monitoring doesn’t answer         a look that monitoring answers; a take-over
// isMissing    a first answer that there’s no such container:   a look with another outcome. A second such answer is a loss,
//              never beside failures                            which leaves the note
// failMessage  the channel’s warning of failed looks            the news of the gap, which replaces the warning; a loss
// gap          a look after a long time without one             the news of the gap in the channel
// unsaid       news, or an edit of a card, that Slack doesn’t   a look that says something, or could; news in a card, if no
//              take                                             new alert waits
// unconfirmed  a post of an alert that may have arrived         time: ten minutes after the alert may be tried again
// forgotten    a card that somebody deleted                     the look that knows the alert as one without a card
// lostMessage  the channel’s warning of a loss; never if out    a take-over
// daily.againAt  a daily message that may have arrived        a daily message that Slack has confirmed
// call.away    a call of somebody who isn’t there               a call, unless they are away still; another setting
// openCalls    news that calls somebody                         an answer, or three mentions, for each call; a loss, whose
//              (each note is one call)                          warning calls once more; a take-over that calls nobody

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

/**
 * The reason why nobody reads any more: the service refuses the token; the token lacks the flag API or READ; the container
 * is gone; or the carrier has disconnected their account.
 */
export type Lost = 'refused' | 'forbidden' | 'no-container' | 'disconnected'

export interface SeenAlert {
  readonly severity: number
  /** Equal while the service’s list shows the alert unchanged; empty once the alert’s card was deleted. */
  readonly fingerprint: string
  /** True if the alert has a card of its own, false if it is a line in a message of many. */
  readonly hasCard: boolean
  /** True if somebody had the alert at the last look. */
  readonly isOwned?: true | undefined
  /** Number of the asset that the alert is on, once the service has shown the alert there. */
  readonly asset?: number | undefined
  /** Time of the first look that had the alert, in milliseconds since 1970; no longer kept once its asset is found. */
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

/** A message of many alerts, kept up to date. */
export interface AlertList extends Drawn {
  /**
   * `open`: alerts that were open already when the follow began, or when it began to show less grave ones, too. `new`: many
   * new alerts, and those that joined within ten minutes.
   */
  readonly kind: 'open' | 'new'
  /** Keys of the alerts that the message has told, closed ones too. */
  readonly keys: readonly string[]
  /** Time of the message, in milliseconds since 1970. */
  readonly at: number
  /** Slack’s id of whoever the message called: an edit without the mention would make Slack forget the call. */
  readonly calls: string | undefined
  /**
   * The gravest severity told so far: by the message itself, or by a later card for an alert that is in the message or
   * came beside it. An alert that is graver still gets a card, as an edit of the message notifies nobody.
   */
  readonly worst: number
}

/** Times are milliseconds since 1970. */
export interface Follow extends DocKey, Leased, Following {
  readonly channelId: string
  readonly containerId: number
  /** Name as the carrier's token shows it, raw: “Customer 1 (12)”. */
  readonly container: string
  /** The person whose token reads. */
  readonly carrier: Person
  /** Less grave alerts are left out; 0 is the highest severity. */
  readonly least: number
  /** The message that says what the channel follows, with the follow’s buttons. */
  readonly ownMessage: Drawn
  /** The newest four messages of many alerts, the oldest first. Each is kept while one of its alerts is open. */
  readonly lists: readonly AlertList[]
  /** Alerts that the channel knows, by key. `AfterLook.seen` says how a look fills this map. */
  readonly seen: Readonly<Record<string, SeenAlert>>
  /**
   * A severity number. The next look tells alerts with a greater number (less grave ones) as open already, not as news.
   * Set when the follow begins (-1, so for all alerts), and when somebody takes it over and shows less grave alerts,
   * too. Undefined once these alerts are told.
   */
  readonly noNewsAbove?: number | undefined
  /** Times of the newest cards of new alerts, five at most. */
  readonly cardsAt: readonly number[]
  /** Alerts, by key, whose post may have arrived, but isn’t confirmed by Slack. It is tried again at `againAt`. */
  readonly unconfirmed?:
    | Readonly<Record<string, { readonly tries: number; readonly againAt: number }>>
    | undefined
  /** When open alerts were last read; 0 before the first look. */
  readonly readAt: number
  /** True if the service knew no such container in the last look. */
  readonly isMissing?: boolean
  /** Looks in a row that failed. */
  readonly failures: number
  /** The channel’s warning that looks fail, so nothing new can come. */
  readonly failMessage?: Posted | undefined
  /** A time without a look, of which the channel still has to hear. */
  readonly gap?: { readonly from: number; readonly to: number } | undefined
  /** Time since which nobody reads; undefined while somebody does. */
  readonly lostAt?: number | undefined
  /** True if the bot isn’t in the channel, or the channel is archived. Once the bot can post again, the follow goes on. */
  readonly isOut?: boolean | undefined
  /** The channel’s warning that nobody reads. */
  readonly lostMessage?: Posted | undefined
  /** Hash of the doorbell's secret. */
  readonly bell?: string | undefined
  /** Places that rings of the doorbell have named for alerts whose place isn’t found yet, the newest last. */
  readonly hints?: readonly Hint[] | undefined
  /** When maintenance in the container last began or ended through Bellhop: modes that were read earlier are out of date. */
  readonly modesAt?: number | undefined
  /** Machines and containers in maintenance at the last look, a text each, as `quietStatesOf` makes it. */
  readonly quietStates?: readonly string[] | undefined
  /** When the follow posts how the night went; undefined if never. */
  readonly daily?: Daily | undefined
}

export function claimOf({
  channelId,
  containerId,
}: Pick<Follow, 'channelId' | 'containerId'>): string {
  return `${channelId} ${containerId}`
}

/** Names of lists in storage, one for each trouble that a follow may have. The follow longest in this trouble comes first. */
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

/** Name of the list in storage of all follows of a container. */
export const followsIn = (containerId: number) => `in ${containerId}`

/** The follow, due at once; its next look reads modes (such as maintenance) anew. Undefined if nobody reads for it. */
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

/**
 * The follow with a new carrier, as agreed with them: it is read with their token from now on, and due at once. If the new
 * setting leaves less out, alerts that are open already aren’t told as new (`noNewsAbove`).
 */
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
    isMissing: false,
    failures: 0,
  }
  return poked(mine, now)
}

/**
 * The follow once nobody reads for it.
 * @param taken - The follow as it was before the look.
 * @param lostMessage - The channel’s warning; undefined if Slack has refused it.
 * @returns Undefined if another process has the follow by now, or somebody has taken it over.
 */
export function lostBy(
  follow: Follow,
  taken: Follow,
  lostMessage: Posted | undefined,
  now: number,
): Follow | undefined {
  if (follow.carrier.userId !== taken.carrier.userId) return undefined

  const left = returnedBy(follow, taken, 'never', now)
  return left && { ...left, lostAt: now, lostMessage, failMessage: undefined, openCalls: undefined }
}

/** How long a process may hold a follow. If it hasn’t returned the follow by then, it is taken for dead. */
export const leaseMs = 30_000

/** Time between two checks whether the bot is in the channel again. */
export const outMs = 5 * minuteMs

/** The follow once the bot is out of its channel. Undefined if another process has the follow by now. */
export function outBy(follow: Follow, taken: Follow, now: number): Follow | undefined {
  const left = returnedBy(follow, taken, outMs, now)
  return left && { ...left, lostAt: now, isOut: true }
}

/** The follow once the bot is in its channel again. */
export function broughtBack(follow: Follow): Follow {
  return { ...follow, lostAt: undefined, isOut: undefined }
}

const ringsEveryMs = 5_000

/**
 * The follow after a ring of its doorbell: with the hint, if any, and due soon. If nobody reads, or if the last look
 * failed, only the hint is added. The due time then stays, as rings must not shorten the pauses between failing looks.
 * Undefined if nothing changes.
 */
export function rung(before: Follow, hint: Hint | undefined, now: number): Follow | undefined {
  const follow = hint ? { ...before, hints: withHint(before.hints ?? [], hint) } : before
  const { lostAt, failures, heldUntil, readAt, dueAt } = follow
  if (lostAt !== undefined || failures > 0) return hint && follow

  const isHeld = heldUntil > now
  const soon = Math.max(now, (isHeld ? now : readAt) + ringsEveryMs)
  return { ...follow, dueAt: isHeld ? soon : Math.min(dueAt ?? soon, soon) }
}

/** A follow as a look leaves it. Its `call` is undefined unless this look called somebody, or found that they are away. */
export type AfterLook = { -readonly [Key in keyof Omit<Follow, 'seen'>]: Follow[Key] } & {
  /**
   * Alerts that the channel knows. `planFor` makes this map as a look begins. An alert with news to tell has its old
   * entry there; a new alert has none. `sayMany` and `sayCard` put an alert in once it is told, and the end of
   * `tellChannel` adds the assets that were found. `withFound` stores the map: after the message of many alerts, and
   * after the look.
   */
  readonly seen: Map<string, SeenAlert>
}

/**
 * The follow to store after a look, with the look’s findings. Changes that cards or people made during the look stay.
 * @param one - The follow as it is stored now.
 * @param taken - The follow as it was before the look.
 * @param found - The follow as the look leaves it.
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
    hints: one.hints?.filter(({ ks }) => seen.get(ks)?.asset === undefined),
    call: afterCall(one.call, call),
  }
}

/**
 * The counts of a look, from the alerts that the channel knew before it (in `follow`), and knows now.
 * @param listed - Alerts that are open now.
 * @param withCard - Keys of alerts that are open again: their card is in Slack already.
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
  return { new: isNews ? fresh.length - again : 0, gone, again }
}

export const leastGrave = 7

export function isGrave({ lastSeverity }: OpenAlert, least: number): boolean {
  return least >= leastGrave || lastSeverity <= least
}

/** Most alerts that a follow keeps: new ones beyond this are told only once others have closed. */
const mostAlerts = 2_000
/** Most reads of the service that one look causes: of alerts with a new or changed card, and of assets. */
export const mostReads = 20

/** Longest silence that isn’t told to the channel afterwards: no look succeeded, or Slack took no news. */
export const gapMs = 5 * minuteMs

export function isSilent({ readAt }: Follow, intervalMs: number, now: number): boolean {
  return readAt > 0 && now - readAt > Math.max(gapMs, 3 * intervalMs)
}

/** More new alerts than this within ten minutes become one message. For ten minutes, later alerts join this message. */
export const mostCards = 5
const stormMs = 10 * minuteMs
/** Number of lists (messages of many alerts) that are kept up to date: the newest. */
export const mostLists = 4

/** News to tell after a look, the gravest first. */
export interface Plan {
  /** Alerts for one message: those open when the follow begins, or many new ones. */
  readonly many: readonly OpenAlert[]
  /** The recent message that the alerts of `many` are added to; undefined for a new message. */
  readonly joins: AlertList | undefined
  /** Alerts that get a card of their own. */
  readonly cards: readonly OpenAlert[]
  /** Keys of cards to be read and brought up to date. */
  readonly reread: readonly string[]
  /** Alerts that the channel knows before anything is told: the map with which `AfterLook.seen` begins. */
  readonly seen: Map<string, SeenAlert>
  /** Reads of the service that are left for the rest of the look. */
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

  // 1. When the follow begins, or begins to show less grave alerts, those that were open already are one message. Other new
  // alerts, and alerts without a card that got worse, wait for the next look.
  if (noNewsAbove !== undefined) {
    const many = fresh.filter(({ lastSeverity }) => lastSeverity > noNewsAbove)
    for (const { ks } of worse) leaveUntold(ks)
    return { many, joins: undefined, cards: [], seen, ...readNow(0) }
  }

  // 2. A few new alerts get a card each. Many new alerts begin one message. Alerts that are new in the ten minutes after
  // it join this message.
  const joins = lists.findLast(({ kind, at }) => kind === 'new' && now - at < stormMs)
  const room = mostCards - cardsAt.filter((at) => now - at < stormMs).length
  const isMany = joins !== undefined || fresh.length > room
  const isBegun = isMany && joins === undefined
  const many = isBegun ? [...fresh] : []

  // 3. An edit of a message notifies nobody. So two kinds of alerts get a card although they join a message, or are in
  // it and got worse: an alert graver than all that the message told, and the gravest alert that calls somebody.
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

    // An alert that a message shows is told by the message’s edit. Any other alert is still to be told.
    const isShown = list !== undefined && !getsCard
    if (!isShown) leaveUntold(ks)
  }

  return { many, joins, cards: cards.toSorted(gravestFirst), seen, ...readNow(cards.length) }

  /** Puts what was known of an alert back into `seen`, so that the next look finds the change again. */
  function leaveUntold(ks: string): void {
    const before = known.get(ks)
    if (before === undefined) seen.delete(ks)
    else seen.set(ks, before)
  }

  /**
   * Plans the reads of changed cards, as many as the look may make; the others wait for the next look.
   * @param others - Number of reads for new cards.
   */
  function readNow(others: number): Pick<Plan, 'reread' | 'left'> {
    const most = Math.max(0, mostReads - others)
    const reread = changed.slice(0, most)
    for (const ks of changed.slice(most)) leaveUntold(ks)
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
 * - `seen`: alerts as the channel knows them once all news is told, but for `fresh`.
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
    // An alert that Slack may have posted already waits before it is posted again.
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
    seen.set(ks, after)
    if (before.hasCard) {
      if (after.severity !== before.severity) changed.push(ks)
      else if (after.fingerprint !== before.fingerprint) reworded.push(ks)
    } else if (after.severity < before.severity) {
      if (isTriedLater) seen.set(ks, before)
      else worse.push(alert)
    }
  }

  const closed = [...known].flatMap(([ks, { hasCard }]) => (hasCard && !open.has(ks) ? ks : []))
  // Cards with new words come last: an alert’s message may change all the time.
  return { fresh, worse, changed: [...changed, ...closed, ...reworded], known, seen }
}

/**
 * Alerts that the channel knew after the last look. If somebody has deleted an alert’s card since, the alert has no card
 * here; if that card showed it closed, the alert is left out. A Map, as a key may be any text, `__proto__` too.
 */
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

/** An alert as the channel knows it from now on. The last parameter is what is known of the alert’s place. */
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

/** The key of an alert’s card: always the same, so an alert that opens again keeps its card. */
export function cardKeyOf({ workspaceId, id }: DocKey, ks: string): DocKey {
  return { workspaceId, id: hash('sha256', `${id} ${ks}`, 'base64url').slice(0, 22) }
}
