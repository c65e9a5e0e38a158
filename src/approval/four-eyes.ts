// Four eyes: whoever has asked for access, or gets it, may not approve it. They are known by their Slack account, address,
// token, and number at the service.
import { hashOf } from '../account/vault.ts'
import { UserError } from '../errors.ts'
import { type Access, accessOf } from '../grant/access.ts'
import type { House } from '../house.ts'
import { ownIdOf } from '../names/own-id.ts'
import type { Approval, Barred, Request } from '../send/request.ts'
import { wordOf } from '../slack/client.ts'
import type { SlackUser } from '../slack/person.ts'
import { whyNot } from './render.ts'

/**
 * Finds the people who may not approve a request for this access.
 * @throws UserError or SlackError when Slack doesn’t say who the recipients are: they could then approve it themselves.
 */
export async function barredFor(
  house: House,
  asker: SlackUser,
  { people }: Access,
): Promise<Barred> {
  const emails = new Set(people.flatMap(({ email }) => [email.toLowerCase(), foldAddress(email)]))
  const finding = Promise.all(Array.from(emails, house.slack.people.idOf))
  const ids = await finding.catch((error: unknown) => {
    throw wordOf(error) === 'missing_scope' ? new UserError(whyNot.noAddress) : error
  })

  const named = people.map(({ slackId }) => slackId)
  const recipientIds = [...new Set([...named, ...ids].filter((id) => id !== undefined))]
  return {
    asker: await house.tokens.hashOf(asker),
    recipientIds,
    recipients: await hashesOf(house, asker, recipientIds),
  }
}

/**
 * Reads who the presser, the asker and the recipients are.
 * @param token - The presser’s token, the very one that *Approve* would use.
 * @returns A pure function that says why the presser may not approve a request; undefined if they may. It is called again
 * on the very request that is sent.
 */
export async function barriersFor(
  house: House,
  { userId, workspaceId }: SlackUser,
  token: string | undefined,
  { askerId, approval: { barred } }: Approval,
): Promise<(request: Request) => string | undefined> {
  const asker = { workspaceId, userId: askerId }
  // Addresses count too: one person may have two accounts in Slack, and have asked with the other.
  const [address, askersAddress] = await Promise.all(
    [userId, askerId].map((one) => addressOf(house, one)),
  )
  const askers = [barred.asker, await house.tokens.hashOf(asker)]
  const recipients = [...barred.recipients, ...(await hashesOf(house, asker, barred.recipientIds))]
  const own = token === undefined ? undefined : hashOf(token)
  const ownId = await ownIdOf(house, { workspaceId, userId })

  return (request) => {
    if (userId === request.askerId) return whyNot.ownRequest
    if (barred.recipientIds.includes(userId)) return whyNot.forYou
    if (address === undefined) return whyNot.noAddress
    if (address === askersAddress) return whyNot.ownRequest

    const isTheirs = accessOf(request).people.some(
      ({ email, there }) =>
        foldAddress(email) === address || (there !== undefined && there.userId === ownId),
    )
    if (isTheirs) return whyNot.forYou

    const isShared = own !== undefined && [...askers, ...recipients].includes(own)
    return isShared ? whyNot.sameToken : undefined
  }
}

/**
 * Somebody’s address, folded to be compared; undefined if Slack shows none, as of somebody who has left.
 * @throws SlackError
 */
async function addressOf({ slack }: House, userId: string): Promise<string | undefined> {
  try {
    const { email } = await slack.people.profileOf(userId)
    return email && foldAddress(email)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

async function hashesOf({ tokens }: House, { workspaceId }: SlackUser, userIds: readonly string[]) {
  const found = await Promise.all(userIds.map((userId) => tokens.hashOf({ workspaceId, userId })))
  return found.filter((one) => one !== undefined)
}

/**
 * One text for `Dave@example.com`, `dave+x@example.com` and full-width letters: to compare people, never to send. If a
 * mail server does tell two such addresses apart, two people look like one, and another colleague has to approve.
 */
function foldAddress(address: string): string {
  // A `+` at the start begins a name, not a tag.
  return address
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=.)\+.*(?=@)/, '')
}
