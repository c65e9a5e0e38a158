// Sends a wish for several people as one batch: one sender across all processes, which says that it is alive.
// It must not know Slack.

import type { SlackUser } from '../slack/ids.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import type { Batch, Batches } from './batches.ts'
import { joinMs } from './grant-access.ts'
import type { MakeWish } from './make-wish.ts'
import type { WishOutcomes } from './wish-outcomes.ts'
import { hasCode, type Told } from './wishes.ts'

const pauseMs = 200

export type BatchSent =
  /** `isJoined`: an equal batch of the same person stands for this one; nothing more was sent. */
  | {
      readonly kind: 'settled'
      readonly batch: Batch
      readonly people: readonly Told[]
      readonly isJoined: boolean
    }
  /** This very intent is done or under way elsewhere, where its result is told. */
  | { readonly kind: 'repeated'; readonly batch: Batch }
  /** It does not wait any more: cancelled, or asked too long ago. */
  | { readonly kind: 'gone' }

/**
 * Sends the batch that waits under this id, unless it was sent before.
 * @param how - As for `GrantAccess`.
 */
export type SendBatch = (
  asker: SlackUser,
  token: string,
  id: string,
  how: {
    readonly askedAfter: number
    readonly joins: boolean
    readonly onSending: (batch: Batch) => Promise<void>
  },
) => Promise<BatchSent>

export function createSendBatch(room: {
  readonly batches: Batches
  readonly makeWish: MakeWish
  readonly outcomes: WishOutcomes
  readonly wait: (ms: number) => Promise<void>
}): SendBatch {
  const { batches, makeWish, outcomes, wait } = room

  function send(
    token: string,
    { asker, id, wish, channelId }: Batch,
    joins: boolean,
  ): Promise<readonly Told[]> {
    return renewing(
      () => batches.renew(asker.workspaceId, id, leaseMs),
      () => makeWish(asker, token, id, wish, { channelId, joins }),
    )
  }

  /** Waits for whoever sends it, or for those who end it in their place. */
  async function settled({ asker, id }: Batch): Promise<Batch | undefined> {
    let current = await batches.find(asker.workspaceId, id)
    while (current?.state === 'sending') {
      await wait(pauseMs)
      current = await batches.find(asker.workspaceId, id)
    }
    return current
  }

  return async (asker, token, id, { askedAfter, joins, onSending }) => {
    const begun = await batches.begin(asker, id, { leaseMs, joinMs: joins ? joinMs : 0, askedAfter })
    switch (begun.kind) {
      case 'begun': {
        const { batch } = begun
        const [people] = await Promise.all([send(token, batch, joins), onSending(batch)])
        const stands = !hasCode(people, 'refused')
        const settle = (corrects: boolean) =>
          batches.settle(asker.workspaceId, id, { stands, corrects, tellingMs: leaseMs })
        if (await settle(false)) {
          // Others may have doubted one of its grants; they told nobody, as they did not end the batch.
          const certain = people.map((one) => ({ ...one, wasDoubted: false }))
          return { kind: 'settled', batch, people: certain, isJoined: false }
        }
        const corrects = people.some(({ wasDoubted }) => wasDoubted)
        if (corrects && (await settle(true))) return { kind: 'settled', batch, people, isJoined: false }
        // Ended by others, who took this process for dead and tell the very same result.
        return { kind: 'repeated', batch }
      }
      case 'gone':
        return { kind: 'gone' }
      case 'repeated':
        return begun
      case 'joined': {
        const { batch } = begun
        const ended = await settled(batch)
        const people = ended && (await outcomes.find(asker, ended.id, ended.wish))
        // Joined to one that was forgotten meanwhile, with its whole workspace: there is nobody to tell.
        if (ended === undefined || people === undefined) return { kind: 'repeated', batch }
        return { kind: 'settled', batch: ended, people, isJoined: true }
      }
      default:
        return begun satisfies never
    }
  }
}
