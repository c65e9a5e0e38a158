// Settings by which the bot comes to its tokens and secrets at Slack: a token that the operator gives it, or one from
// each installation. As in values.ts, no message repeats a value. Pure.
import { Wrong } from './values.ts'

/** One workspace, whose operator gives the token; or as many as install it by OAuth. */
export type SlackBot =
  | { readonly kind: 'token'; readonly botToken: string }
  | {
      readonly kind: 'oauth'
      readonly clientId: string
      readonly clientSecret: string
      /** Signs what a browser keeps while somebody installs the bot. */
      readonly stateSecret: string
    }

type Given<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>
/** Each workspace chooses its own. */
type ChosenInSlack = 'AUDIT_CHANNEL' | 'APPROVAL_CHANNEL' | 'APPROVAL_MENTION'
type OfInstalls = 'SLACK_CLIENT_ID' | 'SLACK_CLIENT_SECRET' | 'SLACK_STATE_SECRET'

/** True as soon as one setting of OAuth is there. */
export function isByOAuth(env: Given<OfInstalls>): boolean {
  return [env.SLACK_CLIENT_ID, env.SLACK_CLIENT_SECRET, env.SLACK_STATE_SECRET].some(
    (text) => text !== undefined,
  )
}

/** What is missing, and what does not go together. */
export function botProblems(
  env: Given<OfInstalls | 'SLACK_BOT_TOKEN' | 'PUBLIC_URL' | ChosenInSlack>,
): readonly string[] {
  if (!isByOAuth(env)) return env.SLACK_BOT_TOKEN === undefined ? [`SLACK_BOT_TOKEN: ${noToken}`] : []
  return [
    ...(env.SLACK_BOT_TOKEN === undefined ? [] : [`SLACK_BOT_TOKEN: ${tokenTooMany}`]),
    ...(env.SLACK_CLIENT_ID === undefined ? [`SLACK_CLIENT_ID: ${missingCredential}`] : []),
    ...(env.SLACK_CLIENT_SECRET === undefined ? [`SLACK_CLIENT_SECRET: ${missingCredential}`] : []),
    ...(env.SLACK_STATE_SECRET === undefined ? [`SLACK_STATE_SECRET: ${noStateSecret}`] : []),
    ...(env.PUBLIC_URL === undefined ? [`PUBLIC_URL: ${nowhereToReturn}`] : []),
    ...(env.AUDIT_CHANNEL === undefined ? [] : [`AUDIT_CHANNEL: ${channelTooMany}`]),
    ...(env.APPROVAL_CHANNEL === undefined ? [] : [`APPROVAL_CHANNEL: ${channelTooMany}`]),
    ...(env.APPROVAL_MENTION === undefined ? [] : [`APPROVAL_MENTION: ${mentionTooMany}`]),
  ]
}

/** Undefined where `botProblems` has something to say. */
export function botOf(env: Given<OfInstalls | 'SLACK_BOT_TOKEN'>): SlackBot | undefined {
  const { SLACK_BOT_TOKEN: botToken, SLACK_CLIENT_ID: clientId } = env
  const { SLACK_CLIENT_SECRET: clientSecret, SLACK_STATE_SECRET: stateSecret } = env
  if (!isByOAuth(env)) return botToken === undefined ? undefined : { kind: 'token', botToken }
  if (clientId === undefined || clientSecret === undefined || stateSecret === undefined) return undefined
  return { kind: 'oauth', clientId, clientSecret, stateSecret }
}

const noToken =
  'is missing. Copy the bot token (xoxb-…) from your app at api.slack.com/apps, OAuth & Permissions, ' +
  'or set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET to let several workspaces install Bellhop.'
const tokenTooMany =
  'is for one workspace, but SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET are for several. Remove one or the other.'
const missingCredential =
  'is missing. Copy it from your app at api.slack.com/apps, Basic Information, App Credentials.'
const noStateSecret = 'is missing. Set it to any long random text; `npm run keygen` prints one.'
/** Of PUBLIC_URL. */
export const nowhereToReturn =
  'is missing. Set it to the address that Slack sends people back to after they install Bellhop, such as https://bellhop.example.com.'
const channelTooMany =
  'is for one workspace. Remove it: with SLACK_CLIENT_ID, admins of each workspace choose their own channels with /alert settings.'

const mentionTooMany =
  'is for one workspace. Remove it: with SLACK_CLIENT_ID, admins of each workspace choose whom to mention with /alert settings.'

/** Source: docs.slack.dev/authentication/using-token-rotation: once it is on, an app cannot turn it off. */
const rotatingBot =
  'expires within hours: token rotation is on in your app, and Slack can’t turn it off again. Create a new app from `npm run manifest`, which has token_rotation_enabled: false, and copy its bot token (xoxb-…).'

/** Source: docs.slack.dev/authentication/tokens, “App-level tokens”. */
const rotatingApp =
  'expires within hours: rotation of app-level tokens is on in your app. Set app_level_token_rotation_enabled to false in the app’s manifest, then create an app-level token that starts with xapp-.'

export function readBotToken(text: string): string {
  if (text.startsWith('xoxe.')) throw new Wrong(rotatingBot)
  if (text.startsWith('xapp-')) {
    throw new Wrong(
      'holds an app-level token (xapp-…), which belongs in SLACK_APP_TOKEN. The bot token starts with xoxb-; it is under OAuth & Permissions.',
    )
  }
  if (!/^xoxb-[\w-]+$/.test(text)) {
    throw new Wrong(
      'is not a bot token, which starts with xoxb-. Copy it from your app, OAuth & Permissions.',
    )
  }
  return text
}

export function readAppToken(text: string): string {
  if (text.startsWith('xoxe.xapp-')) throw new Wrong(rotatingApp)
  if (text.startsWith('xox')) {
    throw new Wrong(
      'holds another kind of token. A bot token (xoxb-…) belongs in SLACK_BOT_TOKEN. The app-level token starts with xapp-; create it under Basic Information, with the scope connections:write.',
    )
  }
  if (!/^xapp-[\w-]+$/.test(text)) {
    throw new Wrong(
      'is not an app-level token, which starts with xapp-. Create one at your app, Basic Information, with the scope connections:write.',
    )
  }
  return text
}

/** Of the person who runs `npm run manifest -- --validate`; it has nothing to do with the bot. */
export function readConfigToken(text: string): string {
  if (/^xoxe\.xoxp-[\w-]+$/.test(text)) return text
  throw new Wrong(
    'is not an app configuration token, which starts with xoxe.xoxp-. At api.slack.com/apps, under Your App Configuration Tokens, copy the access token, not the refresh token.',
  )
}

export function readClientId(text: string): string {
  if (/^\d+\.\d+$/.test(text)) return text
  throw new Wrong(
    'is not a client id, which is two numbers with a dot in between. Copy it from your app, Basic Information, App Credentials.',
  )
}

export function readClientSecret(text: string): string {
  if (/^[\da-f]{20,}$/i.test(text)) return text
  throw new Wrong(
    'is not a client secret. Copy it from your app, Basic Information, App Credentials; it is hidden until you press Show.',
  )
}

const shortestStateSecret = 24

export function readStateSecret(text: string): string {
  if (text.length >= shortestStateSecret) return text
  throw new Wrong(
    `is too easy to guess: it is too short. Use at least ${shortestStateSecret} characters; \`npm run keygen\` prints some.`,
  )
}

export function readSigningSecret(text: string): string {
  if (/^(xox|xapp-)/.test(text)) {
    throw new Wrong(
      'holds a token. Copy the signing secret from your app, Basic Information, App Credentials.',
    )
  }
  if (!/^[\da-z]{20,}$/i.test(text)) {
    throw new Wrong(
      'is not a signing secret. Copy it from your app, Basic Information, App Credentials; it is hidden until you press Show.',
    )
  }
  return text
}

/**
 * What is odd about a signing secret that may be right all the same; undefined when nothing is. All that were ever seen
 * are 32 hexadecimal digits, but Slack's documents promise no form, and their own example has other letters: to refuse
 * it would stop a bot that works.
 */
export function signingSecretDoubt(text: string): string | undefined {
  if (/^[\da-f]{32}$/.test(text)) return undefined
  return (
    'SLACK_SIGNING_SECRET: doesn’t look right: a signing secret has 32 characters, 0–9 and a–f. If Bellhop refuses requests, ' +
    'copy it again from App Credentials, under Basic Information in your app.'
  )
}
