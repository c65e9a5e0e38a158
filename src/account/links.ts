// One-time links to the page where somebody gives their token: where they are kept, how they are minted, what came of
// them, and the button that leads there.
// Earlier links of the same person keep working until they are used or over: one may be on a phone, one on a laptop.
import { createHash, randomBytes } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import type { Person, SlackUser } from '../slack/ids.ts'
import type { WorkspaceName } from '../slack/workspace/installation.ts'
import { type Waits, waits } from './modal.ts'
import { connectButton, connectLinkButton } from './render.ts'
import type { Sealed, Vault } from './vault.ts'

/** A link that works: not used, not over, with tries left. What it holds is sealed for its owner. */
export interface ConnectLink {
  readonly owner: SlackUser
  /** Whose it is and what waits for it. */
  readonly what: Sealed
  /** Where it stands in Slack, when Slack has said so. */
  readonly prompt: Sealed | undefined
}

/** A link that somebody has connected with. It connects nothing more. */
export type UsedLink = Pick<ConnectLink, 'owner' | 'what'>

/**
 * Keeps links until they are over. They are known by the hash of their secret: what is kept opens no page.
 *
 * | state | who moves it | what ends it |
 * | --- | --- | --- |
 * | works | whoever tries a token on it holds it for a while | its time, its last try, somebody connecting with it |
 * | used | whoever connected with it | `prune`; its owner being forgotten |
 */
export interface ConnectLinks {
  /** A new one. */
  keep(
    owner: SlackUser,
    link: { readonly hash: string; readonly what: Sealed },
    limits: { readonly lifeMs: number; readonly tries: number },
  ): Promise<void>
  /** Looks without using anything up. */
  find(hash: string): Promise<ConnectLink | undefined>
  /** Undefined for one that works, and for one that is over without having been used. */
  findUsed(hash: string): Promise<UsedLink | undefined>
  /** Where this person's link stands in Slack. */
  setPrompt(owner: SlackUser, hash: string, prompt: Sealed): Promise<void>
  /**
   * Takes one of the tries, and holds the link: others are told `busy` until it is let go, or `leaseMs` are over.
   * Undefined when it does not work any more.
   */
  hold(hash: string, leaseMs: number): Promise<ConnectLink | 'busy' | undefined>
  /** Lets go of one that was held; it is gone when that was its last try. */
  release(hash: string): Promise<void>
  /** Uses it up, and forgets where it stands. False when it was used or gone already. */
  use(hash: string): Promise<boolean>
  /** What is kept of a used one from now on. */
  setUsed(hash: string, what: Sealed): Promise<void>
  forgetAll(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets those that were over before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}

const lifeMs = 10 * 60_000
/** So many tokens can be tried on one. */
const tries = 5
const secretBytes = 32

const kept = z.object({
  waitingId: z.string(),
  /** Of whoever connects, raw. */
  name: z.string(),
  /** Absent in what was kept by a version whose `name` it was. */
  handle: z.string().optional(),
  workspace: z.object({ name: z.string().optional(), domain: z.string().optional() }),
})

/** What came of a used link, for the browser in which it was used. */
const used = kept.omit({ waitingId: true }).extend({
  waits: z.enum(waits),
  lacksRights: z.boolean(),
  /** The hash of what that browser keeps. */
  browser: z.string(),
})

/** Whom somebody connected as, and what they read about it. All raw. */
export interface Connected extends Pick<Person, 'workspaceId' | 'name' | 'handle'> {
  readonly workspace: WorkspaceName
  readonly waits: Waits
  readonly lacksRights: boolean
}

const stand = z.object({
  /** Where the message with the link can be taken away. */
  promptUrl: z.string().optional(),
  /** The modal with the link. */
  viewId: z.string().optional(),
  /** The button that led to it is in a view. */
  isFromView: z.boolean(),
})

/** Where a link stands in Slack. */
export type Stand = z.infer<typeof stand>

/** What a link is for. */
export interface LinkMeaning extends Omit<z.infer<typeof kept>, 'name' | 'handle'> {
  readonly asker: Person
  readonly stand: Stand
}

/** What a link is kept under. @param secret - The end of its address. */
export function linkHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** What links need: where they are kept, and where they lead. */
export interface LinkRoom {
  readonly links: ConnectLinks
  readonly vault: Vault
  /** Where browsers reach the page. Without a last slash. */
  readonly publicUrl: string
  workspaceName(workspaceId: string): Promise<WorkspaceName>
}

function bound({ workspaceId, userId }: SlackUser, purpose: 'connect-link' | 'connect-prompt') {
  return { purpose, workspaceId, userId } as const
}

/** @returns Where the new link leads, and the value of its button. */
export async function mintLink(
  room: LinkRoom,
  asker: Person,
  waitingId: string,
): Promise<{ readonly url: string; readonly value: string }> {
  const { workspaceId, userId, name, handle } = asker
  const secret = randomBytes(secretBytes).toString('base64url')
  const hash = linkHash(secret)
  const meaning = { waitingId, name, handle, workspace: await room.workspaceName(workspaceId) }
  const what = room.vault.seal(
    JSON.stringify(meaning satisfies z.infer<typeof kept>),
    bound(asker, 'connect-link'),
  )
  await room.links.keep({ workspaceId, userId }, { hash, what }, { lifeMs, tries })
  return { url: new URL(`${room.publicUrl}/connect/${secret}`).href, value: `${hash}.${waitingId}` }
}

/**
 * Somebody has pressed the button of a link. False when it does not work any more.
 * @param where - It stands; undefined leaves what is known of that.
 */
export async function linkPressed(
  { links, vault }: LinkRoom,
  asker: SlackUser,
  value: string,
  where: Stand | undefined,
): Promise<boolean> {
  const hash = hashIn(value)
  if ((await links.find(hash)) === undefined) return false
  if (where !== undefined)
    await links.setPrompt(asker, hash, vault.seal(JSON.stringify(where), bound(asker, 'connect-prompt')))
  return true
}

/** Undefined when no key opens it any more. */
export function meaningOf(
  { vault }: Pick<LinkRoom, 'vault'>,
  { owner, what, prompt }: ConnectLink,
): LinkMeaning | undefined {
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

/** Keeps what came of a link for the browser in which it was used. @param browser - What that browser keeps. */
export async function keepConnected(
  { links, vault }: LinkRoom,
  hash: string,
  { asker, workspace }: LinkMeaning,
  came: { readonly waits: Waits; readonly lacksRights: boolean; readonly browser: string },
): Promise<void> {
  const { name, handle } = asker
  const meaning = { ...came, browser: linkHash(came.browser), name, handle, workspace }
  await links.setUsed(
    hash,
    vault.seal(JSON.stringify(meaning satisfies z.infer<typeof used>), bound(asker, 'connect-link')),
  )
}

/** What came of a used link; undefined in another browser. @param browser - What this one keeps; `''` for nothing. */
export function connectedIn(
  { vault }: Pick<LinkRoom, 'vault'>,
  { owner, what }: UsedLink,
  browser: string,
): Connected | undefined {
  const opened = vault.open(what, bound(owner, 'connect-link'))
  const read = opened && used.safeParse(JSON.parse(opened.text))
  if (!read?.success || browser === '' || read.data.browser !== linkHash(browser)) return undefined
  return { ...read.data, workspaceId: owner.workspaceId }
}

/** What waits for the account, whether the link works or not. @param value - Of its button. */
export function waitingIdIn(value: string): string {
  return value.slice(hashIn(value).length + 1)
}

function hashIn(value: string): string {
  return value.split('.', 1)[0] ?? ''
}

/**
 * *Connect account*, the way to where somebody gives their token: a link to the page where there is one, else a button
 * that opens the form.
 * @param waitingId - What waits for the account; `''` where nothing does.
 */
export async function connectButtonFor(
  page: LinkRoom | undefined,
  asker: Person,
  waitingId: string,
): Promise<Button> {
  return page === undefined
    ? connectButton(waitingId)
    : connectLinkButton(await mintLink(page, asker, waitingId))
}
