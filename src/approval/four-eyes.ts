// People who may not approve a request: who asked, and who gets the access, by Slack account, by address, as users of the
// service, and by every token that they have, or had while this request could name it.
import { domainToASCII } from 'node:url'
import type { Fingerprint } from '../account/vault.ts'
import { UserError } from '../errors.ts'
import type { Wish } from '../grant/wish.ts'
import { classify } from '../slack/client/refusals.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Approval, Barred, BarredUser } from './approvals.ts'
import { cannotCompare, cannotComparePast, sameToken, sameUser, whyNot } from './render/told.ts'
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
    users: await usersInvolved(room, asker, recipients, emails),
  }
}

/**
 * Users of the service who ask, or get the access: as they have proven it, and by addresses that the asker's own token
 * has shown. With them whoever else in Slack has proven to be one of them: they may be linked to nobody, or to another,
 * by the time that they approve.
 */
async function usersInvolved(
  room: ApprovalRoom,
  asker: SlackUser,
  recipients: readonly SlackUser[],
  emails: readonly string[],
): Promise<readonly BarredUser[]> {
  const { idOf, personOf, shownTo } = room.provenUsers
  const found: Pick<BarredUser, 'part' | 'userId'>[] = []
  const add = (part: BarredUser['part'], userId: number | undefined) => {
    const isNew = !found.some((one) => one.part === part && one.userId === userId)
    if (userId !== undefined && isNew) found.push({ part, userId })
  }
  add('requester', await idOf(asker))
  for (const person of recipients) add('recipient', await idOf(person))
  const shown = shownTo(asker)
  if (shown.length > 0) {
    // Of thousands of people, each is compared as cheaply as can be: whoever presses is looked at more closely.
    const own = new Set(spellings(await addressOfAsker(room, asker)))
    const theirs = new Set(emails.flatMap(spellings))
    for (const { userId, email } of shown) {
      const address = email.toLowerCase()
      if (own.has(address)) add('requester', userId)
      if (theirs.has(address)) add('recipient', userId)
    }
  }
  return Promise.all(
    found.map(async (one) => ({
      ...one,
      personId: (await personOf(asker.workspaceId, one.userId))?.userId,
    })),
  )
}

/** Where Slack does not say it at the moment, nobody can approve either before it has. */
async function addressOfAsker(room: ApprovalRoom, asker: SlackUser): Promise<string | undefined> {
  try {
    return await addressIn(room, asker)
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    return undefined
  }
}

/** An address as Slack and the service may know it: as it is written, and the plain one of the same mailbox. */
function spellings(email: string | undefined): readonly string[] {
  return email === undefined ? [] : [email.toLowerCase(), mailboxOf(email)]
}

async function idsOf(
  { people }: ApprovalRoom,
  workspaceId: string,
  typed: readonly string[],
): Promise<readonly string[]> {
  const { idOf } = people.in(workspaceId)
  const emails = [...new Set(typed.flatMap(spellings))]
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

/** One person may have two accounts in Slack, or act as another at the service, and only one of the two has asked. */
async function barrierByAddress(
  room: ApprovalRoom,
  approver: SlackUser,
  approval: Approval,
): Promise<Barrier | undefined> {
  try {
    const { asker, wish } = approval
    const [own, askers] = await Promise.all([approver, asker].map((person) => mailboxIn(room, person)))
    if (own === undefined) return cannotTell(whyNot.noAddress)
    const part = partOf(own, askers, wish)
    if (part !== undefined) return involved(part === 'requester' ? whyNot.ownRequest : whyNot.forYou)
    const actsAs = await userOf(room, approver)
    const same = actsAs(approval, askers)
    return same && involved(sameUser(same.part, same.when))
  } catch (error) {
    if (classify(error).kind !== 'defect') return cannotTell(whyNot.noProfile)
    throw error
  }
}

/**
 * Says which part somebody has in a request as a user of the service: the same user asked, or gets the access. Undefined
 * where they have none.
 * @param askers - The asker's mailbox; undefined where nobody knows it.
 * @returns `now`: they are that user. `then`: they were, when it was asked.
 */
export type ActsAs = (
  approval: Approval,
  askers: string | undefined,
) => { readonly part: BarredUser['part']; readonly when: 'now' | 'then' } | undefined

/**
 * Finds out once who this person is at the service, as far as they have proven it, also with a token that they gave up
 * since; then it can be asked about many requests.
 */
export async function userOf(
  { provenUsers: { idOf, shownTo } }: Pick<ApprovalRoom, 'provenUsers'>,
  person: SlackUser,
): Promise<ActsAs> {
  const own = await idOf(person)
  return ({ asker, wish, barred }, askers) => {
    const known = barred.users.find(({ userId }) => userId === own)
    if (known !== undefined) return { part: known.part, when: 'now' }
    // Nobody else can prove to be a user whom somebody has proven to be, so that only addresses can have come up since.
    const shown = own === undefined ? [] : [person, asker].flatMap(shownTo)
    for (const { userId, email } of shown) {
      const part = userId === own ? partOf(mailboxOf(email), askers, wish) : undefined
      if (part !== undefined) return { part, when: 'now' }
    }
    const then = barred.users.find(({ personId }) => personId === person.userId)
    return then && { part: then.part, when: 'then' }
  }
}

/** The part that whoever reads this mailbox has in a request. @param askers - Undefined where nobody knows it. */
export function partOf(
  mailbox: string,
  askers: string | undefined,
  { emails }: Pick<Wish, 'emails'>,
): BarredUser['part'] | undefined {
  if (mailbox === askers) return 'requester'
  return emails.some((email) => mailboxOf(email) === mailbox) ? 'recipient' : undefined
}

/**
 * Looks up somebody's mailbox; undefined where Slack shows none, as of somebody who has left.
 * Throws what Slack's client throws.
 */
export async function mailboxIn(room: Profiles, person: SlackUser): Promise<string | undefined> {
  const address = await addressIn(room, person)
  return address && mailboxOf(address)
}

interface Profiles {
  readonly people: PerWorkspace<Pick<People, 'profileOf'>>
}

async function addressIn(
  { people }: Profiles,
  { workspaceId, userId }: SlackUser,
): Promise<string | undefined> {
  try {
    return (await people.in(workspaceId).profileOf(userId)).email
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
