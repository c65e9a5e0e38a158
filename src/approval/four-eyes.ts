// People who may not approve a request: whoever asked, and whoever gets the access, by Slack account, address and token.
import { hashOf, type TokenHash } from '../account/tokens.ts'
import { UserError } from '../errors.ts'
import type { Wish } from '../grant/wish.ts'
import type { House } from '../house.ts'
import { SlackError, wordOf } from '../slack/client/slack-error.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Approval, Barred } from './approvals.ts'
import { type Involved, sameToken, whyNot } from './render/told.ts'

/** People whom Slack is asked for at once. */
const atOnce = 4

/** `four-eyes`: they asked for it, or get it. `unknown-approver`: nobody can tell whether they do. */
export type WhyBarred = 'four-eyes' | 'unknown-approver'

export interface Barrier {
  readonly why: WhyBarred
  /** Told to whoever pressed, raw. */
  readonly words: string
}

const involved = (words: string): Barrier => ({ why: 'four-eyes', words })
const cannotTell = (words: string): Barrier => ({ why: 'unknown-approver', words })

/**
 * Says what is known of the asker and the recipients when it is asked.
 * @throws UserError when Slack does not say who the recipients are: they could approve it themselves.
 */
export async function barredFor(house: House, asker: SlackUser, { emails }: Wish): Promise<Barred> {
  const recipientIds = await idsOf(house, emails)
  return {
    asker: await house.tokens.hashOf(asker),
    recipientIds,
    recipients: await hashesOf(house, asker, recipientIds),
  }
}

async function idsOf({ slack }: House, typed: readonly string[]): Promise<readonly string[]> {
  const { idOf } = slack.people
  const emails = [...new Set(typed.flatMap((email) => [email.toLowerCase(), foldAddress(email)]))]
  const ids: (string | undefined)[] = []
  try {
    for (let from = 0; from < emails.length; from += atOnce) {
      ids.push(...(await Promise.all(emails.slice(from, from + atOnce).map(idOf))))
    }
  } catch (error) {
    if (wordOf(error) === 'missing_scope') throw new UserError(whyNot.noAddresses)
    if (error instanceof SlackError) throw new UserError(whyNot.noRecipients)
    throw error
  }
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** Tells what stands in the way of this person; undefined when they may approve it. */
export async function barrierForPerson(
  house: House,
  approver: SlackUser,
  { asker, wish, barred }: Approval,
): Promise<Barrier | undefined> {
  if (approver.userId === asker.userId) return involved(whyNot.ownRequest)
  if (barred.recipientIds.includes(approver.userId)) return involved(whyNot.forYou)
  // One person may have two accounts in Slack, and only one of the two has asked.
  try {
    const [own, askers] = await Promise.all([approver, asker].map((person) => addressOf(house, person)))
    if (own === undefined) return cannotTell(whyNot.noAddress)
    if (own === askers) return involved(whyNot.ownRequest)
    return wish.emails.some((email) => foldAddress(email) === own) ? involved(whyNot.forYou) : undefined
  } catch (error) {
    if (error instanceof SlackError) return cannotTell(whyNot.noProfile)
    throw error
  }
}

/** Undefined where Slack shows none, as of somebody who has left. Throws what Slack's client throws. */
async function addressOf({ slack }: House, { userId }: SlackUser): Promise<string | undefined> {
  try {
    const { email } = await slack.people.profileOf(userId)
    return email && foldAddress(email)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Tells the same as `barrierForPerson`, for the very token that would be used. */
export async function barrierForToken(
  house: House,
  token: string,
  { asker, barred }: Approval,
): Promise<Barrier | undefined> {
  const own = hashOf(token)
  const isOf = (other: Involved, hashes: readonly (TokenHash | undefined)[]) =>
    hashes.includes(own) ? involved(sameToken(other)) : undefined
  return (
    isOf('requester', [barred.asker, await house.tokens.hashOf(asker)]) ??
    isOf('recipient', [...barred.recipients, ...(await hashesOf(house, asker, barred.recipientIds))])
  )
}

async function hashesOf(
  { tokens }: House,
  { workspaceId }: SlackUser,
  userIds: readonly string[],
): Promise<readonly TokenHash[]> {
  const found = await Promise.all(userIds.map((userId) => tokens.hashOf({ workspaceId, userId })))
  return found.filter((one) => one !== undefined)
}

/**
 * One text for `Dave@example.com` and `dave+x@example.com`. For who may approve, never for what is sent. Where a server
 * does tell the two apart, two people look like one: then another colleague has to approve.
 */
function foldAddress(address: string): string {
  // A tag that stands alone is a name.
  return address.toLowerCase().replace(/(?<=.)\+.*(?=@)/, '')
}
