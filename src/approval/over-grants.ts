// Wishes made of grants: one row a person, under ids that follow from the wish's.
import type { GrantAccess } from '../grant/grant-access.ts'
import type { Grant, GrantOutcome, Grants } from '../grant/grants.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { KeptWishes, Wish, Wishes, WishOutcome } from './wishes.ts'

const pauseMs = 200

export function wishesOverGrants(room: {
  readonly grants: Grants
  readonly grantAccess: GrantAccess
  readonly wait: (ms: number) => Promise<void>
}): Wishes {
  const { grants, grantAccess, wait } = room

  function rowsOf(id: string, { emails, ...rest }: Wish) {
    return emails.map((email, index) => ({
      id: emails.length === 1 ? id : `${id}.${index + 1}`,
      request: { ...rest, email },
    }))
  }

  /** Of one that another call sends, or has sent. */
  async function awaited(workspaceId: string, id: string): Promise<GrantOutcome | undefined> {
    let grant = await grants.find(workspaceId, id)
    while (grant?.state === 'sending') {
      await wait(pauseMs)
      await grants.lapse()
      grant = await grants.find(workspaceId, id)
    }
    return grant?.outcome
  }

  return {
    async make(sender, token, id, wish) {
      const { workspaceId } = sender
      const rows = rowsOf(id, wish)
      for (const row of rows) {
        await grants.ask({ ...row, asker: sender, channelId: undefined }, { isToldElsewhere: true })
      }
      const outcomes: WishOutcome[] = []
      let isRefused = false
      for (const { id: rowId, request } of rows) {
        // A refused token is refused for everybody: the rest is not even tried, now or later.
        if (isRefused && (await grants.cancel(sender, rowId))) {
          outcomes.push({ email: request.email, outcome: { kind: 'not-sent' } })
          continue
        }
        const granted = await grantAccess(sender, token, rowId, { askedAfter: 0, onSending: async () => {} })
        const outcome = granted.kind === 'settled' ? granted.outcome : await awaited(workspaceId, rowId)
        isRefused ||= outcome?.kind === 'not-granted' && outcome.code === 'refused'
        outcomes.push({ email: request.email, outcome: outcome ?? { kind: 'not-sent' } })
      }
      return outcomes
    },
    async outcomesOf(sender, id, wish) {
      const outcomes: WishOutcome[] = []
      for (const { id: rowId, request } of rowsOf(id, wish)) {
        const outcome = (await grants.cancel(sender, rowId))
          ? undefined
          : await awaited(sender.workspaceId, rowId)
        outcomes.push({ email: request.email, outcome: outcome ?? { kind: 'not-sent' } })
      }
      return outcomes
    },
  }
}

function isForbidden({ outcome }: Grant): boolean {
  return outcome?.kind === 'not-granted' && outcome.code === 'forbidden'
}

export function keptWishesOverGrants(grants: Grants): KeptWishes {
  async function ownAskable(asker: SlackUser, id: string): Promise<Grant | undefined> {
    const grant = await grants.find(asker.workspaceId, id)
    if (grant?.asker.userId !== asker.userId) return undefined
    return grant.state === 'asked' || grant.state === 'cancelled' || isForbidden(grant) ? grant : undefined
  }

  return {
    async find(asker, id) {
      const grant = await ownAskable(asker, id)
      if (grant === undefined) return undefined
      const { email, ...rest } = grant.request
      return { wish: { ...rest, emails: [email] }, channelId: grant.channelId }
    },
    async giveUp(asker, id) {
      await grants.cancel(asker, id)
      const left = await ownAskable(asker, id)
      return left !== undefined && left.state !== 'asked'
    },
  }
}
