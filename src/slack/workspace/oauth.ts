// Installing the bot by OAuth: the page of Slack where somebody allows it, and the token that comes of it.
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { z } from 'zod'
import { classify } from '../client/refusals.ts'
import type { Bot } from './installation.ts'

export type Exchanged =
  | {
      readonly kind: 'installed'
      readonly bot: Bot
      /** Who installed it, in Slack. */
      readonly installerId: string
    }
  /** In Slack's own word, as in `invalid_code`. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'no-answer' }

export interface OAuth {
  /** Where a browser goes to allow the bot. */
  pageUrl(asked: { readonly scopes: readonly string[]; readonly state: string }): string
  /** A code is good once. Never throws what Slack or the way to it does. */
  exchange(code: string): Promise<Exchanged>
}

const accessAnswer = z.object({
  access_token: z.string().startsWith('xox'),
  token_type: z.literal('bot'),
  scope: z.string(),
  bot_user_id: z.string(),
  authed_user: z.object({ id: z.string() }),
  enterprise: z.object({ id: z.string() }).nullish(),
  is_enterprise_install: z.boolean().nullish(),
  /** There where the app has token rotation switched on, which its manifest has not. */
  expires_in: z.number().nullish(),
})

/**
 * @param room.apiUrl - Of the Web API; the page stands on the same host.
 * @param room.redirectUrl - Where Slack sends the browser back to, as the manifest has it.
 */
export function createOAuth(room: {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUrl: string
  readonly apiUrl: string
  readonly clientOptions: WebClientOptions
}): OAuth {
  const { clientId, clientSecret, redirectUrl, apiUrl, clientOptions } = room
  const web = new WebClient(undefined, clientOptions)

  async function installed(code: string): Promise<Exchanged> {
    const answer = await web.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUrl,
    })
    const read = accessAnswer.safeParse(answer)
    if (!read.success) return { kind: 'refused', why: 'no_bot_token' }
    // It would be good for twelve hours, and then the bot would fall silent.
    if (read.data.expires_in != null) return { kind: 'refused', why: 'token_rotation_is_on' }
    const { access_token: token, scope, bot_user_id: botUserId, enterprise, authed_user } = read.data
    // What the answer before does not tell: the bot's other id, and where the workspace is.
    const { team_id: teamId, team, bot_id: botId, url } = await web.auth.test({ token })
    const isOrgWide = read.data.is_enterprise_install ?? false
    if (isOrgWide ? !enterprise : teamId === undefined) return { kind: 'refused', why: 'no_workspace' }
    return {
      kind: 'installed',
      installerId: authed_user.id,
      bot: {
        token,
        installation: {
          teamId: teamId ?? '',
          teamName: team || undefined,
          enterpriseId: enterprise?.id,
          isOrgWide,
          botUserId,
          botId,
          url,
          scopes: new Set(scope.split(',')),
        },
      },
    }
  }

  return {
    pageUrl({ scopes, state }) {
      const url = new URL('/oauth/v2/authorize', apiUrl)
      const asked = { client_id: clientId, scope: scopes.join(','), redirect_uri: redirectUrl, state }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return url.href
    },
    async exchange(code) {
      try {
        return await installed(code)
      } catch (error) {
        if (classify(error).kind === 'defect') throw error
        const why = classify(error).word
        return why === undefined ? { kind: 'no-answer' } : { kind: 'refused', why }
      }
    },
  }
}
