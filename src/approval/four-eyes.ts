// Who may not approve a request: who asked, and who gets the access, by Slack account, by address, and by every token
// that they have, or had while this request could name it.
import type { Fingerprint, Fingerprints } from '../account/fingerprint.ts'
import type { Tokens } from '../account/tokens.ts'
import { UserError } from '../errors.ts'
import type { Wish } from '../grant/wish.ts'
import { isSlackFailure, refusalOf } from '../slack/client/refusals.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Approval, Barred } from './approvals.ts'
import { mailboxOf } from './mailbox.ts'
import { cannotCompare, cannotComparePast, refusals, sameToken } from './render/refusals.ts'

/** How many people Slack is asked for at once. */
const atOnce = 4

export interface FourEyes {
  /**
   * What is known of the asker and the recipients when it is asked.
   * @throws UserError when Slack does not say who the recipients are: they could approve it themselves.
   */
  barredFor(asker: SlackUser, wish: Wish): Promise<Barred>
  /** Undefined when this person may approve it. */
  checkPerson(approver: SlackUser, approval: Approval): Promise<Barrier | undefined>
  /** As `checkPerson`, for the very token that would be used. */
  checkToken(token: string, approval: Approval): Promise<Barrier | undefined>
}

/** `four-eyes`: they have asked for it, or get it. `unknown-approver`: whether they do cannot be told. */
export type NotLetThrough = 'four-eyes' | 'unknown-approver'

export interface Barrier {
  readonly why: NotLetThrough
  /** What they are told, raw. */
  readonly words: string
}

const known = (words: string): Barrier => ({ why: 'four-eyes', words })
const unknown = (words: string): Barrier => ({ why: 'unknown-approver', words })

export function createFourEyes(room: {
  readonly tokens: Pick<Tokens, 'fingerprintOf' | 'compareWithPast'>
  readonly fingerprints: Fingerprints
  readonly people: PerWorkspace<People>
  /** How long a request stays open. */
  readonly ttlHours: number
}): FourEyes {
  const { tokens, fingerprints, people, ttlHours } = room

  /** Undefined where Slack shows none, as of somebody who has left. Throws what Slack's client throws. */
  async function mailboxIn({ workspaceId, userId }: SlackUser): Promise<string | undefined> {
    try {
      return mailboxOf((await people.in(workspaceId).profileOf(userId)).email)
    } catch (error) {
      if (error instanceof UserError) return undefined
      throw error
    }
  }

  /** One person may have two accounts in Slack, and only one of them has asked. */
  async function byAddress(approver: SlackUser, { asker, wish }: Approval): Promise<Barrier | undefined> {
    try {
      const [own, askers] = await Promise.all([approver, asker].map(mailboxIn))
      if (own === undefined) return unknown(refusals.noAddress)
      if (own === askers) return known(refusals.ownRequest)
      return wish.emails.some((email) => mailboxOf(email) === own) ? known(refusals.forYou) : undefined
    } catch (error) {
      if (isSlackFailure(error)) return unknown(refusals.noProfile)
      throw error
    }
  }

  /** Slack knows an address as it is written; the plain one of the same mailbox is looked up too, where it differs. */
  async function idsOf(workspaceId: string, typed: readonly string[]): Promise<readonly string[]> {
    const { idOf } = people.in(workspaceId)
    const emails = [...new Set(typed.flatMap((email) => [email.toLowerCase(), mailboxOf(email)]))]
    const ids: (string | undefined)[] = []
    try {
      for (let from = 0; from < emails.length; from += atOnce) {
        ids.push(...(await Promise.all(emails.slice(from, from + atOnce).map(idOf))))
      }
    } catch (error) {
      if (refusalOf(error) === 'missing_scope') throw new UserError(refusals.noAddresses)
      if (isSlackFailure(error)) throw new UserError(refusals.noRecipients)
      throw error
    }
    return [...new Set(ids.filter((id) => id !== undefined))]
  }

  async function present(people: readonly SlackUser[]): Promise<readonly Fingerprint[]> {
    const found = await Promise.all(people.map((person) => tokens.fingerprintOf(person)))
    return found.filter((one) => one !== undefined)
  }

  /** @param frozen - What was known of their tokens when it was asked. */
  async function barrierOf(
    token: string,
    others: readonly SlackUser[],
    frozen: readonly Fingerprint[],
    whose: Parameters<typeof sameToken>[0],
  ): Promise<Barrier | undefined> {
    // What they have is read first: should they give it up in between, it is in the past.
    const now = await present(others)
    const past = await tokens.compareWithPast(token, others)
    const compared = [...frozen, ...now].map((one) => fingerprints.compare(token, one))
    if (past === 'same' || compared.includes('same')) return known(sameToken(whose))
    if (compared.includes('unknown')) return unknown(cannotCompare(whose))
    return past === 'unknown' ? unknown(cannotComparePast(whose, 2 * ttlHours)) : undefined
  }

  return {
    async barredFor(asker, { emails }) {
      const recipientIds = await idsOf(asker.workspaceId, emails)
      const recipients = recipientIds.map((userId) => ({ ...asker, userId }))
      return {
        asker: await tokens.fingerprintOf(asker),
        recipientIds,
        recipients: await present(recipients),
      }
    },
    async checkPerson(approver, approval) {
      if (approver.userId === approval.asker.userId) return known(refusals.ownRequest)
      if (approval.barred.recipientIds.includes(approver.userId)) return known(refusals.forYou)
      return byAddress(approver, approval)
    },
    async checkToken(token, { asker, barred }) {
      const frozen = barred.asker === undefined ? [] : [barred.asker]
      const recipients = barred.recipientIds.map((userId) => ({ ...asker, userId }))
      return (
        (await barrierOf(token, [asker], frozen, 'who asked')) ??
        (await barrierOf(token, recipients, barred.recipients, 'who gets the access'))
      )
    },
  }
}
