// The room of sends: what one write at most once needs of the rest of the house.
import type { Log } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Settled } from './outcome.ts'
import type { PerformRoom } from './perform.ts'
import type { Before } from './proof.ts'
import type { KeptWish, Looks, Send, Sends, Wishes } from './wishes.ts'
import type { Write } from './writes.ts'

export interface SendRoom extends PerformRoom {
  readonly wishes: Wishes
  readonly sends: Sends
  readonly looks: Looks
  /** Somebody’s own token, to look what became of their write; undefined where they have none any more. */
  readonly tokenOf: (owner: SlackUser) => Promise<string | undefined>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  /** For each kind of write, what is done about it once it was sent. */
  readonly followUps: Readonly<Record<Write['kind'], SendFollowUps>>
  /**
   * Tells whoever tells the outcome of this wish elsewhere that a later look has shown something. May be called more than
   * once for the same.
   */
  readonly tellElsewhere: (workspaceId: string, wishId: string) => Promise<ToldElsewhere>
  readonly log: Log
}

/**
 * What came of it. `known`: there is nobody to tell it to, or they know. `not-ended`: nobody was told an outcome yet, and
 * the one they are told next may be older than what was seen, so it has to be told again.
 */
export type ToldElsewhere = 'told' | 'known' | 'not-ended'

/**
 * `at_once`: told by its own request. `corrected`: by its own request as well, after others have told a doubt. Else late,
 * to this person, by whoever came after it.
 */
export type WhenTold = 'at_once' | 'corrected' | { readonly lateTo: SlackUser }

/** What is known of a write about an alert besides its outcome. */
export interface Noted {
  /** As the sender’s token showed it before. */
  readonly before?: Before | undefined
  /** And once more after it was sent. */
  readonly after?: Pick<Alert, 'ownerId' | 'closedTimestamp'> | undefined
  /** It takes the place of a doubt that is recorded as well. */
  readonly isCorrection: boolean
}

/** Follow-ups of writes of one kind, by the room that asks for them. */
export interface SendFollowUps {
  /** Writes down what became of a send, once, however often it is called. */
  record(wish: KeptWish, send: Send, outcome: Settled, noted: Noted): Promise<void>
  /** Tells the sender what became of a wish, when that could not be told at once. Asks the service nothing. */
  renderLate(wish: KeptWish): Message | Promise<Message>
  /** Counts what was told, once for each wish. */
  count(wish: KeptWish, when: WhenTold): void
}

export function followUpsOf({ followUps }: Pick<SendRoom, 'followUps'>, wish: KeptWish): SendFollowUps {
  const [first] = wish.sends
  if (first === undefined) throw new Error(`wish ${wish.id} has no sends`)
  return followUps[first.write.kind]
}
