// Doctor's looks at Slack: whether it takes the tokens, what the bot's one may do, whether it would give a socket, and
// whether the bot is in channels.
import { SlackError } from '../slack/client.ts'
import type { ChannelSeen } from '../slack/slack.ts'
import { amber, type Check, type Found, green, listed, red, untested } from './check.ts'
import { type Ability, abilities, previews } from './scopes.ts'

/**
 * @param scopes - Asks Slack. Throws SlackError.
 * @param hasPreviews - False where the operator has switched them off.
 */
export function slackTokenCheck(
  scopes: () => Promise<ReadonlySet<string> | undefined>,
  hasPreviews: boolean,
): Check {
  return {
    name: 'Slack token',
    by: 'operator',
    async run() {
      try {
        const granted = await scopes()
        return [green('Slack accepts it.'), ...scopesFound(granted, hasPreviews)]
      } catch (error) {
        if (!(error instanceof SlackError && error.isOfToken)) throw error
        return [red(`Slack refuses it (${error.word}).`, copyToken)]
      }
    },
  }
}

const copyToken =
  'Copy the bot token (xoxb-…) from OAuth & Permissions in your app into SLACK_BOT_TOKEN, and restart Bellhop.'

/** What is switched off for want of a scope, ability by ability. */
function scopesFound(granted: ReadonlySet<string> | undefined, hasPreviews: boolean): readonly Found[] {
  const name = 'Scopes'
  if (granted === undefined) return [{ name, ...unsaid }]
  const off = abilities.flatMap((one) => {
    const missing = one.scopes.filter((scope) => !granted.has(scope))
    return missing.length === 0 || (one === previews && !hasPreviews) ? [] : [offFound(one, missing)]
  })
  if (off.length > 0) return off
  return [{ name, ...green('The token has every scope in the manifest.') }]
}

const unsaid = amber(
  'Slack didn’t say which scopes the token has.',
  'If there’s a proxy between Bellhop and Slack, make it pass on the x-oauth-scopes header.',
)

function offFound({ name, without, isEssential }: Ability, missing: readonly string[]): Found {
  const scopes = `the ${listed(missing)} ${missing.length === 1 ? 'scope' : 'scopes'}`
  const found = `Off: the token lacks ${scopes}. ${without}`
  const add = `Add ${scopes} under OAuth & Permissions in your app and reinstall it`
  return { name, ...(isEssential ? red(found, `${add}.`) : amber(found, `${add}, or leave this off.`)) }
}

const name = 'From Slack'

/** Where no bot runs: whether Slack would give it a socket. @param offers - Throws SlackError. */
export function socketOfferCheck(offers: () => Promise<void>): Check {
  return {
    name,
    async run() {
      try {
        await offers()
        return [green('Slack accepts SLACK_APP_TOKEN and offers a socket.')]
      } catch (error) {
        if (!(error instanceof SlackError) || error.word === undefined || error.mayBeDone) throw error
        return [red(`Slack offers no socket (${error.word}).`, makeAppToken)]
      }
    },
  }
}

const makeAppToken =
  'Create an app-level token (xapp-…) with the connections:write scope, and turn on Socket Mode in your app.'

/** Where no bot runs, nothing arrives over HTTP that would prove the way. */
export const unprovenHttpCheck: Check = {
  name,
  run: async () => [
    untested(
      'Slack must be able to reach /slack/events under PUBLIC_URL, and only Slack can test that.',
      'Start Bellhop, and type /alert doctor in Slack.',
    ),
  ],
}

/** Throws SlackError. */
type See = (channelId: string) => Promise<ChannelSeen>

/** Whether the bot is where somebody asks. */
export function hereCheck(see: See, channelId: string): Check {
  const hidden = amber('Bellhop isn’t in this channel, so cards have no thread and can’t be watched.')
  const words = presenceWords('this channel', 'here', hidden)
  return { name: 'This channel', run: async () => [words[(await see(channelId)).presence]] }
}

/** Whether the bot can post in a channel that the operator has chosen. @param setting - Its name. */
export function chosenChannelCheck(see: See, name: string, setting: string, channelId: string): Check {
  const hidden = red(`Bellhop isn’t in ${setting}, so it can’t post there.`)
  const words = presenceWords(setting, 'there', hidden)
  const shared = red(
    `${setting} is shared with another organisation, which could read everything in it.`,
    `Set ${setting} to a channel of your own organisation, and restart Bellhop.`,
  )
  const run = async () => {
    const { presence, isShared } = await see(channelId)
    return [isShared ? shared : words[presence]]
  }
  return { name, by: 'operator', run }
}

/** @param hidden - What comes of not being in a private one. */
function presenceWords(
  where: string,
  there: string,
  hidden: Found,
): Readonly<Record<ChannelSeen['presence'], Found>> {
  const mend = `Type /invite @Bellhop ${there}.`
  const outside = `Bellhop isn’t in ${where}. It can post in a public channel anyway, but it doesn’t notice mentions ${there}.`
  const unseen = `Without the scopes channels:read and groups:read, Bellhop can’t see whether it is in ${where}.`
  return {
    member: green(`Bellhop is in ${where}.`),
    'not-member': amber(outside, mend),
    hidden: { ...hidden, mend },
    unknown: untested(unseen, `To be sure: ${mend}`),
  }
}
