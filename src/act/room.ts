// The room of acting on alerts: what acting, and what follows it, needs of the rest of the house.
import type { AccountRoom } from '../account/room.ts'
import type { AlertRoom } from '../alert/room.ts'
import type { NamesRoom } from '../names/room.ts'
import type { SendRoom } from '../send/room.ts'
import type { Suggesting } from '../slack/guard/suggestions.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'

export interface ActRoom {
  readonly send: SendRoom
  readonly account: AccountRoom
  readonly alert: AlertRoom
  readonly names: NamesRoom
  readonly sequels: Sequels
  /** Something happened to these alerts: their live cards are looked at now. */
  readonly makeDue: (workspaceId: string, keys: readonly string[]) => Promise<void>
  /** Whom a text mentions, who wrote it, and who gets an alert. */
  readonly people: PerWorkspace<Pick<People, 'hasLeft' | 'identityOf' | 'nameOf'>>
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'isShared' | 'wasShared'>>
  readonly linkOf: LinkOf
  /** Of messages in a channel that nobody waits for. */
  readonly pace: Pace
  readonly delivery: Delivery
  /** How Slack lets forms suggest; undefined where they never do. */
  readonly suggesting: Pick<Suggesting, 'mode'> | undefined
}

// What follows an act is kept until it is done.
//
// A sequel     moved by                                                       ends as
// act          its request; others once that one has been silent              over, or reopening
// reopening    whoever looks at the alert next; its time; a token that goes   over

export interface SequelKey {
  readonly workspaceId: string
  /** Of the act. */
  readonly wishId: string
}

/** In the hands of one process. */
export interface DueSequel extends SequelKey {
  /** Whose act it is. */
  readonly userId: string
  /** `act`: its outcome is known and may not be followed up yet. `reopening`: its alert may open again. */
  readonly step: 'act' | 'reopening'
  /** How long ago it was kept, in milliseconds. */
  readonly ageMs: number
  /** Nobody looks any more whether its alert opens again. */
  readonly isOver: boolean
}

/** Store of sequels. Each step is atomic across processes. */
export interface Sequels {
  /**
   * An act is about to be sent: its request follows it up. Does nothing for one that was followed up.
   * @param leaseMs - Once it has been silent for so long, others do.
   */
  keep(of: SequelKey & SlackUser, leaseMs: number): Promise<void>
  /** Nobody else follows it up within this time; then it is due. */
  renew(key: SequelKey, ms: number): Promise<void>
  /** From now on somebody looks whether its alert opens again. Does nothing where it is over. */
  awaitReopening(key: SequelKey, how: { readonly forMs: number; readonly inMs: number }): Promise<void>
  /** Its new owner is about to be told: true for the one caller that says so first. */
  takeNotice(key: SequelKey): Promise<boolean>
  /** Its new owner has certainly not been told. */
  releaseNotice(key: SequelKey): Promise<void>
  end(key: SequelKey): Promise<void>
  /** Ends all of a person’s. */
  endAllOf(owner: SlackUser): Promise<void>
  /**
   * Those that are due, and whose acts have an outcome. Each is handed to one caller; when that one does not renew or end
   * it within `leaseMs`, it is handed out again.
   */
  claim(leaseMs: number): Promise<readonly DueSequel[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets what was kept before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
