// OAuth as Slack does it: a page on which somebody allows an app, a code for it, a token for the code.
// Source: docs.slack.dev/authentication/installing-with-oauth and docs.slack.dev/reference/methods/oauth.v2.access.

import { refuse } from './methods/method.ts'
import { type Json, text } from './model/json.ts'
import type { Stamps } from './model/stamps.ts'
import type { Slack } from './slack.ts'
import type { SharedApp } from './workspace/app.ts'

/** What the app's manifest says of installing it. */
export interface AppConfiguration {
  readonly redirectUrls: readonly string[]
  readonly scopes: readonly string[]
  /** Which of them may be left out by whoever installs it. */
  readonly optionalScopes: readonly string[]
  readonly isOrgDeployEnabled: boolean
}

/** What the bot asks for in the address of the page. */
export interface Asked {
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly state: string
}

/** What somebody chose on the page. */
export interface Choice {
  readonly slack: Slack
  readonly userId: string
  readonly isOrgWide: boolean
  readonly leftOut: readonly string[]
}

interface Code extends Choice, Asked {
  readonly issuedAt: number
}

const CODE_MS = 10 * 60_000

export class Authorizations {
  readonly #app: SharedApp
  readonly #configuration: AppConfiguration
  readonly #clock: () => number
  readonly #stamps: Stamps
  readonly #codes = new Map<string, Code>()

  constructor(app: SharedApp, configuration: AppConfiguration, clock: () => number, stamps: Stamps) {
    this.#app = app
    this.#configuration = configuration
    this.#clock = clock
    this.#stamps = stamps
  }

  /** What is asked for, or Slack's word for what is wrong with the address. */
  read(query: URLSearchParams): Asked | string {
    const known = this.#configuration
    const scopes = (query.get('scope') ?? '').split(',').filter((scope) => scope !== '')
    const redirectUri = query.get('redirect_uri')
    const state = query.get('state')
    if (query.get('client_id') !== this.#app.clientId) return 'invalid_client_id'
    if (scopes.length === 0) return 'invalid_scope_requested'
    if (scopes.some((scope) => !known.scopes.includes(scope))) return 'invalid_scope'
    // Slack goes without, and its documents ask for it.
    if (state === null || state === '') return 'missing_state'
    if (redirectUri === null || !known.redirectUrls.some((url) => redirectUri.startsWith(url))) {
      return 'bad_redirect_uri'
    }
    return { scopes, redirectUri, state }
  }

  /** Where the browser is sent when somebody allows it, or Slack's word for why they cannot. */
  allow(asked: Asked, choice: Choice): URL | string {
    const { slack, isOrgWide, leftOut } = choice
    if (isOrgWide && !this.#configuration.isOrgDeployEnabled) return 'org_deploy_not_enabled'
    if (isOrgWide && slack.enterpriseId === undefined) return 'team_not_on_enterprise'
    if (leftOut.some((scope) => !this.#configuration.optionalScopes.includes(scope))) return 'scope_required'
    const code = `${this.#clock()}.${this.#stamps.secret()}`
    this.#codes.set(code, { ...asked, ...choice, issuedAt: this.#clock() })
    return backTo(asked, { code })
  }

  /**
   * Somebody installs the app from Slack's own pages, as by *Create and Install*: nobody has asked for it, so the code
   * comes with an empty state, to the first address that the app has. Slack delivers to the app from then on.
   */
  byButton(choice: Pick<Choice, 'slack' | 'userId'>): URL {
    const { scopes, redirectUrls } = this.#configuration
    const [redirectUri] = redirectUrls
    if (redirectUri === undefined) throw new Error('The app has no address to come back to')
    choice.slack.workspace.install(scopes, false)
    const code = `${this.#clock()}.${this.#stamps.secret()}`
    const asked = { scopes, redirectUri, state: '' }
    this.#codes.set(code, { ...asked, ...choice, isOrgWide: false, leftOut: [], issuedAt: this.#clock() })
    return backTo(asked, { code })
  }

  cancel(asked: Asked): URL {
    return backTo(asked, { error: 'access_denied', error_description: '' })
  }

  /** Answers `oauth.v2.access`. @param basic - Client id and secret of the Authorization header. */
  exchange(args: Json, basic: readonly [string, string] | undefined): Json {
    const [clientId, secret] = basic ?? [text(args.client_id), text(args.client_secret)]
    if (clientId !== this.#app.clientId) return refuse('invalid_client_id')
    if (secret !== this.#app.clientSecret) return refuse('bad_client_secret')
    const name = text(args.code) ?? ''
    const code = this.#codes.get(name)
    if (code === undefined || this.#clock() - code.issuedAt > CODE_MS) return refuse('invalid_code')
    if (text(args.redirect_uri) !== code.redirectUri) return refuse('bad_redirect_uri')
    this.#codes.delete(name)
    return this.#installed(code)
  }

  #installed({ slack, userId, isOrgWide, scopes, leftOut }: Code): Json {
    const { teamId, bot, workspace } = slack
    const granted = scopes.filter((scope) => !leftOut.includes(scope))
    const token = workspace.install(granted, isOrgWide)
    return {
      ok: true,
      app_id: this.#app.appId,
      authed_user: { id: userId },
      scope: granted.join(','),
      token_type: 'bot',
      access_token: token,
      bot_user_id: bot.userId,
      team: isOrgWide ? null : { id: teamId, name: workspace.teamName },
      enterprise: workspace.enterprise ?? null,
      is_enterprise_install: isOrgWide,
    }
  }
}

function backTo({ redirectUri, state }: Asked, answer: Readonly<Record<string, string>>): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, state })) url.searchParams.set(name, value)
  return url
}
