// Four eyes: neither who asked for access nor who gets it may approve it, by Slack account, address and token.
import { hashOf, type TokenHash } from '../account/tokens.ts'
import { UserError } from '../errors.ts'
import { type Access, accessOf } from '../grant/access.ts'
import type { House } from '../house.ts'
import type { Barred } from '../send/request.ts'
import { SlackError, wordOf } from '../slack/client/slack-error.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Approval } from './approvals.ts'
import { sameToken, whyNot } from './render/messages.ts'

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
export async function barredFor(house: House, asker: SlackUser, { emails }: Access): Promise<Barred> {
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

/** What is known, as somebody presses *Approve*, of them, of who asked, and of whoever gets the access. */
export interface Presser {
  readonly userId: string
  /** One person may have two accounts in Slack, and only one of the two has asked. Undefined where Slack fails. */
  readonly addresses: { readonly own: string | undefined; readonly askers: string | undefined } | undefined
  /** Of the very token that would be used; undefined without one. */
  readonly token: TokenHash | undefined
  readonly askersToken: TokenHash | undefined
  readonly recipientsTokens: readonly TokenHash[]
}

export async function presserOf(
  house: House,
  { userId, workspaceId }: SlackUser,
  token: string | undefined,
  { askerId, approval: { barred } }: Approval,
): Promise<Presser> {
  const asker = { workspaceId, userId: askerId }
  return {
    userId,
    addresses: await addressesOf(house, { workspaceId, userId }, asker),
    token: token === undefined ? undefined : hashOf(token),
    askersToken: await house.tokens.hashOf(asker),
    recipientsTokens: await hashesOf(house, asker, barred.recipientIds),
  }
}

/** Tells what stands in the way of this person; undefined when they may approve it. Pure: it decides as it is sent. */
export function barrierTo(
  { userId, addresses, token, askersToken, recipientsTokens }: Presser,
  request: Approval,
): Barrier | undefined {
  const { barred } = request.approval
  if (userId === request.askerId) return involved(whyNot.ownRequest)
  if (barred.recipientIds.includes(userId)) return involved(whyNot.forYou)
  if (addresses === undefined) return cannotTell(whyNot.noProfile)
  const { own, askers } = addresses
  if (own === undefined) return cannotTell(whyNot.noAddress)
  if (own === askers) return involved(whyNot.ownRequest)
  if (accessOf(request).emails.some((email) => foldAddress(email) === own)) return involved(whyNot.forYou)
  if (token === undefined) return undefined
  if (token === barred.asker || token === askersToken) return involved(sameToken('requester'))
  const isRecipients = [...barred.recipients, ...recipientsTokens].includes(token)
  return isRecipients ? involved(sameToken('recipient')) : undefined
}

async function addressesOf(house: House, person: SlackUser, asker: SlackUser): Promise<Presser['addresses']> {
  try {
    const [own, askers] = await Promise.all([person, asker].map((one) => addressOf(house, one)))
    return { own, askers }
  } catch (error) {
    if (error instanceof SlackError) return undefined
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
