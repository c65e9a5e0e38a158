// Installs the bot for somebody, and takes it out again: they leave for Slack with a state, and come back with a code for a
// token. An install is bound to the browser that began it: by a name of the browser's own, signed, and a state that only
// goes with it.

import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Accounts, Tokens } from '../account/tokens.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { Whose } from '../slack/slack.ts'
import { type Bot, workspaceIdOf } from '../slack/workspace/installation.ts'
import type { OAuth } from '../slack/workspace/oauth.ts'
import type { InstalledBots } from './bots.ts'

/** `good`: for one caller only. `used`: somebody came back with it before. `unknown`: never given out, or long ago. */
type StateAnswer = 'good' | 'used' | 'expired' | 'unknown'

/** Where it is kept who went to Slack to install the bot and has not come back yet. */
export interface InstallStates {
  /** @param hash - Of the state, which itself is not kept. */
  keep(hash: string): Promise<void>
  /** Uses it up. @param ttlMs - How old it may be. */
  take(hash: string, ttlMs: number): Promise<StateAnswer>
  /** Forgets those from before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}

/** Needs of installing, where workspaces install the bot themselves. */
export interface InstallRoom {
  readonly oauth: OAuth
  readonly bots: Pick<InstalledBots, 'find' | 'keep' | 'forget' | 'ofOrganisation'>
  readonly accounts: Pick<Accounts, 'ofWorkspace'>
  readonly tokens: Pick<Tokens, 'forget' | 'forgetWorkspace'>
  readonly installStates: InstallStates
  /** Signs the name of a browser. */
  readonly stateSecret: string
  readonly audit: Pick<Audit, 'record'>
  readonly log: Log
}

/** Below PUBLIC_URL. */
export const installPaths = { begin: '/slack/install', end: '/slack/oauth_redirect' } as const

/** As long as a code of Slack's is good. */
export const stateMs = 10 * 60_000

/** With whose tokens the bot acts: with the one of its settings, or with those of each installation. */
export function whoseOf(
  config: {
    readonly slack: {
      readonly bot: { readonly kind: 'token'; readonly botToken: string } | { readonly kind: 'oauth' }
    }
    readonly publicUrl: string | undefined
  },
  bots: InstalledBots,
): Whose {
  const { slack, publicUrl } = config
  if (slack.bot.kind === 'token') return { kind: 'one', botToken: slack.bot.botToken }
  return { kind: 'several', bots, installUrl: publicUrl && publicUrl + installPaths.begin }
}

/** What Slack sends a browser back with. */
export interface Returned {
  readonly code: string | undefined
  readonly state: string | undefined
  /** Slack's word for why there is no code. */
  readonly error: string | undefined
  /** What the browser keeps. */
  readonly cookie: string | undefined
}

export type InstallOutcome =
  | { readonly kind: 'installed'; readonly bot: Bot }
  /** In Slack's own word. */
  | { readonly kind: 'refused'; readonly why: string }
  /** `elsewhere`: it was not begun in this browser. `by-slack`: it was begun on Slack's own pages. */
  | { readonly kind: 'cancelled' | 'elsewhere' | 'by-slack' | 'expired' | 'used' | 'no-answer' }

/**
 * @param cookie - What the browser keeps from another time.
 * @param scopes - What is asked for, the optional ones too: whoever installs it may leave those out.
 * @returns What the browser is to keep, and where it goes.
 */
export async function beginInstall(
  { oauth, installStates, stateSecret }: InstallRoom,
  cookie: string | undefined,
  scopes: readonly string[],
): Promise<{ readonly cookie: string; readonly pageUrl: string }> {
  // Somebody with two tabs has one name, and a state for each.
  const browser = nameIn(cookie, stateSecret) ?? newSecret()
  const state = newSecret()
  await installStates.keep(stateHash(state, browser))
  return { cookie: signed(browser, stateSecret), pageUrl: oauth.pageUrl({ scopes, state }) }
}

export async function finishInstall(
  room: InstallRoom,
  { code, state, error, cookie }: Returned,
): Promise<InstallOutcome> {
  if (state === undefined) return withoutState(code, error)
  const browser = nameIn(cookie, room.stateSecret)
  if (browser === undefined) return { kind: 'elsewhere' }
  const hash = stateHash(state, browser)
  const answer = await room.installStates.take(hash, stateMs)
  if (answer === 'unknown') return { kind: 'elsewhere' }
  if (answer !== 'good') return { kind: answer }
  if (error === 'access_denied') return { kind: 'cancelled' }
  if (code === undefined) return { kind: 'refused', why: wordOf(error) }
  return exchange(room, code, hash)
}

/** Forgets the bot token, which Slack refuses; one that was put in its place meanwhile stays. */
export async function forgetInstallation(
  { bots, audit, log }: InstallRoom,
  workspaceId: string,
): Promise<void> {
  const bot = await bots.find(workspaceId)
  if (bot === undefined) return
  if (!(await bots.forget(bot))) return
  log.info({ workspace: workspaceId }, 'the bot was uninstalled')
  await audit.record({ workspaceId, key: `uninstall:${randomUUID()}`, act: 'uninstall', outcome: 'done' })
}

/** Takes a code for a token, and keeps that. */
async function exchange(room: InstallRoom, code: string, hash: string): Promise<InstallOutcome> {
  const { oauth, bots, audit, log } = room
  const exchanged = await oauth.exchange(code)
  if (exchanged.kind === 'refused') {
    log.warn({ why: exchanged.why }, 'Slack refused an install')
    return exchanged
  }
  if (exchanged.kind === 'no-answer') {
    log.warn('Slack did not answer while somebody installed the bot')
    return exchanged
  }
  const { bot, installerId } = exchanged
  const workspaceId = workspaceIdOf(bot.installation)
  const { isOrgWide, enterpriseId } = bot.installation
  const organisation = isOrgWide ? enterpriseId : undefined
  // First: should the process die in between, whoever installs it has to do so again, and this with it.
  if (organisation !== undefined) await forgetPeopleOf(room, organisation)
  await bots.keep(bot, installerId)
  // And once more: somebody may have connected in one of its workspaces until then.
  if (organisation !== undefined) await forgetPeopleOf(room, organisation)
  log.info({ workspace: workspaceId, isOrgWide }, 'the bot was installed')
  const key = `install:${hash}`
  await audit.record({ workspaceId, userId: installerId, key, act: 'install', outcome: 'done' })
  return { kind: 'installed', bot }
}

/**
 * From now on the organisation's installation answers in its workspaces: a token that was given in one of them could not
 * be taken back any more by its owner.
 */
async function forgetPeopleOf({ bots, accounts, tokens }: InstallRoom, enterpriseId: string): Promise<void> {
  for (const workspaceId of await bots.ofOrganisation(enterpriseId)) {
    // One by one: each has live cards, which say that they end, and names that only their token showed.
    for (const owner of await accounts.ofWorkspace(workspaceId)) await tokens.forget(owner, 'uninstalled')
    // And whoever is about to connect.
    await tokens.forgetWorkspace(workspaceId)
  }
}

/**
 * Slack's own buttons send no state. Such a code is left alone: anybody can send a browser here with one of theirs.
 * Source: slackapi/bolt-js#1101.
 */
function withoutState(code: string | undefined, error: string | undefined): InstallOutcome {
  if (error === 'access_denied') return { kind: 'cancelled' }
  return { kind: code === undefined ? 'elsewhere' : 'by-slack' }
}

/** Anybody can write an address: no more than a word of it is shown. */
function wordOf(error: string | undefined): string {
  return error !== undefined && /^[a-z_]{1,60}$/.test(error) ? error : 'no code'
}

const secretBytes = 32

/** Unguessable. */
function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url')
}

/** What the browser keeps: its name, and a signature that only Bellhop makes. */
function signed(name: string, stateSecret: string): string {
  return `${name}.${signatureOf(name, stateSecret)}`
}

/** The name in a cookie; undefined when it was not signed here. */
function nameIn(cookie: string | undefined, stateSecret: string): string | undefined {
  const [, name, signature] = /^([\w-]{43})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (name === undefined || signature === undefined) return undefined
  const own = Buffer.from(signatureOf(name, stateSecret))
  return timingSafeEqual(Buffer.from(signature), own) ? name : undefined
}

/** What is kept of a state: of another browser, it is another one. */
function stateHash(state: string, browser: string): string {
  return createHash('sha256')
    .update(JSON.stringify([state, browser]))
    .digest('base64url')
}

function signatureOf(name: string, stateSecret: string): string {
  return createHmac('sha256', stateSecret).update(`bellhop install ${name}`).digest('base64url')
}
