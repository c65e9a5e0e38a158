// Recent doings of somebody, read from cards and requests.
import type { Card } from '../../alert/cards.ts'
import { approvedBy, type Request, type Send } from '../../send/request.ts'
import { asAddUser } from '../../send/writes.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { docsOf } from '../docs.ts'
import type { requestsIn } from './requests.ts'

/** Containers are read from no more than so many cards, and what somebody asked for from so many requests. */
const mostCards = 30
const mostRequests = 60

export function recentIn(
  cards: Pick<ReturnType<typeof docsOf<Card>>, 'list'>,
  requests: Pick<ReturnType<typeof requestsIn>, 'list'>,
) {
  return {
    /** The cards of the last look-ups, newest first; those that were asked for twice are there twice. */
    lookUpsOf: cardsOf,

    /** Containers of the last grants that were sent, newest first, each once; those that there are not are left out. */
    async containersOf(owner: SlackUser, most: number): Promise<readonly number[]> {
      const ofGrants = (await sentBy(owner)).flatMap(({ sends }) =>
        sends.filter(({ outcome }) => !isNowhere(outcome)).map(({ write }) => asAddUser(write).containerId),
      )
      const looked = await cardsOf(owner, mostCards)
      const ofCards = looked.flatMap(({ names }) => names?.container?.id ?? [])
      return [...new Set([...ofCards, ...ofGrants])].slice(0, most)
    },
  }

  /** Requests for access that somebody has asked for or approved, and that were sent, newest first. */
  async function sentBy({ workspaceId, userId }: SlackUser): Promise<readonly Request[]> {
    const [own, approved] = await Promise.all([
      requests.list({ workspaceId, ownerId: userId, newest: mostRequests }),
      requests.list({ workspaceId, ref: approvedBy(userId), newest: mostRequests }),
    ])
    return [...own, ...approved]
      .filter(({ attempt, sends }) => attempt > 0 && sends.every(({ write }) => write.kind === 'add-user'))
      .toSorted((one, other) => other.askedAt - one.askedAt)
  }

  /** Cards that somebody asked for, newest first. */
  function cardsOf({ workspaceId, userId }: SlackUser, most: number) {
    return cards.list({ workspaceId, ownerId: userId, newest: most })
  }
}

function isNowhere(outcome: Send['outcome']): boolean {
  return outcome?.kind === 'not-done' && outcome.code === 'not-found'
}
