// How the bot comes to its tokens at Slack: one that the operator gives it, or one from each installation. Pure.

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
type OfInstalls = 'SLACK_CLIENT_ID' | 'SLACK_CLIENT_SECRET' | 'SLACK_STATE_SECRET'

/** True as soon as one setting of OAuth is there. */
export function isByOAuth(env: Given<OfInstalls>): boolean {
  return [env.SLACK_CLIENT_ID, env.SLACK_CLIENT_SECRET, env.SLACK_STATE_SECRET].some(
    (text) => text !== undefined,
  )
}

/** What is missing, and what does not go together. */
export function botProblems(
  env: Given<OfInstalls | 'SLACK_BOT_TOKEN' | 'PUBLIC_URL' | 'AUDIT_CHANNEL' | 'APPROVAL_CHANNEL'>,
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
  'is missing. Copy the bot token (xoxb-…) from OAuth & Permissions of your app at api.slack.com/apps, ' +
  'or set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET to let several workspaces install it.'
const tokenTooMany =
  'is for one workspace, and SLACK_CLIENT_ID and its like are for several. Take one or the other out.'
const missingCredential =
  'is missing. Copy it from Basic Information of your app at api.slack.com/apps, App Credentials.'
const noStateSecret = 'is missing. Any long random text of your own will do; `npm run keygen` prints one.'
/** Of PUBLIC_URL. */
export const nowhereToReturn =
  'is missing. Whoever installs Bellhop comes back from Slack to it, as in https://bellhop.example.com.'
const channelTooMany =
  'is for one workspace. Take it out: with SLACK_CLIENT_ID, admins of each workspace set its channels with /alert settings.'
