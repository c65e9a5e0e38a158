// Doctor's looks at Slack: the tokens, the scopes of the bot token, whether Slack would give a socket, and channels.
import type { Config } from '../config/config.ts'
import { SlackError } from '../slack/client.ts'
import type { SlackProbe } from '../slack/slack.ts'
import { inList } from '../slack/text/mrkdwn.ts'
import {
  amber,
  type Check,
  type CheckResult,
  green,
  operatorCheck,
  red,
  untested,
} from './check.ts'
import { abilities, essentials, previews } from './scopes.ts'

export function configuredChecks({ scopes, see }: SlackProbe, config: Config): readonly Check[] {
  const hasPreviews = config.unfurls && config.alertUrl !== undefined
  const chosen = [
    { name: 'Audit channel', setting: 'AUDIT_CHANNEL', channelId: config.audit.channelId },
    { name: 'Approval channel', setting: 'APPROVAL_CHANNEL', channelId: config.approval.channelId },
  ]
  return [
    slackTokenCheck(scopes, hasPreviews),
    ...chosen.flatMap(({ channelId, ...one }) =>
      channelId === undefined ? [] : [channelCheck(see, channelId, one)],
    ),
  ]
}

export function slackTokenCheck(scopes: SlackProbe['scopes'], hasPreviews: boolean): Check {
  return operatorCheck('Slack token', async () => {
    try {
      const granted = await scopes()
      return [green('Slack accepts it.'), ...(granted ? scopesFound(granted, hasPreviews) : [])]
    } catch (error) {
      if (!(error instanceof SlackError && error.isOfToken)) throw error
      return [red(`Slack refuses it (${error.word}).`, copyToken)]
    }
  })
}

const copyToken =
  'Copy the bot token (xoxb-…) from OAuth & Permissions in your app into SLACK_BOT_TOKEN, and restart Bellhop.'

/** Findings about abilities that lack a scope. @param hasPreviews - False if the operator wants no previews. */
function scopesFound(granted: ReadonlySet<string>, hasPreviews: boolean): readonly CheckResult[] {
  const off = abilities.flatMap((one): readonly CheckResult[] => {
    const missing = one.scopes.filter((scope) => !granted.has(scope))
    if (missing.length === 0 || (one === previews && !hasPreviews)) return []
    const scopes = `the ${inList(missing)} ${missing.length === 1 ? 'scope' : 'scopes'}`
    const found = `Off: the token lacks ${scopes}. ${one.without}`
    const add = `Add ${scopes} under OAuth & Permissions in your app and reinstall it`
    const isEssential = essentials.includes(one)
    const said = isEssential ? red(found, `${add}.`) : amber(found, `${add}, or leave this off.`)
    return [{ name: one.name, ...said }]
  })
  if (off.length > 0) return off

  return [{ name: 'Scopes', ...green('The token has every scope in the manifest.') }]
}

/**
 * Whether Slack would give the bot a socket, asked while no bot runs. Over HTTP, this is untested: only Slack can test it.
 */
export function fromSlackCheck(
  offersSocket: (appToken: string) => Promise<void>,
  transport: Config['slack']['transport'],
): Check {
  return {
    name: 'From Slack',
    async run() {
      if (transport.kind === 'http') return [unproven]
      try {
        await offersSocket(transport.appToken)
        return [green('Slack accepts SLACK_APP_TOKEN and offers a socket.')]
      } catch (error) {
        if (!(error instanceof SlackError) || error.word === undefined || error.mayBeDone)
          throw error
        return [red(`Slack offers no socket (${error.word}).`, makeAppToken)]
      }
    },
  }
}

const makeAppToken =
  'Create an app-level token (xapp-…) with the connections:write scope, and turn on Socket Mode in your app.'
const unproven = untested(
  'Slack must be able to reach /slack/events under PUBLIC_URL, and only Slack can test that.',
  'Start Bellhop, and type /alert doctor in Slack.',
)

export function channelCheck(
  see: SlackProbe['see'],
  channelId: string,
  chosen?: { readonly name: string; readonly setting: string },
): Check {
  const where = chosen?.setting ?? 'this channel'
  const invite = `Type /invite @Bellhop ${chosen ? 'there' : 'here'}.`
  return {
    name: chosen?.name ?? 'This channel',
    ...(chosen && { by: 'operator' }),
    async run() {
      const seen = await see(channelId)
      // Slack doesn’t say for want of a scope, which has a finding of its own.
      if (seen === undefined) return []
      const { presence, isShared } = seen
      if (chosen && isShared) {
        const found = `${where} is shared with another organisation, which could read everything in it.`
        return [
          red(found, `Set ${where} to a channel of your own organisation, and restart Bellhop.`),
        ]
      }
      if (presence === 'member') return [green(`Bellhop is in ${where}.`)]

      const out = `Bellhop isn’t in ${where}, so`
      if (presence === 'not-member') {
        const canPost = 'It can post, as the channel is public.'
        return [amber(`${out} it doesn’t notice mentions there. ${canPost}`, invite)]
      }
      if (chosen) return [red(`${out} it can’t post there.`, invite)]
      return [amber(`${out} cards have no thread and can’t be watched.`, invite)]
    },
  }
}
