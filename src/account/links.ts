// One-time links to the page where somebody gives their token: where they are kept, how they are minted, what came of
// them, and the button that leads there.
// Earlier links of the same person keep working until they are used or over: one may be on a phone, one on a laptop.
import { createHash, randomBytes } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import type { House } from '../house.ts'
import type { Person, SlackUser } from '../slack/ids.ts'
import type { WorkspaceName } from '../slack/workspace/installation.ts'
import { connectButton, connectLinkButton, type Waits } from './render.ts'
import type { Sealed } from './vault.ts'

/** A link that works: not used, not expired. Its content is sealed for its owner. */
export interface ConnectLink {
  readonly owner: SlackUser
  /** Its owner's names and what waits for it. */
  readonly what: Sealed
  /** Where it is in Slack, once Slack has said so. */
  readonly prompt: Sealed | undefined
}

/** Stores links by the hash of their secret: what is stored opens no page. */
export interface ConnectLinks {
  /** Stores a new one. */
  keep(
    owner: SlackUser,
    link: { readonly hash: string; readonly what: Sealed },
    lifeMs: number,
  ): Promise<void>
  /** Looks without using anything up. */
  find(hash: string): Promise<ConnectLink | undefined>
  /** Stores where this person's link is in Slack. */
  setPrompt(owner: SlackUser, hash: string, prompt: Sealed): Promise<void>
  /** Uses it up. False if it was already used or gone. */
  use(hash: string): Promise<boolean>
  forgetAll(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets links that expired before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}

const lifeMs = 10 * 60_000
const secretBytes = 32

const kept = z.object({
  waitingId: z.string(),
  /** The owner's name, raw. */
  name: z.string(),
  handle: z.string().optional(),
  workspace: z.object({ name: z.string().optional(), domain: z.string().optional() }),
})

/** The account that somebody connected, and what they read about it. All raw. */
export interface Connected extends Pick<Person, 'workspaceId' | 'name' | 'handle'> {
  readonly workspace: WorkspaceName
  readonly waits: Waits
  readonly lacksRights: boolean
}

const stand = z.object({
  /** A response URL, which can remove the message with the link. */
  promptUrl: z.string().optional(),
  /** The modal with the link. */
  viewId: z.string().optional(),
  /** The button that led to it was in a view. */
  isFromView: z.boolean(),
})

/** Where a link is in Slack. */
export type Stand = z.infer<typeof stand>

/** The content of a link that works. */
export interface LinkMeaning extends Omit<z.infer<typeof kept>, 'name' | 'handle'> {
  readonly asker: Person
  readonly stand: Stand
}

/** The id of a stored link. @param secret - The end of its address. */
export function linkHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

function bound({ workspaceId, userId }: SlackUser, purpose: 'connect-link' | 'connect-prompt') {
  return { purpose, workspaceId, userId } as const
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
  const meaning: z.infer<typeof kept> = { waitingId, name, handle, workspace: await slack.workspaceName() }
  const what = vault.seal(JSON.stringify(meaning), bound(asker, 'connect-link'))
  await storage.connectLinks.keep({ workspaceId, userId }, { hash, what }, lifeMs)
  return { url: new URL(`${config.publicUrl}/connect/${secret}`).href, value: `${hash}.${waitingId}` }
}

/**
 * Notes that somebody pressed the button of a link. False if the link no longer works.
 * @param where - Where the link is; undefined leaves that as it is.
 */
export async function linkPressed(
  { config, storage: { connectLinks: links }, vault }: House,
  asker: SlackUser,
  value: string,
  where: Stand | undefined,
): Promise<boolean> {
  const hash = hashIn(value)
  if (config.publicUrl === undefined || (await links.find(hash)) === undefined) return false
  if (where !== undefined)
    await links.setPrompt(asker, hash, vault.seal(JSON.stringify(where), bound(asker, 'connect-prompt')))
  return true
}

/** Undefined if no key opens it any more. */
export function meaningOf({ vault }: House, { owner, what, prompt }: ConnectLink): LinkMeaning | undefined {
  const opened = vault.open(what, bound(owner, 'connect-link'))
  if (opened === undefined) return undefined
  const { name, handle, waitingId, workspace } = kept.parse(JSON.parse(opened.text))
  const where = prompt === undefined ? undefined : vault.open(prompt, bound(owner, 'connect-prompt'))
  return {
    asker: { ...owner, name, handle },
    waitingId,
    workspace,
    stand: where === undefined ? { isFromView: false } : stand.parse(JSON.parse(where.text)),
  }
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
  const link = await mintLink(house, asker, waitingId)
  return link === undefined ? connectButton(waitingId) : connectLinkButton(link)
}
