// Who may not approve a request: who asked, and who gets the access, by Slack account, by address and by token.
import type { Fingerprint, Fingerprints } from '../account/fingerprint.ts'
import type { Tokens } from '../account/tokens.ts'
import { UserError } from '../errors.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/people.ts'
import { isSlackFailure } from '../slack/refusals.ts'
import type { Approval, Barred } from './approvals.ts'
import type { Wish } from './wishes.ts'

export interface FourEyes {
  /** What is known of the asker and the recipients when it is asked. */
  barredFor(asker: SlackUser, wish: Wish): Promise<Barred>
  /** @throws UserError when this person may not approve it, or when that cannot be told. */
  checkPerson(approver: SlackUser, approval: Approval): Promise<void>
  /** @throws UserError as `checkPerson`, for the very token that would be used. */
  checkToken(token: string, approval: Approval): Promise<void>
}

const forYou = 'This access is for you, so somebody else has to approve it.'
const noAddress =
  'Bellhop cannot see your address in Slack, so it cannot tell whether this access is for you, and you cannot approve it. Whoever runs Bellhop can give it the right users:read.email.'
const noProfile =
  'Slack does not say who you are just now, so you cannot approve this yet. Try again in a minute.'

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
      if (error instanceof UserError) throw new UserError(noAddress)
      if (isSlackFailure(error)) throw new UserError(noProfile)
      throw error
    }
  }

  async function present(people: readonly SlackUser[]): Promise<readonly Fingerprint[]> {
    const found = await Promise.all(people.map((person) => tokens.fingerprintOf(person)))
    return found.filter((one) => one !== undefined)
  }

  function refuseSame(token: string, others: readonly Fingerprint[], whose: string): void {
    const compared = others.map((one) => fingerprints.compare(token, one))
    if (compared.includes('same')) {
      throw new UserError(
        `Your token is also the token of ${whose}, so you cannot approve this with it. Connect an account of your own with /alert connect.`,
      )
    }
    if (compared.includes('unknown')) {
      throw new UserError(
        `Bellhop’s keys have changed since this was asked, so it cannot tell your token from the token of ${whose}. Have it withdrawn and asked again.`,
      )
    }
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
        throw new UserError('You asked for this yourself, so somebody else has to approve it.')
      }
      if (barred.recipientIds.includes(approver.userId)) throw new UserError(forYou)
      const address = await addressOf(approver)
      if (wish.emails.some((email) => email.toLowerCase() === address)) throw new UserError(forYou)
    },
    async checkToken(token, { asker, barred }) {
      const frozen = barred.asker === undefined ? [] : [barred.asker]
      refuseSame(token, [...frozen, ...(await present([asker]))], 'who asked')
      const recipients = barred.recipientIds.map((userId) => ({ ...asker, userId }))
      refuseSame(token, [...barred.recipients, ...(await present(recipients))], 'who gets the access')
    },
  }
}
