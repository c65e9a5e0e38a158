// One-time links to the page where somebody gives their token: how they are minted, what came of them, and the button that
// leads there.
// Earlier links of the same person keep working until they are used or over: one may be on a phone, one on a laptop.
import { createHash, randomBytes } from 'node:crypto'
import type { Button } from '@slack/types'
import type { House } from '../house.ts'
import type { Person, SlackUser } from '../slack/ids.ts'
import type { WorkspaceName } from '../slack/workspace/bot.ts'
import { connectButton } from './render.ts'
import type { SealBinding } from './vault.ts'

const lifeMs = 10 * 60_000
const secretBytes = 32

/** What a link keeps, sealed for its owner. */
interface Kept {
  readonly waitingId: string
  /** The owner's, raw. */
  readonly name: string
  readonly handle: string | undefined
  readonly workspace: WorkspaceName
  readonly stand: Stand
}

/** Where somebody was asked to connect, in Slack. */
export interface Stand {
  /** A response URL, which can remove the message that asked. */
  readonly promptUrl?: string | undefined
  /** The modal with the link or the form, which is open. */
  readonly viewId?: string | undefined
  /** The button that led to it was in a view. */
  readonly isFromView: boolean
}

/** A link that works. */
export interface LinkMeaning {
  readonly asker: Person
  /** The id of what waits; `''` if nothing does. */
  readonly waitingId: string
  readonly workspace: WorkspaceName
  readonly stand: Stand
}

/** The id of a stored link. @param secret - The end of its address. */
export function linkHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function bound({ workspaceId, userId }: SlackUser): SealBinding {
  return { purpose: 'connect-link', workspaceId, userId }
}

/** @returns The address of a new link, and the value of its button; undefined without `PUBLIC_URL`: there is no page. */
export async function mintLink(
  { config, storage, slack, vault }: House,
  asker: Person,
  waitingId: string,
): Promise<{ readonly url: string; readonly value: string } | undefined> {
  if (config.publicUrl === undefined) return undefined
  const { workspaceId, userId, name, handle } = asker
  const secret = randomBytes(secretBytes).toString('base64url')
  const hash = linkHash(secret)
  const { workspace } = await slack.learned()
  const kept: Kept = { waitingId, name, handle, workspace, stand: { isFromView: false } }
  const what = vault.seal(JSON.stringify(kept), bound(asker))
  await storage.connectLinks.put({ workspaceId, userId, key: hash, value: what, forMs: lifeMs })
  return { url: new URL(`${config.publicUrl}/connect/${secret}`).href, value: `${hash}.${waitingId}` }
}

/**
 * Notes that somebody pressed the button of a link. False if the link no longer works.
 * @param where - Where the link is; undefined leaves that as it is.
 */
export async function linkPressed(
  house: House,
  asker: SlackUser,
  value: string,
  where: Stand | undefined,
): Promise<boolean> {
  const { config, storage, vault } = house
  const hash = hashIn(value)
  const kept = config.publicUrl === undefined ? undefined : await read(house, hash)
  // Whoever makes up the value of somebody else's link changes nothing about it.
  if (kept?.owner.userId !== asker.userId || where === undefined) return kept !== undefined
  const what = vault.seal(JSON.stringify({ ...kept.what, stand: where } satisfies Kept), bound(asker))
  return storage.connectLinks.change(asker.workspaceId, hash, what)
}

/** Looks at a link without using it up. Undefined if it no longer works, or no key opens it any more. */
export async function findLink(house: House, hash: string): Promise<LinkMeaning | undefined> {
  const kept = await read(house, hash)
  if (kept === undefined) return undefined
  const { name, handle, ...rest } = kept.what
  return { asker: { ...kept.owner, name, handle }, ...rest }
}

async function read({ storage, vault }: House, hash: string) {
  const link = await storage.connectLinks.find(hash)
  const opened = link && vault.open(link.value, bound(link))
  if (link === undefined || opened === undefined) return undefined
  const what: Kept = JSON.parse(opened)
  return { owner: { workspaceId: link.workspaceId, userId: link.userId }, what }
}

/** The id of what waits, whether the link works or not. @param value - Of its button. */
export function waitingIdIn(value: string): string {
  return value.slice(hashIn(value).length + 1)
}

function hashIn(value: string): string {
  return value.split('.', 1)[0] ?? ''
}

/**
 * *Connect account*: a link to the page if there is one, else a button that opens the form.
 * @param waitingId - What waits for the account; `''` if nothing does.
 */
export async function connectButtonFor(house: House, asker: Person, waitingId: string): Promise<Button> {
  return connectButton((await mintLink(house, asker, waitingId)) ?? waitingId)
}
