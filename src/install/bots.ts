// Installations of the bot: the port of their store, and each with its token opened, read through a small cache that
// never stays old for long.
import { LRUCache } from 'lru-cache'
import type { Sealed, Vault } from '../account/vault.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../slack/ids.ts'
import type { MentionIds } from '../slack/text/mrkdwn.ts'
import { type Channels, type ChosenChannels, noChannels } from '../slack/workspace/channels.ts'
import { type Bot, type Bots, type Installation, workspaceIdOf } from '../slack/workspace/installation.ts'

export interface NewInstallation {
  readonly installation: Installation
  /** The bot token, sealed for this installation. */
  readonly token: Sealed
  /** Who installed it last, in Slack. */
  readonly installerId: string
}

export interface KeptInstallation extends NewInstallation {
  readonly channels: Channels
  /** Who is mentioned with requests for approval. */
  readonly mention: MentionIds
}

/** Where installations are kept, by team id, or by enterprise id where the bot is installed for all of it. */
export interface Installations {
  find(workspaceId: string): Promise<KeptInstallation | undefined>
  /** Replaces an earlier one, whose channels and mention stay as they were set. */
  keep(workspaceId: string, installed: NewInstallation): Promise<void>
  /** Puts `resealed` in place of `previous` and does nothing when the row has changed or gone meanwhile. */
  reseal(workspaceId: string, previous: Sealed, resealed: Sealed): Promise<void>
  /** False when the bot is not installed there any more. */
  choose(workspaceId: string, channels: Channels, mention: MentionIds): Promise<boolean>
  /** True when it was forgotten: it had this token still, and no other was put in its place meanwhile. */
  forget(workspaceId: string, token: Sealed): Promise<boolean>
  /** Workspaces of an organisation in which the bot is installed by itself. */
  ofOrganisation(enterpriseId: string): Promise<readonly string[]>
  /** The workspace that one of these users is the bot of. */
  ofBotUsers(userIds: readonly string[]): Promise<string | undefined>
  count(): Promise<number>
}

/** So long this process may not see that another one has changed an installation. */
const cachedMs = 5_000
const mostCached = 1_000

interface Cached {
  readonly bot: Promise<KnownBot | undefined>
  readonly until: number
}

export interface KnownBot extends Bot {
  readonly channels: Channels
  readonly mention: MentionIds
  /** Who installed it last, in Slack. */
  readonly installerId: string
}

export interface InstalledBots extends Bots {
  find(workspaceId: string): Promise<KnownBot | undefined>
  findAnew(workspaceId: string): Promise<KnownBot | undefined>
  ofBotUsers(userIds: readonly string[]): Promise<KnownBot | undefined>
  /** Replaces an earlier token; the channels stay. */
  keep(bot: Bot, installerId: string): Promise<void>
  /** False when the bot is not installed there any more. */
  choose(workspaceId: string, channels: Channels, mention: MentionIds): Promise<boolean>
  /** Workspaces of an organisation in which the bot is installed by itself. */
  ofOrganisation(enterpriseId: string): Promise<readonly string[]>
  /** True when it was forgotten: this is its token still. */
  forget(bot: Bot): Promise<boolean>
}

export function createBots(room: {
  readonly installations: Installations
  readonly vault: Vault
  readonly log: Log
  readonly now: Clock
}): InstalledBots {
  const { installations, vault, log, now } = room
  const cache = new LRUCache<string, Cached>({ max: mostCached })

  function bindingOf({ botUserId }: Installation, workspaceId: string) {
    return { purpose: 'installation', workspaceId, userId: botUserId } as const
  }

  async function read(workspaceId: string): Promise<KnownBot | undefined> {
    const kept = await installations.find(workspaceId)
    if (kept === undefined) return undefined
    const { installation, channels, mention, installerId } = kept
    const binding = bindingOf(installation, workspaceId)
    const opened = vault.open(kept.token, binding)
    if (opened === undefined) {
      log.warn(
        { workspace: workspaceId },
        'no key in ENCRYPTION_KEYS decrypts the bot token; install Bellhop again',
      )
      return undefined
    }
    if (opened.isStale) {
      await installations.reseal(workspaceId, kept.token, vault.seal(opened.text, binding))
    }
    return { installation, token: opened.text, channels, mention, installerId }
  }

  async function forgetAsKept(workspaceId: string, token: string): Promise<boolean> {
    const kept = await installations.find(workspaceId)
    const opened = kept && vault.open(kept.token, bindingOf(kept.installation, workspaceId))
    return kept !== undefined && opened?.text === token && installations.forget(workspaceId, kept.token)
  }

  function remember(workspaceId: string, bot: Promise<KnownBot | undefined>): void {
    const entry = { bot, until: now() + cachedMs }
    cache.set(workspaceId, entry)
    const drop = () => {
      if (cache.peek(workspaceId) === entry) cache.delete(workspaceId)
    }
    // Who is not there may come at any moment, and a database that failed may be back.
    bot.then((found) => (found === undefined ? drop() : undefined), drop)
  }

  function find(workspaceId: string): Promise<KnownBot | undefined> {
    const known = cache.get(workspaceId)
    if (known !== undefined && known.until > now()) return known.bot
    const bot = read(workspaceId)
    remember(workspaceId, bot)
    return bot
  }

  return {
    find,
    findAnew(workspaceId) {
      cache.delete(workspaceId)
      return find(workspaceId)
    },
    async ofBotUsers(userIds) {
      const workspaceId = userIds.length === 0 ? undefined : await installations.ofBotUsers(userIds)
      return workspaceId === undefined ? undefined : find(workspaceId)
    },
    async keep({ installation, token }, installerId) {
      const workspaceId = workspaceIdOf(installation)
      const sealed = vault.seal(token, bindingOf(installation, workspaceId))
      await installations.keep(workspaceId, { installation, token: sealed, installerId })
      cache.delete(workspaceId)
    },
    async choose(workspaceId, channels, mention) {
      const isThere = await installations.choose(workspaceId, channels, mention)
      cache.delete(workspaceId)
      return isThere
    },
    ofOrganisation: (enterpriseId) => installations.ofOrganisation(enterpriseId),
    async forget({ installation, token }) {
      const workspaceId = workspaceIdOf(installation)
      // Once more: it may be sealed anew between the look and the deletion, and with one key that is done once.
      const wasForgotten =
        (await forgetAsKept(workspaceId, token)) || (await forgetAsKept(workspaceId, token))
      cache.delete(workspaceId)
      return wasForgotten
    },
  }
}

/** As admins have set them in Slack. */
export function channelsOf(bots: Pick<InstalledBots, 'find'>): ChosenChannels {
  return { by: 'admins', of: async (workspaceId) => (await bots.find(workspaceId))?.channels ?? noChannels }
}

/** Who is mentioned with requests for approval, as admins have set it in Slack. */
export function mentionOf(bots: Pick<InstalledBots, 'find'>): (workspaceId: string) => Promise<MentionIds> {
  return async (workspaceId) => (await bots.find(workspaceId))?.mention ?? []
}

/** As the operator has set them, for the one workspace. */
export function channelsIn(config: {
  readonly audit: { readonly channelId: string | undefined }
  readonly approval: { readonly channelId: string | undefined }
}): ChosenChannels {
  const { audit, approval } = config
  return { by: 'operator', of: async () => ({ audit: audit.channelId, approval: approval.channelId }) }
}
