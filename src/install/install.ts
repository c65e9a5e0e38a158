// The room put together: who installs the bot, where it is installed, and taking it out again.
import { randomUUID } from 'node:crypto'
import type { WebClientOptions } from '@slack/web-api'
import type { Tokens } from '../account/tokens.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { Whose } from '../slack/slack.ts'
import { createOAuth } from '../slack/workspace/oauth.ts'
import type { InstalledBots, InstallStates } from './bots.ts'
import { createInstalling, type Installing, installPaths } from './installing.ts'

export interface InstallRoom {
  readonly installing: Installing
  /** Forgets the bot token, which Slack refuses; one that was put in its place meanwhile stays. */
  forget(workspaceId: string): Promise<void>
}

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

export function createInstall(room: {
  readonly app: { readonly clientId: string; readonly clientSecret: string; readonly stateSecret: string }
  /** Without a last slash. */
  readonly publicUrl: string
  readonly apiUrl: string
  readonly clientOptions: WebClientOptions
  readonly bots: InstalledBots
  readonly tokens: Pick<Tokens, 'forgetWorkspace'>
  readonly installStates: InstallStates
  readonly audit: Pick<Audit, 'record'>
  readonly log: Log
}): InstallRoom {
  const { app, publicUrl, apiUrl, clientOptions, installStates: states, bots, tokens, audit, log } = room
  const { clientId, clientSecret, stateSecret } = app
  const redirectUrl = publicUrl + installPaths.end
  const oauth = createOAuth({ clientId, clientSecret, redirectUrl, apiUrl, clientOptions })
  return {
    installing: createInstalling({ oauth, states, bots, tokens, stateSecret, audit, log }),
    async forget(workspaceId) {
      const bot = await bots.find(workspaceId)
      if (bot === undefined) return
      if (!(await bots.forget(bot))) return
      log.info({ workspace: workspaceId }, 'the bot was taken out')
      await audit.record({ workspaceId, key: `uninstall:${randomUUID()}`, act: 'uninstall', outcome: 'done' })
    },
  }
}
