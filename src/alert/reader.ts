// The one person who sees a card, at the service: a card that only they see knows whether the alert is theirs.
import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Card } from './cards.ts'

export interface ReaderRoom {
  /** Who somebody is at the service, where that is known. Asks nobody. */
  readonly ownIdOf: (person: SlackUser) => Promise<number | undefined>
}

/** Undefined where others see the card, or it makes no difference. */
export async function readerIdOf(
  { ownIdOf }: ReaderRoom,
  { isPrivate, asker }: Pick<Card, 'isPrivate' | 'asker'>,
  { ownerId, closedTimestamp }: Pick<Alert, 'ownerId' | 'closedTimestamp'>,
): Promise<number | undefined> {
  return isPrivate && ownerId !== null && closedTimestamp === null ? ownIdOf(asker) : undefined
}
