// Readers of Slack's tokens and secrets. As in values.ts, no message repeats a value.
import { Wrong } from './values.ts'

/** Source: docs.slack.dev/authentication/using-token-rotation: once it is on, an app cannot turn it off. */
const rotatingBot =
  'expires within hours: token rotation is on in your app, and Slack cannot turn it off again. Create the app anew from `npm run manifest`, which has token_rotation_enabled: false, and copy its bot token (xoxb-…).'

/** Source: docs.slack.dev/authentication/tokens, “App-level tokens”. */
const rotatingApp =
  'expires within hours: rotation of app-level tokens is on in your app. Set app_level_token_rotation_enabled to false in the app’s manifest, then make an app-level token that starts with xapp-.'

export function readBotToken(text: string): string {
  if (text.startsWith('xoxe.')) throw new Wrong(rotatingBot)
  if (text.startsWith('xapp-')) {
    throw new Wrong(
      'holds an app-level token (xapp-…), which belongs in SLACK_APP_TOKEN. The bot token starts with xoxb-; it is under OAuth & Permissions.',
    )
  }
  if (!/^xoxb-[\w-]+$/.test(text)) {
    throw new Wrong('is not a bot token. It starts with xoxb-; copy it from OAuth & Permissions of your app.')
  }
  return text
}

export function readAppToken(text: string): string {
  if (text.startsWith('xoxe.xapp-')) throw new Wrong(rotatingApp)
  if (text.startsWith('xox')) {
    throw new Wrong(
      'holds another kind of token; a bot token (xoxb-…) belongs in SLACK_BOT_TOKEN. The app-level token starts with xapp-; it is under Basic Information, with the scope connections:write.',
    )
  }
  if (!/^xapp-[\w-]+$/.test(text)) {
    throw new Wrong(
      'is not an app-level token. It starts with xapp-; make one under Basic Information of your app, with the scope connections:write.',
    )
  }
  return text
}

/** Of the person who runs `npm run manifest -- --validate`; it has nothing to do with the bot. */
export function readConfigToken(text: string): string {
  if (/^xoxe\.xoxp-[\w-]+$/.test(text)) return text
  throw new Wrong(
    'is not an app configuration token. It starts with xoxe.xoxp-; copy the access token, not the refresh token, from Your App Configuration Tokens at api.slack.com/apps.',
  )
}

export function readClientId(text: string): string {
  if (/^\d+\.\d+$/.test(text)) return text
  throw new Wrong(
    'is not a client id, which is two numbers with a dot between. Copy it from Basic Information of your app, App Credentials.',
  )
}

export function readClientSecret(text: string): string {
  if (/^[\da-f]{20,}$/i.test(text)) return text
  throw new Wrong(
    'is not a client secret. Copy it from Basic Information of your app, App Credentials, where it is hidden until you press Show.',
  )
}

const shortestStateSecret = 24

export function readStateSecret(text: string): string {
  if (text.length >= shortestStateSecret) return text
  throw new Wrong(
    `is too short to be hard to guess. Use at least ${shortestStateSecret} characters; \`npm run keygen\` prints some.`,
  )
}

export function readSigningSecret(text: string): string {
  if (/^(xox|xapp-)/.test(text)) {
    throw new Wrong(
      'holds a token. The signing secret is under Basic Information of your app, App Credentials.',
    )
  }
  if (!/^[\da-z]{20,}$/i.test(text)) {
    throw new Wrong(
      'is not a signing secret. Copy it from Basic Information of your app, App Credentials, where it is hidden until you press Show.',
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
    'SLACK_SIGNING_SECRET: is not 32 digits and letters from a to f, as Slack’s are. If requests are refused, ' +
    'copy it again from Basic Information of your app, App Credentials.'
  )
}
