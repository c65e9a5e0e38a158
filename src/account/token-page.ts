// The token page without its HTML: the one-time links to it, the owner of each, the try of a token, and the result.
// Earlier links of the same person keep working until used or expired: one may be on a phone, one on a laptop.

import { randomBytes } from 'node:crypto'
import type { House } from '../house.ts'
import type { TokenTrial } from '../monitor/reads.ts'
import { unlessSlackFails } from '../slack/client.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import { minuteMs } from '../work/durations.ts'
import { inTime } from '../work/under-way.ts'
import { type ConnectOrigin, connectAccount, goOn } from './connect-first.ts'
import { checkToken, connectedModal, type Waits } from './render.ts'
import { hashOf, type SealBinding } from './vault.ts'

const lifeMs = 10 * minuteMs
const secretBytes = 32

/** Stored under a link's secret, and sealed for the link's owner. */
interface KeptLink {
  readonly asker: Person
  readonly workspace: string | undefined
  readonly origin: ConnectOrigin
  /** The modal that holds the link. */
  readonly viewId: string
  /** When the link stops working, in milliseconds since 1970. */
  readonly until: number
}

/** @returns The address of a new link, which works once `keepLink` has kept it. */
export function makeLink(publicUrl: string) {
  const secret = randomBytes(secretBytes).toString('base64url')
  return { url: new URL(`${publicUrl}/connect/${secret}`).href, secret }
}

export async function keepLink(
  { storage, vault, now }: House,
  secret: string,
  given: Omit<KeptLink, 'until'> & Partial<KeptLink>,
): Promise<void> {
  const link = { until: now() + lifeMs, ...given }
  const { workspaceId, userId } = link.asker
  const value = vault.seal(JSON.stringify(link), bound(link.asker))
  const forMs = link.until - now()
  await storage.connectLinks.put({ workspaceId, userId, key: hashOf(secret), value, forMs })
}

/** Looks at a link without using it up. Undefined if it no longer works, or no key opens it any more. */
async function findLink({ storage, vault }: House, secret: string): Promise<KeptLink | undefined> {
  const kept = await storage.connectLinks.find({ key: hashOf(secret) })
  const opened = kept && vault.open(kept.value, bound(kept))
  return opened === undefined ? undefined : JSON.parse(opened)
}

function bound({ workspaceId, userId }: SlackUser): SealBinding {
  return { purpose: 'connect-link', workspaceId, userId }
}

/** The page waits this long for Slack to say who somebody is. */
const nameWithinMs = 2_000

/** The Slack account that a page connects. All raw. `email`: verified by Slack; undefined if not said in time. */
export type LinkOwner = NonNullable<Awaited<ReturnType<typeof lookAtLink>>>

/**
 * Says whose a link is, without using it up; undefined when it doesn't work.
 * Anyone with a link that works sees its owner's address: only the owner gets the link, and if they pass it on, the page
 * has to show whose it is.
 * @param secret - The end of the link.
 */
export async function lookAtLink(house: House, secret: string) {
  const link = await findLink(house, secret)
  if (link === undefined) return undefined
  const { asker, workspace } = link
  const found = await inTime(house.slack.people.whoIs(asker.userId), nameWithinMs)
  const { email, handle = asker.handle } = found ?? {}
  return { email, handle, workspace }
}

/** The Slack account that somebody connected, and what the page then says about it. All raw. */
export interface Connected extends Pick<Person, 'workspaceId' | 'handle'> {
  readonly workspace: string | undefined
  readonly waits: Waits
  readonly trial: TokenTrial
}

/**
 * The connected account; or the reason why the token wasn’t taken (`problem`, raw), undefined if the link doesn’t work.
 */
export type Given = Connected | { readonly problem: string | undefined }

/** Tests a token and stores it, as the modal does, then resumes the command that waited. */
export async function giveOnPage(house: House, secret: string, typed: string): Promise<Given> {
  const checked = checkToken(typed.trim())
  if ('problem' in checked) return checked
  const link = await findLink(house, secret)
  // Uses up the link: of two people who send the form at once, one connects.
  const kept =
    link && (await house.storage.connectLinks.take(link.asker.workspaceId, hashOf(secret)))
  if (link === undefined || kept === undefined) return { problem: undefined }
  const { asker, workspace, origin, viewId } = link
  const outcome = await connectAccount(house, asker, checked.token, origin)
  if ('problem' in outcome) {
    await keepLink(house, secret, link)
    return outcome
  }
  const { trial, waits, resumed } = outcome
  const goingOn = async () => {
    // Slack may refuse this change: the modal with the link may be closed.
    await unlessSlackFails(house.slack.updateView(viewId, connectedModal(trial, waits)))
    await goOn(house, asker, resumed, origin)
  }
  const failed = (err: unknown) =>
    house.log.error({ err }, 'connected, but the waiting command failed')
  // The page doesn't wait for what follows in Slack.
  void house.slack.work.run(() => goingOn().catch(failed))
  return { ...asker, workspace, waits, trial }
}
