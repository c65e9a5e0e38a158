// Follow-ups of writes, by kind: the features that ask for them say what is done once they were sent.
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Settled } from './outcome.ts'
import type { Before } from './proof.ts'
import type { KeptWish, Send } from './wishes.ts'
import type { Write } from './writes.ts'

/** What is known of a write about an alert besides its outcome. */
export interface Noted {
  /** As the sender’s token showed it before. */
  readonly before?: Before | undefined
  /** And once more after it was sent. */
  readonly after?: Pick<Alert, 'ownerId' | 'closedTimestamp'> | undefined
}

/** Follow-ups of writes of one kind, by the feature that asks for them. */
export interface FollowUpsOfKind {
  /** Writes down what became of a send, once, however often it is called. */
  record(house: House, wish: KeptWish, send: Send, outcome: Settled, noted: Noted): Promise<void>
  /** Tells the sender what became of a wish, when that could not be told at once. Asks the service nothing. */
  renderLate(house: House, wish: KeptWish): Message | Promise<Message>
  /** Counts what was told, once for each wish. @param lateTo - Whom it was told late, by whoever came after its sender. */
  count(house: House, wish: KeptWish, lateTo?: SlackUser): void
}

export type FollowUps = Readonly<Record<Write['kind'], FollowUpsOfKind>>

export function followUpsOf({ followUps }: House, wish: KeptWish): FollowUpsOfKind {
  const [first] = wish.sends
  if (first === undefined) throw new Error(`wish ${wish.id} has no sends`)
  return followUps[first.write.kind]
}
