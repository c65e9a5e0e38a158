// Wishes that were kept when somebody typed them, for those who may be asked to agree with them.
import type { SlackUser } from '../slack/ids.ts'
import type { Batch, Batches } from './batches.ts'
import { isForSeveral } from './granting-steps.ts'
import type { Grant, Grants } from './grants.ts'
import type { WishOutcomes } from './wish-outcomes.ts'
import { isForbidden, leftToApprove, type Wish, wishOf } from './wishes.ts'

export interface KeptWish {
  readonly wish: Wish
  /** Where it was asked; undefined when there was no channel. */
  readonly channelId: string | undefined
}

export interface KeptWishes {
  /**
   * What of a wish a colleague could grant: what was refused for want of rights, or never sent. Undefined when there is nothing such, when it
   * is unknown, and when it is somebody else's.
   */
  find(asker: SlackUser, id: string): Promise<KeptWish | undefined>
  /** Takes it out of play: it is not sent by itself any more. False when it was sent meanwhile. */
  giveUp(asker: SlackUser, id: string): Promise<boolean>
}

export function createKeptWishes(room: {
  readonly grants: Grants
  readonly batches: Batches
  readonly outcomes: WishOutcomes
}): KeptWishes {
  const { grants, batches, outcomes } = room

  async function ofOne(asker: SlackUser, id: string) {
    const grant = await grants.find(asker.workspaceId, id)
    if (grant?.asker.userId !== asker.userId) return undefined
    const isLeft = isUnsent(grant) || (grant.state === 'settled' && isForbidden(grant.outcome))
    return isLeft ? { wish: wishOf(grant.request), kept: grant } : undefined
  }

  async function ofSeveral(asker: SlackUser, id: string) {
    const batch = await batches.find(asker.workspaceId, id)
    if (batch?.asker.userId !== asker.userId) return undefined
    if (isUnsent(batch)) return { wish: batch.wish, kept: batch }
    const { asker: sender, id: sentId, wish } = batch
    const people = batch.state === 'settled' ? await outcomes.find(sender, sentId, wish) : undefined
    const emails = leftToApprove(people ?? [])
    return emails.length === 0 ? undefined : { wish: { ...wish, emails }, kept: batch }
  }

  function find(asker: SlackUser, id: string) {
    return isForSeveral(id) ? ofSeveral(asker, id) : ofOne(asker, id)
  }

  return {
    async find(asker, id) {
      const found = await find(asker, id)
      return found && { wish: found.wish, channelId: found.kept.channelId }
    },
    async giveUp(asker, id) {
      await (isForSeveral(id) ? batches : grants).cancel(asker, id, { isHandedOver: true })
      const left = await find(asker, id)
      return left !== undefined && left.kept.state !== 'asked'
    },
  }
}

function isUnsent({ state }: Grant | Batch): boolean {
  return state === 'asked' || state === 'cancelled'
}
