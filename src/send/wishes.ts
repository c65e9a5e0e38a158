// Wishes that are kept: what somebody asks to be written at the service, one send for each write. The shapes, and the
// ports of the stores that keep wishes and their sends.
//
// A wish                                     moved by                                   ends as
// asked: it waits for a confirmation, an
// approval or an account                     whoever typed it                           cancelled, handed over, sending
// sending                                    its one sender, as long as it renews       settled
// settled                                    its sender, or whoever finds it silent     told, shared
//
// A send                                     moved by                                   ends as
// asked                                      the sender of its wish                     sending, never sent
// sending (committed before its request)     its sender; others once its lease is over  settled, with an outcome
// settled as not certain, because its
// sender fell silent                         that sender, if it comes back              settled, with what it knows
// settled as not certain                     its sender, who has it looked at again     settled, with what is seen
import type { SlackUser } from '../slack/ids.ts'
import type { SendOutcome, Settled } from './outcome.ts'
import type { NotedBefore, PeopleLook } from './proof.ts'
import type { Write } from './writes.ts'

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
  /** Undefined as long as it waits or is under way. */
  readonly outcome: SendOutcome | undefined
  /** What was seen last of somebody who may have been added. */
  readonly look?: PeopleLook | undefined
  /** What was known before it was sent; undefined for what is not read before, or was not sent. */
  readonly before?: NotedBefore | undefined
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
  /** Its outcome is part of something else that is told: it is never among the untold. */
  readonly isToldElsewhere?: boolean
}

export type Begun =
  /** The caller sends it, and settles it. `isToldElsewhere`: as it was kept. */
  | { readonly kind: 'begun'; readonly wish: KeptWish; readonly isToldElsewhere: boolean }
  /** This very intent was begun before: whoever began it tells the outcome. */
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
  /**
   * Its sender is done. True when it tells the outcome, as nobody has ended the wish in its place.
   * @param tellingMs - For how long nobody else tells it.
   */
  settle(workspaceId: string, id: string, tellingMs: number): Promise<boolean>
  /** Its sender came back after others have ended it, and knows better: it is told once more. */
  owe(workspaceId: string, id: string, tellingMs: number): Promise<void>
  /**
   * Ends what is left of silent senders: sends under way are not certain, those that wait are never sent, and their
   * wishes are among the untold at once.
   */
  endLapsed(): Promise<void>
  /** The sender was told what became of it. True for the one caller that says so first. */
  told(workspaceId: string, id: string): Promise<boolean>
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

/** Each step is atomic across processes. */
export interface Sends {
  /**
   * Turns a send that waits to `sending`: the caller makes its one request, and settles it. False where it does not wait:
   * it was begun before, or given up.
   */
  begin(send: SendKey, leaseMs: number): Promise<boolean>
  /**
   * Keeps what was known before a write is sent. False when others have ended it meanwhile: then it must not be sent.
   * Of what has none, it is certain that it was not sent; but for adding somebody, which is sent without.
   */
  noteBefore(send: SendKey, before: NotedBefore): Promise<boolean>
  /**
   * Keeps the outcome, for its sender, unless one is kept already. The doubt of one that has lapsed gives way to it:
   * whoever sent it knows better.
   * @param look - What was seen of somebody who may have been added.
   * @returns As the first, in the place of that doubt, or not at all, as another outcome stands.
   */
  settle(
    send: SendKey,
    outcome: Settled,
    look?: PeopleLook | undefined,
  ): Promise<'first' | 'in-place' | 'not'>
  /** Keeps what a look at a doubt has found. False when the doubt had given way already. */
  looked(
    send: SendKey,
    doubt: Settled,
    found: { readonly outcome: Settled | undefined; readonly look?: PeopleLook | undefined },
  ): Promise<boolean>
  /** Undefined when it was forgotten, with its whole workspace. */
  find(send: SendKey): Promise<Send | undefined>
  /** Gives up those of a wish that wait: when it returns, nobody will send them. */
  giveUp(workspaceId: string, wishId: string): Promise<void>
}
