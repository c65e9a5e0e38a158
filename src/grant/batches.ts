// A wish for several people and whether its result was told: the shapes, and the port of the store that keeps them.
// What became of each person is in their own grant.
import type { SlackUser } from '../slack/ids.ts'
import type { KeptAbout } from './about.ts'
import type { GrantState } from './grants.ts'
import type { Wish } from './wishes.ts'

export interface Batch {
  readonly id: string
  readonly asker: SlackUser
  readonly wish: Wish
  /** Where it was asked, for *Share in channel*; undefined when there was no channel. */
  readonly channelId: string | undefined
  readonly about: KeptAbout | undefined
  /** `settled`: nothing of it will be sent any more, and its result is owed to the asker until it was told. */
  readonly state: GrantState
  /** It was given up because approval was asked for. */
  readonly isHandedOver: boolean
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

export interface NewBatch extends Pick<Batch, 'id' | 'asker' | 'wish' | 'channelId'> {
  readonly about?: KeptAbout | undefined
}

export type BatchBegun =
  /** The caller sends it, and settles it. */
  | { readonly kind: 'begun'; readonly batch: Batch }
  /** An equal one stands for it, under way or settled. The caller tells that one's result, too. */
  | { readonly kind: 'joined'; readonly batch: Batch }
  /** This very intent was begun, or joined `batch`, before: whoever did so tells the result. */
  | { readonly kind: 'repeated'; readonly batch: Batch }
  /** It does not wait: unknown, somebody else's, cancelled, or asked before `askedAfter`. */
  | { readonly kind: 'gone' }

/** An *equal* batch has the same asker and the same wish, whatever the order of its people. */
export interface Batches {
  /** Keeps a batch before anything is sent. Does nothing when the id is known already. */
  ask(batch: NewBatch): Promise<void>
  /** Gives up a batch that was not sent; false when there is none such. */
  cancel(asker: SlackUser, id: string, how?: { readonly isHandedOver: boolean }): Promise<boolean>
  /**
   * Turns an asked batch to `sending`, for one caller across processes. Joins instead as grants do: an equal one that
   * is under way or was settled within the last `joinMs`. An intent that joined stays joined for good.
   * @param how - `leaseMs`: how long the sender may be silent before others end the batch.
   */
  begin(
    asker: SlackUser,
    id: string,
    how: { readonly leaseMs: number; readonly joinMs: number; readonly askedAfter: number },
  ): Promise<BatchBegun>
  /** The sender is alive. */
  renew(workspaceId: string, id: string, leaseMs: number): Promise<void>
  /**
   * The sender is done: true when it tells the result, as nobody has ended the batch in its place.
   * @param how.stands - False when the token was refused: the same wish may be sent with another one at once.
   * @param how.corrects - It knows what others, who may have ended and told the batch, could only doubt: it tells the
   *   result all the same.
   * @param how.tellingMs - For how long nobody else tells it.
   */
  settle(
    workspaceId: string,
    id: string,
    how: { readonly stands: boolean; readonly corrects: boolean; readonly tellingMs: number },
  ): Promise<boolean>
  /** Batches under way whose sender's lease has run out. */
  lapsed(): Promise<readonly Batch[]>
  /** Ends a batch in place of a sender whose lease has run out. It is among the untold at once. */
  settleLapsed(workspaceId: string, id: string): Promise<void>
  /** For an intent that joined another, the batch that stands for it. */
  find(workspaceId: string, id: string): Promise<Batch | undefined>
  /** The asker was told the result. True for the one caller that says so first. */
  told(workspaceId: string, id: string): Promise<boolean>
  /** Whoever tells the result is alive; as for grants. */
  renewTelling(workspaceId: string, id: string, leaseMs: number): Promise<void>
  /** Whoever sent it cannot tell the result: it is among the untold at once. Nothing happens while there is none. */
  leaveUntold(workspaceId: string, id: string): Promise<void>
  /** The result is being shared: true for the one caller that says so first. */
  shared(workspaceId: string, id: string): Promise<boolean>
  /** It could not be shared after all. */
  notShared(workspaceId: string, id: string): Promise<void>
  /** Settled batches whose asker was not told; as for grants. */
  claimUntold(leaseMs: number): Promise<readonly Batch[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets batches asked before this time (milliseconds since 1970), but never one under way. */
  prune(before: number): Promise<void>
}
