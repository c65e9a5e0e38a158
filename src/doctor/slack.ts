// Doctor's look at Slack: whether it takes the tokens, what the bot's one may do, and whether Slack's requests reach the
// bot, as far as that is proven.
import { SlackError } from '../slack/client/slack-error.ts'
import { type Ability, abilities, abilityNames, lacking } from '../slack/workspace/scopes.ts'
import { amber, type Check, type Found, green, listed, red, untested } from './check.ts'

const ifSlow = 'Check that this machine can reach slack.com, then try again.'

/**
 * @param scopes - Asks Slack. Throws SlackError.
 * @param unused - Abilities that are switched off by the operator.
 */
export function slackTokenCheck(
  scopes: () => Promise<ReadonlySet<string> | undefined>,
  unused: readonly Ability[],
): Check {
  return {
    name: 'Slack token',
    by: 'operator',
    ifSlow,
    async run() {
      try {
        const granted = await scopes()
        return [green('Slack accepts it.'), ...scopesFound(granted, unused)]
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
function scopesFound(granted: ReadonlySet<string> | undefined, unused: readonly Ability[]): readonly Found[] {
  const name = 'Scopes'
  if (granted === undefined) return [{ name, ...unsaid }]
  const off = abilityNames.filter((one) => !unused.includes(one) && lacking(one, granted).length > 0)
  if (off.length > 0) return off.map((one) => offFound(one, granted))
  return [{ name, ...green('The token has every scope in the manifest.') }]
}

const unsaid = amber(
  'Slack didn’t say which scopes the token has, so nothing is switched off.',
  'If there’s a proxy between Bellhop and Slack, make it pass on the x-oauth-scopes header.',
)

/** What does not work without an ability: one sentence each. */
const without: Readonly<Record<Ability, string>> = {
  commands: 'Commands and shortcuts don’t work.',
  messages: 'Bellhop can’t post cards, threads or direct messages.',
  publicChannels: 'In public channels that Bellhop isn’t in, cards have no thread and can’t be watched.',
  people:
    'Access can be granted by address only, admins aren’t recognised, and the tokens of people who leave aren’t deleted.',
  mentions: 'Bellhop doesn’t answer mentions.',
  directWords: 'Bellhop doesn’t answer direct messages.',
  home: 'The Home tab stays empty.',
  unfurls: 'Links to alerts get no preview.',
  channelFacts:
    'Doctor can’t see which channels Bellhop is in. In a channel that’s shared with another organisation, cards stay live and show names.',
}

function offFound(ability: Ability, granted: ReadonlySet<string>): Found {
  const { name, isEssential } = abilities[ability]
  const missing = lacking(ability, granted)
  const scopes = `the ${listed(missing)} ${missing.length === 1 ? 'scope' : 'scopes'}`
  const found = `Off: the token lacks ${scopes}. ${without[ability]}`
  const add = `Add ${scopes} under OAuth & Permissions in your app and reinstall it`
  return { name, ...(isEssential ? red(found, `${add}.`) : amber(found, `${add}, or leave this off.`)) }
}

const name = 'From Slack'

/** Where no bot runs: whether Slack would give it a socket. @param offers - Throws SlackError. */
export function socketOfferCheck(offers: () => Promise<void>): Check {
  return {
    ...{ name, ifSlow },
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
export function unprovenHttpCheck(): Check {
  const found = 'Slack must be able to reach /slack/events under PUBLIC_URL, and only Slack can test that.'
  return {
    name,
    run: async () => [untested(found, 'Start Bellhop, and type /alert doctor in Slack.')],
  }
}
