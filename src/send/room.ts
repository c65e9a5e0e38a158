// The room of sends: what one write at most once needs of the rest of the house.
import type { Log } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Once } from '../slack/guard/once.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Settled } from './outcome.ts'
import type { PerformRoom } from './perform.ts'
import type { Before } from './proof.ts'
import type { KeptWish, Send, Sends, Wishes } from './wishes.ts'
import type { Write } from './writes.ts'

export interface SendRoom extends PerformRoom {
  readonly wishes: Wishes
  readonly sends: Sends
  /** Says of what was asked a moment ago that it was. */
  readonly once: Pick<Once, 'claim' | 'release'>
  /** Somebody’s own token, to look what became of their write; undefined where they have none any more. */
  readonly tokenOf: (owner: SlackUser) => Promise<string | undefined>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  /** For each kind of write, what is done about it once it was sent. */
  readonly followUps: Readonly<Record<Write['kind'], SendFollowUps>>
  readonly log: Log
}

/** What is known of a write about an alert besides its outcome. */
export interface Noted {
  /** As the sender’s token showed it before. */
  readonly before?: Before | undefined
  /** And once more after it was sent. */
  readonly after?: Pick<Alert, 'ownerId' | 'closedTimestamp'> | undefined
}

/** Follow-ups of writes of one kind, by the room that asks for them. */
export interface SendFollowUps {
  /** Writes down what became of a send, once, however often it is called. */
  record(wish: KeptWish, send: Send, outcome: Settled, noted: Noted): Promise<void>
  /** Tells the sender what became of a wish, when that could not be told at once. Asks the service nothing. */
  renderLate(wish: KeptWish): Message | Promise<Message>
  /** Counts what was told, once for each wish. @param lateTo - Whom it was told late, by whoever came after its sender. */
  count(wish: KeptWish, lateTo?: SlackUser): void
}

export function followUpsOf({ followUps }: Pick<SendRoom, 'followUps'>, wish: KeptWish): SendFollowUps {
  const [first] = wish.sends
  if (first === undefined) throw new Error(`wish ${wish.id} has no sends`)
  return followUps[first.write.kind]
}
