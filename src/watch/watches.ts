// Live cards and who watches them: the port of the store that keeps them.
//
// A live card            moved by                                             ends as
// due, or due later      its time, a poke, whoever watches from now on        held
// held (by a lease)      the process that took it; another once that is over  due later, or finished where nobody watches,
//                                                                             or some time after the alert was closed
//
// A watch                moved by                                             ends as
// running                its watcher, for longer; its time, a refused token,  ended, with why
//                        *Stop watching*, a channel that becomes shared
// ended                  whoever holds the card, once it is told              dropped
import type { Live } from '../alert/cards.ts'
import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Posted } from '../slack/outbound/message.ts'

/** Why somebody does not watch any more. */
export type Ended =
  /** The service refuses the token, or shows the alert no more with it. */
  | { readonly kind: 'refused' | 'forbidden' }
  /** The account was disconnected, or its owner has left. */
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'lifetime' }
  /** Another organisation reads in its channel now, or may: Slack did not say. */
  | { readonly kind: 'shared'; readonly isUnsaid?: true | undefined }
  /** The card is out of reach, and they have been told so. */
  | { readonly kind: 'gone' }
  /** @property by - A name, raw. */
  | { readonly kind: 'stopped'; readonly by: string }

/** Somebody who watches a card. */
export interface Watcher {
  readonly userId: string
  /** Raw. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Its time is over. */
  readonly isOver: boolean
  /** Set when it ended and nobody has drawn the conclusions yet. */
  readonly ended: Ended | undefined
}

/** What a live card shows, kept so that it can be drawn again when the service does not answer. */
export interface CardShown {
  /** Without its actions. */
  readonly alert: Alert
  /** Unix seconds. */
  readonly asOf: number
  /** Until when the card says that it can be trusted, in Unix seconds; undefined before it was drawn. */
  readonly nextBy?: number | undefined
  /** The card says that it is not up to date. */
  readonly isOverdue: boolean
  /** Equal for cards that look the same but for the times of their check and the next. */
  readonly look: string
}

export interface CardKey {
  readonly workspaceId: string
  readonly cardId: string
}

/** A live card in the hands of one process, for as long as its lease lasts. */
export interface LiveCard extends CardKey {
  /** When it became live, in milliseconds since 1970; tells one time of being live from the next. */
  readonly since: number
  readonly posted: Posted
  /** Oldest first; those that ended are among them until they are dropped. */
  readonly watchers: readonly Watcher[]
  /** Undefined before it was drawn for the first time. */
  readonly shown: CardShown | undefined
  /** False asks for another drawing, whatever the card shows. */
  readonly isSeen: boolean
  /** How long ago the service last gave the alert; undefined when it never did. */
  readonly readMsAgo: number | undefined
  /** How long ago the card was last drawn; undefined when it never was. */
  readonly drawnMsAgo: number | undefined
  /** Looks in a row that failed. */
  readonly failures: number
  readonly pokes: number
}

/** What a look leaves behind. */
export interface Looked {
  /** What the card shows, when it was drawn. */
  readonly drawn: CardShown | undefined
  /** The card shows it, and its thread knows it. Undefined leaves what was known. */
  readonly isSeen: boolean | undefined
  /** The service gave the alert. */
  readonly isRead: boolean
  /** 0 after a look that went well. */
  readonly failures: number
  /** When to look again. */
  readonly inMs: number
}

/** One of somebody's own watches. */
export interface Watched {
  readonly cardId: string
  readonly ks: string
  readonly posted: Posted
  readonly until: number
  readonly shown: CardShown | undefined
}

export interface NewWatch {
  readonly workspaceId: string
  readonly cardId: string
  readonly posted: Posted
  readonly userId: string
  readonly name: string
  readonly ttlMs: number
  /** What the card shows now, so that it can be drawn whatever happens to the service. */
  readonly shown: CardShown
}

export interface Watches {
  /**
   * Somebody watches a card from now on, or for longer than before; it is due at once.
   * @param most - How many a person may have; one more is `too-many`, also when asked at the same moment.
   */
  start(watch: NewWatch, most: number): Promise<'started' | 'extended' | 'too-many'>
  /** How many cards are live, in this workspace or in all. */
  countLive(workspaceId?: string): Promise<number>
  /** How many cards say that they were checked again by now, and were not drawn since. */
  countOverdue(): Promise<number>
  /** Who watches a card and until when; undefined when nobody does. */
  liveOf(workspaceId: string, cardId: string): Promise<Live | undefined>
  /** Those who watch a card. */
  watchersOf(workspaceId: string, cardId: string): Promise<readonly Watcher[]>
  /** Somebody's own, oldest first. */
  listOf(owner: SlackUser): Promise<readonly Watched[]>
  /** Ends watches of a card: one person's, or everybody's. False when there was none. */
  end(workspaceId: string, cardId: string, userId: string | undefined, ended: Ended): Promise<boolean>
  /** Ends all of a person's. */
  endAllOf(owner: SlackUser, ended: Ended): Promise<void>
  /** Ends all of the cards that stand in a channel. */
  endAllIn(workspaceId: string, channelId: string, ended: Ended): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Where a card of one of these alerts is live: in a channel or direct message, or anywhere in somebody’s own ones. */
  liveCardOf(
    workspaceId: string,
    keys: readonly string[],
    where: { readonly channelId: string } | { readonly ownerId: string },
  ): Promise<(CardKey & { readonly posted: Posted }) | undefined>
  /** Something happened to one of these alerts: its live cards are due at once. @param but - A card that shows it. */
  makeDue(workspaceId: string, keys: readonly string[], but?: string): Promise<void>
  /**
   * Takes cards that are due and in nobody's hands, those that have waited longest first.
   * @param lease.farthestMs - One that is due later than that is due now: the clock was set back since.
   */
  lease(lease: {
    readonly owner: string
    readonly leaseMs: number
    readonly most: number
    readonly farthestMs: number
  }): Promise<readonly LiveCard[]>
  /** Gives all of an owner's back. */
  release(owner: string): Promise<void>
  /** True while the card is this owner's, and nobody has poked it. */
  isStill(owner: string, live: LiveCard): Promise<boolean>
  /** Marks a watch as ended: true for the one caller that does, false also when somebody has poked the card meanwhile. */
  markEnded(owner: string, live: LiveCard, userId: string, ended: Ended): Promise<boolean>
  /** Drops watches that ended, once their conclusions are drawn. None when somebody has poked the card meanwhile. */
  drop(owner: string, live: LiveCard, userIds: readonly string[]): Promise<void>
  /** Keeps what was found and gives the card back. A poke that came meanwhile makes it due at once. */
  looked(owner: string, live: LiveCard, looked: Looked): Promise<void>
  /** For whoever has drawn the card besides: what was known about its look holds no more. */
  forgetLook(workspaceId: string, cardId: string): Promise<void>
  /** The card is live no more. False when somebody wants it live again meanwhile: then it is due at once. */
  finish(owner: string, live: LiveCard): Promise<boolean>
}
