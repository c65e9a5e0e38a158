// Wishes that are kept: what somebody asks to be written at the service, one send for each write. The shapes, and the
// ports of the stores that keep wishes, their sends, and the doubts that are looked at later.
//
// A wish                                     moved by                                   ends as
// asked: it waits for a confirmation, an
// approval or an account                     whoever typed it                           cancelled, handed over, sending
// sending                                    its one sender, as long as it renews       settled, or joined to an equal one
// settled                                    its sender, or whoever finds it silent     told, shared
//
// A send                                     moved by                                   ends as
// asked                                      the sender of its wish                     sending, joined, never sent
// sending (committed before its request)     its sender; others once its lease is over  settled, with an outcome
// settled as not certain, because its
// sender fell silent                         that sender, if it comes back              settled, with what it knows
// settled as not certain                     a later look at the service (looks.ts)     settled, with what is seen
import type { SlackUser } from '../slack/ids.ts'
import type { SendOutcome, Settled } from './outcome.ts'
import type { NotedBefore, PeopleLook } from './proof.ts'
import type { Write } from './writes.ts'

/** An equal send of the same sender within this time joins the one before: a double press, not a new wish. */
export const joinableMs = 10_000

/** A reason why something is asked, and whether everybody is told there. */
export interface Reason {
  /** Raw. */
  readonly name: string
  /** Its outcome is told to everybody there, in the thread it was asked in. */
  readonly isForAll: boolean
}

/** With its thread, for what is told later or by a button that stands elsewhere. */
export interface KeptReason extends Reason {
  readonly channelId?: string | undefined
  readonly threadTs?: string | undefined
  readonly isDirect: boolean
}

/** One write, at most one request for it. */
export interface Send {
  /** Its place in the wish, from 1. */
  readonly n: number
  readonly write: Write
  /** Undefined as long as it waits or is under way. Of one that joined, that of the one it joined. */
  readonly outcome: SendOutcome | undefined
  /** An equal one stands for it. */
  readonly isJoined: boolean
  /** `outcome` takes the place of a doubt that may have been told. */
  readonly wasDoubted: boolean
  /** What was seen last of somebody who may have been added; as `outcome`, of the one it joined. */
  readonly look?: PeopleLook | undefined
  /** It is a doubt that will be looked at. */
  readonly isLookedAtLater?: boolean
  /** What was known before it was sent; undefined for what is not read before, or was not sent. */
  readonly before?: NotedBefore | undefined
  /** A later look has put `outcome` in the place of a doubt. */
  readonly wasLookedFor?: boolean
}

/** It has its end. What joined a send that was given up can still be sent, until it is given up itself. */
export function isOver({ outcome, isJoined }: Pick<Send, 'outcome' | 'isJoined'>): boolean {
  return outcome !== undefined && !(isJoined && outcome.kind === 'not-sent')
}

export interface KeptWish {
  /** The intent’s. Nothing can be read from it. */
  readonly id: string
  /** The owner of the token that sends it. */
  readonly sender: SlackUser
  /** In Slack: another than the sender when it was approved. */
  readonly askerId: string
  /** The channel in which it was asked, for *Share in channel*; undefined when there was none. */
  readonly channelId: string | undefined
  readonly about: KeptReason | undefined
  readonly state: 'asked' | 'cancelled' | 'handed-over' | 'sending' | 'settled'
  /** At least one, in the order in which they were asked. */
  readonly sends: readonly Send[]
  /** It asks again for what was left of another. */
  readonly isRest: boolean
  /** As it was kept: its outcome is part of something else that is told. */
  readonly isToldElsewhere?: boolean
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

/**
 * What follows from a wish. `rest`: *Try again* and the like, for those whom another try may help. `again`: the same, once
 * its sender has connected another token.
 */
export interface Follows {
  readonly id: string
  readonly as: 'rest' | 'again'
}

export interface NewWish extends Pick<KeptWish, 'id' | 'sender' | 'channelId'> {
  readonly writes: readonly Write[]
  readonly askerId?: string
  readonly about?: KeptReason | undefined
  /** Of each wish, one follows as either. */
  readonly follows?: Follows
  /** Its outcome is part of something else that is told: it is never among the untold, and its doubts are not corrected. */
  readonly isToldElsewhere?: boolean
}

export type Begun =
  /** The caller sends it, and settles it. `isToldElsewhere`: as it was kept. */
  | { readonly kind: 'begun'; readonly wish: KeptWish; readonly isToldElsewhere: boolean }
  /** This very intent was begun before, or `wish` stands for it: whoever began it tells the outcome. */
  | { readonly kind: 'repeated'; readonly wish: KeptWish }
  /** It does not wait: unknown, somebody else’s, given up, or asked before `askedAfter`. */
  | { readonly kind: 'gone'; readonly wish: KeptWish | undefined }

/** Keeps wishes, committed before anything is sent. Each step is atomic across processes. */
export interface Wishes {
  /**
   * Keeps a wish, unless one is kept under its id, or follows the same one as the same.
   * @returns The one that is kept.
   */
  keep(wish: NewWish): Promise<KeptWish>
  /**
   * Keeps a wish that waits for nobody, and begins it, in one step: whoever dies after it leaves a sender that fell silent.
   * @returns Undefined where another stands in its place, as for `keep`: then nothing was kept or begun.
   */
  keepBegun(wish: NewWish, leaseMs: number): Promise<Extract<Begun, { kind: 'begun' }> | undefined>
  /** For an intent that joined another, the one that stands for it. */
  find(workspaceId: string, id: string): Promise<KeptWish | undefined>
  /** Gives up a wish that waits; false when it does not. Nobody sends anything of it any more. */
  cancel(sender: SlackUser, id: string, as?: 'cancelled' | 'handed-over'): Promise<boolean>
  /** @param how.leaseMs - For how long the sender may be silent before others end the wish. */
  begin(
    sender: SlackUser,
    id: string,
    how: { readonly leaseMs: number; readonly askedAfter: number },
  ): Promise<Begun>
  /** Says that its sender, or its teller, is alive: nobody else ends or tells it, or what is under way of it, within this time. */
  renew(workspaceId: string, id: string, leaseMs: number): Promise<void>
  /** An equal wish stands for this one, for good. False when others have ended this one meanwhile. */
  join(workspaceId: string, id: string, equalId: string): Promise<boolean>
  /**
   * Its sender is done. True when it tells the outcome, as nobody has ended the wish in its place.
   * @param how.tellingMs - For how long nobody else tells it.
   * @param how.corrects - Others have ended and may have told it, and could only doubt: it is told all the same, once.
   */
  settle(
    workspaceId: string,
    id: string,
    how: { readonly tellingMs: number; readonly corrects: boolean },
  ): Promise<boolean>
  /**
   * Ends what is left of silent senders: sends under way are not certain, those that wait are never sent, and their
   * wishes are among the untold at once.
   */
  endLapsed(): Promise<void>
  /**
   * The sender was told what became of it. When it was a doubt that has given way meanwhile, what took its place is still
   * owed, also if others have told that before.
   * @returns True for the one caller that says so first.
   */
  told(wish: Pick<KeptWish, 'id' | 'sender' | 'sends'>): Promise<boolean>
  /** Its sender cannot tell the outcome: it is among the untold at once. Nothing happens while there is none. */
  leaveUntold(workspaceId: string, id: string): Promise<void>
  /** The outcome is being shared, or could not be. True for the one caller that says so first. */
  share(workspaceId: string, id: string, isShared: boolean): Promise<boolean>
  /**
   * Settled wishes whose sender was not told, and that nobody is telling. Each is handed to one caller; when that one
   * neither renews it nor says `told` within `leaseMs`, it is handed out again.
   */
  claimUntold(leaseMs: number): Promise<readonly KeptWish[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets what was asked before this time (milliseconds since 1970), but nothing that is under way. */
  prune(before: number): Promise<void>
}

/** A send of a wish. */
export interface SendKey {
  readonly workspaceId: string
  readonly wishId: string
  readonly n: number
}

export type SendBegun =
  /** The caller makes its request, and settles it. */
  | { readonly kind: 'begun' }
  /** An equal one stands for it, under way or settled. */
  | { readonly kind: 'joined'; readonly of: SendKey }
  /** It does not wait: it was given up. */
  | { readonly kind: 'gone' }

export interface SettledSend {
  readonly kept: 'first' | 'in-place' | 'not'
  readonly wasDoubted: boolean
  readonly wasTold: boolean
}

/** An *equal* send has the same sender and the same write. */
export interface Sends {
  /**
   * Lets equal sends join those of a wish that was begun, though they still wait for their turn: of two lists with the
   * same people, one is sent. Those whose place is taken join when their turn comes.
   */
  letJoin(workspaceId: string, wishId: string): Promise<void>
  /**
   * Turns a send that waits to `sending`, in one step across processes, or joins an equal one that is under way or was
   * settled within the last `joinableMs`, but not as what can be otherwise by now: a token that was refused, or, about an
   * alert, what was not sent, or forbidden. What joined stays joined for good. Throws where this very send is under
   * way: its wish has one sender.
   */
  begin(
    sender: SlackUser,
    send: SendKey,
    how: { readonly leaseMs: number; readonly joinableMs: number },
  ): Promise<SendBegun>
  /**
   * Keeps what was known before a write is sent. False when others have ended it meanwhile: then it must not be sent.
   * Of what has none, it is certain that it was not sent; but for adding somebody, which is sent without.
   */
  noteBefore(send: SendKey, before: NotedBefore): Promise<boolean>
  /**
   * Keeps the outcome, for its sender, unless one is kept already. The doubt of one that has lapsed gives way to it:
   * whoever sent it knows better. Where the doubt may have been told, the truth is owed from then on.
   * @param how.tellingMs - For how long nobody but the sender tells that; undefined for what is told elsewhere.
   * @param how.lookInMs - When a doubt is looked at; undefined: never.
   * @param how.look - What was seen of somebody who may have been added.
   * @returns `kept`: as the first, in the place of a doubt, or not at all, as another one stands. Whether that doubt may
   * have been told, and whether its wish was told with it.
   */
  settle(
    send: SendKey,
    outcome: Settled,
    how?: {
      readonly tellingMs?: number | undefined
      readonly lookInMs?: number | undefined
      readonly look?: PeopleLook | undefined
    },
  ): Promise<SettledSend>
  /** Undefined when it was forgotten, with its whole workspace. */
  find(send: SendKey): Promise<{ readonly outcome: SendOutcome | undefined } | undefined>
  /** Gives up those of a wish that wait: when it returns, nobody will send them. */
  giveUp(workspaceId: string, wishId: string): Promise<void>
  /** Somebody is about to be told that these, or those they joined, are not certain, as their sender fell silent. */
  markDoubtTold(workspaceId: string, wishId: string): Promise<void>
}

/** A doubt that is looked at. */
export interface DueLook extends SendKey {
  readonly sender: SlackUser
  readonly write: Write
  /** Undefined for adding somebody, which is sent without. */
  readonly before: NotedBefore | undefined
  readonly outcome: Settled
  /** What was seen last of somebody who may have been added. */
  readonly look: PeopleLook | undefined
  /** How often it was looked at in the background. */
  readonly looks: number
}

/** The store of later looks. */
export interface Looks {
  /**
   * Doubts whose time to be looked at has come. Each is handed to one caller; when that one does not say `looked` within
   * `leaseMs`, it is handed out again.
   */
  claim(leaseMs: number): Promise<readonly DueLook[]>
  /**
   * Doubts of this wish.
   * @param which - `waiting`: those that are still to be looked at, due or not. `all`: those too that nobody looks at
   * any more by itself. Default: waiting.
   */
  of(workspaceId: string, wishId: string, which?: 'waiting' | 'all'): Promise<readonly DueLook[]>
  /**
   * Keeps what a look has found, as long as the doubt stands. Where its sender was told of the doubt, what took its place
   * is owed; so is the doubt itself, once it was looked at for the last time, unless there was nothing to look at. Where
   * something was seen that is told elsewhere, it is due again until `passedOn`.
   * @param found.outcome - Undefined where nothing was seen.
   * @param found.look - What was seen of somebody who may have been added.
   * @param found.nextInMs - When it is looked at again, where nothing was seen; undefined: it was the last look.
   * @param found.keepsTime - It was a look between times: where nothing was seen, it is looked at again as before.
   * @param found.tellingMs - For how long nobody but the caller tells what was seen.
   * @returns False when the doubt had given way already.
   */
  looked(
    look: DueLook,
    found: {
      readonly outcome: Settled | undefined
      readonly look?: PeopleLook | undefined
      readonly nextInMs?: number | undefined
      readonly keepsTime?: boolean
      readonly tellingMs?: number
    },
  ): Promise<boolean>
  /** Ids of wishes told elsewhere that this send is part of: its own, and those with a send that joined it. */
  toldElsewhere(look: DueLook): Promise<readonly string[]>
  /** Whoever tells the outcome elsewhere knows what was seen. */
  passedOn(look: DueLook): Promise<void>
}
