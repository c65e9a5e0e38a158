// Grants the same access to several people: one POST each at most, a few at a time, and what became of every one.
// Tells nobody. It must not know Slack.
import type { SlackUser } from '../slack/ids.ts'
import type { GrantAccess } from './grant-access.ts'
import { type Grants, lapsed, type NewGrant } from './grants.ts'
import type { OutcomeOf } from './outcome-of.ts'
import { grantsOf, type Told, type Wish } from './wishes.ts'

const atOnce = 4

/** What became of one person. */
type Became = Omit<Told, 'email'>

/**
 * Sends a wish with somebody's token, and waits for the end of it. A repeated call joins: whoever was asked for once
 * is not asked for again, and the same outcomes come back. Nobody is told, now or later: that is the caller's.
 *
 * The first person goes alone, then four at a time, in the order of the wish. What refuses the token (401), the right
 * to add people (403) or the container (404) would refuse everybody after it as well, so it ends the sending; any
 * other answer is about one person or one moment, and the others are sent all the same.
 *
 * @param id - The intent's, of this sender alone: whoever sends the same wish with another token takes another.
 * @param how.channelId - Kept with each grant.
 * @param how.joins - As for `GrantAccess`; true when not given.
 * @param how.askerId - Who has asked for it, in Slack, when the sender makes it for another.
 * @returns One for each person, in the order of the wish. `not-sent` is final: nobody will send it under this id.
 */
export type MakeWish = (
  sender: SlackUser,
  token: string,
  id: string,
  wish: Wish,
  how?: { readonly channelId?: string | undefined; readonly joins?: boolean; readonly askerId?: string },
) => Promise<readonly Told[]>

/** @param room.stopping - Once it is aborted, nothing more begins. */
export function createMakeWish(room: {
  readonly grants: Grants
  readonly grantAccess: GrantAccess
  readonly outcomeOf: OutcomeOf
  readonly stopping: AbortSignal
}): MakeWish {
  const { grants, grantAccess, outcomeOf, stopping } = room

  async function sendOne(
    token: string,
    { asker, id }: NewGrant,
    how: { readonly joins: boolean; readonly askerId: string | undefined },
  ): Promise<Became> {
    const granted = await grantAccess(asker, token, id, {
      ...{ ...how, askedAfter: 0, isToldElsewhere: true },
      onSending: async () => {},
    })
    switch (granted.kind) {
      case 'settled': {
        const { outcome, wasDoubted } = granted
        return wasDoubted ? { outcome, wasDoubted } : { outcome }
      }
      case 'repeated':
        // Forgotten meanwhile, with its whole workspace: it was sent, and nobody knows more.
        return { outcome: (await outcomeOf(granted.grant)) ?? lapsed }
      case 'gone':
        return { outcome: { kind: 'not-sent' } }
      default:
        return granted satisfies never
    }
  }

  /** Sends until all are sent, or something ends it. What fails here fails when everything under way is done. */
  async function sendAll(people: readonly NewGrant[], send: (grant: NewGrant) => Promise<Became>) {
    const outcomes = new Map<NewGrant, Became>()
    const left = people.values()
    let isOver = false

    async function sendNext(): Promise<boolean> {
      const next = isOver || stopping.aborted ? undefined : left.next().value
      if (next === undefined) return false
      try {
        const became = await send(next)
        outcomes.set(next, became)
        isOver ||= endsAll(became)
      } catch (error) {
        isOver = true
        throw error
      }
      return true
    }
    async function sendOn(): Promise<void> {
      while (await sendNext()) {
        // One after the other.
      }
    }

    await sendNext()
    const lines = await Promise.allSettled(Array.from({ length: atOnce }, sendOn))
    for (const line of lines) if (line.status === 'rejected') throw line.reason
    return outcomes
  }

  return async (sender, token, id, wish, { channelId, joins = true, askerId } = {}) => {
    const people = grantsOf(id, wish, { asker: sender, channelId })
    await grants.askAll(people)
    const send = (grant: NewGrant) => sendOne(token, grant, { joins, askerId })
    const outcomes = await sendAll(people, send)

    // Given up before it is said that nothing was sent; after that, sending is no more than a look.
    const left = people.filter((grant) => !outcomes.has(grant))
    await grants.cancelAll(
      sender,
      left.map((grant) => grant.id),
    )
    const told: Told[] = []
    for (const grant of people) {
      told.push({ email: grant.request.email, ...(outcomes.get(grant) ?? (await send(grant))) })
    }
    return told
  }
}

function endsAll({ outcome }: Became): boolean {
  return outcome.kind === 'not-granted' && ['refused', 'forbidden', 'not-found'].includes(outcome.code)
}
