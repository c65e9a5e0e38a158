// Who may not approve a request: who asked, and who gets the access, by Slack account, by address and by token.
import type { Fingerprint, Fingerprints } from '../account/fingerprint.ts'
import type { Tokens } from '../account/tokens.ts'
import { UserError } from '../errors.ts'
import type { Wish } from '../grant/wishes.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/people.ts'
import { isSlackFailure } from '../slack/refusals.ts'
import type { Approval, Barred } from './approvals.ts'
import { cannotCompare, refusals, sameToken } from './render-refusals.ts'

export interface FourEyes {
  /** What is known of the asker and the recipients when it is asked. */
  barredFor(asker: SlackUser, wish: Wish): Promise<Barred>
  /** @throws UserError when this person may not approve it, or when that cannot be told. */
  checkPerson(approver: SlackUser, approval: Approval): Promise<void>
  /** @throws UserError as `checkPerson`, for the very token that would be used. */
  checkToken(token: string, approval: Approval): Promise<void>
}

export function createFourEyes(room: {
  readonly tokens: Pick<Tokens, 'fingerprintOf'>
  readonly fingerprints: Fingerprints
  readonly people: People
}): FourEyes {
  const { tokens, fingerprints, people } = room

  async function addressOf(approver: SlackUser): Promise<string> {
    try {
      return (await people.profileOf(approver.userId)).email.toLowerCase()
    } catch (error) {
      if (error instanceof UserError) throw new UserError(refusals.noAddress)
      if (isSlackFailure(error)) throw new UserError(refusals.noProfile)
      throw error
    }
  }

  async function present(people: readonly SlackUser[]): Promise<readonly Fingerprint[]> {
    const found = await Promise.all(people.map((person) => tokens.fingerprintOf(person)))
    return found.filter((one) => one !== undefined)
  }

  function refuseSame(
    token: string,
    others: readonly Fingerprint[],
    whose: Parameters<typeof sameToken>[0],
  ): void {
    const compared = others.map((one) => fingerprints.compare(token, one))
    if (compared.includes('same')) throw new UserError(sameToken(whose))
    if (compared.includes('unknown')) throw new UserError(cannotCompare(whose))
  }

  return {
    async barredFor(asker, { emails }) {
      const recipientIds: string[] = []
      for (const email of emails) {
        const id = await people.idOf(email)
        if (id !== undefined) recipientIds.push(id)
      }
      const recipients = recipientIds.map((userId) => ({ ...asker, userId }))
      return {
        asker: await tokens.fingerprintOf(asker),
        recipientIds,
        recipients: await present(recipients),
      }
    },
    async checkPerson(approver, { asker, wish, barred }) {
      if (approver.userId === asker.userId) {
        throw new UserError(refusals.ownRequest)
      }
      if (barred.recipientIds.includes(approver.userId)) throw new UserError(refusals.forYou)
      const address = await addressOf(approver)
      if (wish.emails.some((email) => email.toLowerCase() === address)) throw new UserError(refusals.forYou)
    },
    async checkToken(token, { asker, barred }) {
      const frozen = barred.asker === undefined ? [] : [barred.asker]
      refuseSame(token, [...frozen, ...(await present([asker]))], 'who asked')
      const recipients = barred.recipientIds.map((userId) => ({ ...asker, userId }))
      refuseSame(token, [...barred.recipients, ...(await present(recipients))], 'who gets the access')
    },
  }
}
