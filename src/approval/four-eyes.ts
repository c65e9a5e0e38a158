// People who may not approve a request: who asked, and who gets the access, by Slack account, by address, and by every
// token that they have, or had while this request could name it.
import { domainToASCII } from 'node:url'
import type { Fingerprint } from '../account/fingerprint.ts'
import { UserError } from '../errors.ts'
import type { Wish } from '../grant/wish.ts'
import { classify } from '../slack/client/refusals.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Approval, Barred } from './approvals.ts'
import { cannotCompare, cannotComparePast, sameToken, whyNot } from './render/refusals.ts'
import type { ApprovalRoom } from './room.ts'

/** People whom Slack is asked for at once. */
const atOnce = 4

/** `four-eyes`: they have asked for it, or get it. `unknown-approver`: nobody can tell whether they do. */
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
export async function barredFor(room: ApprovalRoom, asker: SlackUser, { emails }: Wish): Promise<Barred> {
  const recipientIds = await idsOf(room, asker.workspaceId, emails)
  const recipients = recipientIds.map((userId) => ({ ...asker, userId }))
  return {
    asker: await room.tokens.fingerprintOf(asker),
    recipientIds,
    recipients: await fingerprintsOf(room, recipients),
  }
}

/** Slack knows an address as it is written; the plain one of the same mailbox is looked up too, where it differs. */
async function idsOf(
  { people }: ApprovalRoom,
  workspaceId: string,
  typed: readonly string[],
): Promise<readonly string[]> {
  const { idOf } = people.in(workspaceId)
  const emails = [...new Set(typed.flatMap((email) => [email.toLowerCase(), mailboxOf(email)]))]
  const ids: (string | undefined)[] = []
  try {
    for (let from = 0; from < emails.length; from += atOnce) {
      ids.push(...(await Promise.all(emails.slice(from, from + atOnce).map(idOf))))
    }
  } catch (error) {
    if (classify(error).word === 'missing_scope') throw new UserError(whyNot.noAddresses)
    if (classify(error).kind !== 'defect') throw new UserError(whyNot.noRecipients)
    throw error
  }
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** Tells what stands in the way of this person; undefined when they may approve it. */
export async function barrierForPerson(
  room: ApprovalRoom,
  approver: SlackUser,
  approval: Approval,
): Promise<Barrier | undefined> {
  if (approver.userId === approval.asker.userId) return involved(whyNot.ownRequest)
  if (approval.barred.recipientIds.includes(approver.userId)) return involved(whyNot.forYou)
  return barrierByAddress(room, approver, approval)
}

/** One person may have two accounts in Slack, and only one of them has asked. */
async function barrierByAddress(
  room: ApprovalRoom,
  approver: SlackUser,
  { asker, wish }: Approval,
): Promise<Barrier | undefined> {
  try {
    const [own, askers] = await Promise.all([approver, asker].map((person) => mailboxIn(room, person)))
    if (own === undefined) return cannotTell(whyNot.noAddress)
    const part = partOf(own, askers, wish)
    return part && involved(part === 'asker' ? whyNot.ownRequest : whyNot.forYou)
  } catch (error) {
    if (classify(error).kind !== 'defect') return cannotTell(whyNot.noProfile)
    throw error
  }
}

/** The part that whoever reads this mailbox has in a request. @param askers - Undefined where nobody knows it. */
export function partOf(
  mailbox: string,
  askers: string | undefined,
  { emails }: Wish,
): 'asker' | 'recipient' | undefined {
  if (mailbox === askers) return 'asker'
  return emails.some((email) => mailboxOf(email) === mailbox) ? 'recipient' : undefined
}

/**
 * Looks up somebody's mailbox; undefined where Slack shows none, as of somebody who has left.
 * Throws what Slack's client throws.
 */
export async function mailboxIn(
  { people }: { readonly people: PerWorkspace<Pick<People, 'profileOf'>> },
  { workspaceId, userId }: SlackUser,
): Promise<string | undefined> {
  try {
    return mailboxOf((await people.in(workspaceId).profileOf(userId)).email)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Tells the same as `barrierForPerson`, for the very token that would be used. */
export async function barrierForToken(
  room: ApprovalRoom,
  token: string,
  { asker, barred }: Approval,
): Promise<Barrier | undefined> {
  const askers = barred.asker === undefined ? [] : [barred.asker]
  const recipients = barred.recipientIds.map((userId) => ({ ...asker, userId }))
  return (
    (await barrierByToken(room, token, [asker], askers, 'requester')) ??
    (await barrierByToken(room, token, recipients, barred.recipients, 'recipient'))
  )
}

/** @param frozen - Their tokens, as they were known when it was asked. */
async function barrierByToken(
  room: ApprovalRoom,
  token: string,
  others: readonly SlackUser[],
  frozen: readonly Fingerprint[],
  whose: Parameters<typeof sameToken>[0],
): Promise<Barrier | undefined> {
  // Present tokens are read first: one that is given up in between is in the past.
  const now = await fingerprintsOf(room, others)
  const past = await room.tokens.compareWithPast(token, others)
  const compared = [...frozen, ...now].map((one) => room.fingerprints.compare(token, one))
  if (past === 'same' || compared.includes('same')) return involved(sameToken(whose))
  if (compared.includes('unknown')) return cannotTell(cannotCompare(whose))
  // A request names what was given up one such time before it was asked, and stays open for another.
  const forgottenHours = 2 * room.settings.ttlHours
  return past === 'unknown' ? cannotTell(cannotComparePast(whose, forgottenHours)) : undefined
}

async function fingerprintsOf(
  { tokens }: ApprovalRoom,
  people: readonly SlackUser[],
): Promise<readonly Fingerprint[]> {
  const found = await Promise.all(people.map((person) => tokens.fingerprintOf(person)))
  return found.filter((one) => one !== undefined)
}

/** Gmail ignores dots in front of the @, and has two names. */
const gmail: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])
/** Signs that cannot be seen, and those that only quote. */
const ignored = /[\p{C}\p{Default_Ignorable_Code_Point}\s"\\]/gu

/**
 * One text for all addresses that reach one mailbox, to tell whether two addresses are one person’s. For who may
 * approve, never for what is sent. As most mail servers see it: capitals, wide letters, quotes, signs that cannot be
 * seen, a `+tag`, a last dot and the two ways to write a domain make no difference. Where a server does tell `dave+x`
 * from `dave`, two people look like one: then another colleague has to approve.
 */
export function mailboxOf(address: string): string {
  // Folding may write such a sign where none was, and one that goes may have kept a letter and its accent apart.
  const text = folded(folded(address.replaceAll(ignored, '')).replaceAll(ignored, ''))
  const at = text.lastIndexOf('@')
  if (at === -1) return text
  const domain = domainOf(text.slice(at + 1))
  const local = withoutTag(text.slice(0, at))
  return gmail.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC')
}

/** A tag that stands alone is a name. */
function withoutTag(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}

function domainOf(domain: string): string {
  const ascii = domainToASCII(domain) || domain
  let end = ascii.length
  while (ascii[end - 1] === '.') end -= 1
  return ascii.slice(0, end)
}
