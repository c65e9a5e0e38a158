// Settings by which the bot comes to its tokens and secrets at Slack: a token that the operator gives it, or one from
// each installation. As in values.ts, no message repeats a value. Pure.
import { text } from './values.ts'

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

export const clientId = text(
  /^\d+\.\d+$/,
  'is not a client id, which is two numbers with a dot in between. Copy it from your app, Basic Information, App Credentials.',
)
export const clientSecret = text(
  /^[\da-f]{20,}$/i,
  'is not a client secret. Copy it from your app, Basic Information, App Credentials; it is hidden until you press Show.',
)
export const stateSecret = text(
  /^.{24,}$/,
  'is too easy to guess: it is too short. Use at least 24 characters; `npm run keygen` prints some.',
)
