// Doctor's look at Slack: the token, what it may do, and the way requests come in.
import type { Config } from '../../config/config.ts'
import { proxyCodeOf } from '../../http/proxy.ts'
import { classify } from '../../slack/client/refusals.ts'
import { type Ability, abilities, abilityNames, lacking } from '../../slack/workspace/scopes.ts'
import type { Check, Finding } from './check.ts'
import { mendProxy } from './service.ts'

const tokenName = 'Slack token'

/**
 * @param scopes - Asks Slack; throws what `refusals.ts` sorts.
 * @param unused - Abilities that are switched off by the operator.
 * @param from - Where the token comes from.
 */
export function slackTokenCheck(
  scopes: () => Promise<ReadonlySet<string> | undefined>,
  unused: readonly Ability[] = [],
  from: TokenFrom = 'token',
): Check {
  return {
    name: tokenName,
    by: 'operator',
    ifSlow: 'Check that this machine can reach slack.com, then try again.',
    async run() {
      try {
        const granted = await scopes()
        return [
          { name: tokenName, state: 'green', found: 'Slack accepts it.' },
          ...scopeFindings(granted, unused),
        ]
      } catch (error) {
        if (classify(error).kind === 'defect') throw error
        return [refusedToken(error, from)]
      }
    },
  }
}

type TokenFrom = Config['slack']['bot']['kind']

const newToken = {
  token:
    'Copy the bot token (xoxb-…) from OAuth & Permissions of your app into SLACK_BOT_TOKEN, and restart Bellhop.',
  oauth: 'Install Bellhop in this workspace again, at /slack/install under PUBLIC_URL.',
} satisfies Record<TokenFrom, string>

function refusedToken(error: unknown, from: TokenFrom): Finding {
  const failure = classify(error)
  if (failure.kind === 'token') {
    return {
      name: tokenName,
      state: 'red',
      found: `Slack refuses it (${failure.word}).`,
      mend: newToken[from],
    }
  }
  if (failure.kind === 'busy') {
    const found = `Slack didn’t say whether it accepts it: ${whyOf(error)}.`
    return { name: tokenName, state: 'amber', found, mend: 'Try again in a minute.' }
  }
  return {
    name: tokenName,
    state: 'red',
    found: `Slack doesn’t answer properly (${whyOf(error)}).`,
    mend: mendReach(error, 'Check that this machine can reach slack.com, and look at status.slack.com.'),
  }
}

/** @param usually - What to do where no proxy is the reason. */
function mendReach(error: unknown, usually: string): string {
  return proxyCodeOf(error) === undefined ? usually : mendProxy
}

/** Slack's own word for it, or what it was instead of an answer. */
export function whyOf(error: unknown): string {
  const { word, status, waitSeconds } = classify(error)
  if (waitSeconds !== undefined) return `it asked Bellhop to wait ${waitSeconds} s`
  const proxy = proxyCodeOf(error)
  const silence = proxy === undefined ? 'no connection' : `no connection, ${proxy}`
  return word ?? (status === undefined ? silence : `HTTP ${status}`)
}

const scopesName = 'Scopes'

/** What is switched off for want of a scope, ability by ability. */
export function scopeFindings(
  granted: ReadonlySet<string> | undefined,
  unused: readonly Ability[] = [],
): readonly Finding[] {
  if (granted === undefined) {
    return [
      {
        name: scopesName,
        state: 'amber',
        found: 'Slack didn’t say which scopes the token has, so nothing is switched off.',
        mend: 'If a proxy is in front of Slack, make it pass on the header x-oauth-scopes.',
      },
    ]
  }
  const wanted = abilityNames.filter((one) => !unused.includes(one))
  const off = wanted.filter((one) => lacking(one, granted).length > 0)
  const on = wanted.length - off.length
  if (off.length === 0)
    return [{ name: scopesName, state: 'green', found: 'The token has every scope in the manifest.' }]
  const rest: Finding = {
    name: scopesName,
    state: 'green',
    found: `The token has the scopes for ${on} other features.`,
  }
  return [...off.map((one) => offFinding(one, granted)), rest]
}

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
  threadLookUps: 'After a crash, Bellhop may post news of a live card twice, and says so.',
  channelFacts:
    'Doctor can’t see which channels Bellhop is in, and a card stays live in a channel that becomes shared with another organisation.',
}

function offFinding(ability: Ability, granted: ReadonlySet<string>): Finding {
  const { name, isEssential } = abilities[ability]
  const missing = lacking(ability, granted)
  return {
    name,
    state: isEssential ? 'red' : 'amber',
    found: `Off: the token lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}. ${without[ability]}`,
    mend: `Add ${missing.join(', ')} under OAuth & Permissions of your app, and reinstall it.${isEssential ? '' : ' Or leave this off.'}`,
    // Nobody is known as an admin then, who would see this line.
    isFelt: isEssential || ability === 'people',
  }
}

const socketName = 'Socket Mode'

/** Where no bot runs: whether Slack would give it a socket. @param offers - Throws what `refusals.ts` sorts. */
export function socketOfferCheck(offers: () => Promise<void>): Check {
  return {
    name: socketName,
    ifSlow: 'Check that this machine can reach slack.com, then try again.',
    async run() {
      try {
        await offers()
        return [
          { name: socketName, state: 'green', found: 'Slack accepts SLACK_APP_TOKEN and offers a socket.' },
        ]
      } catch (error) {
        if (classify(error).kind === 'defect') throw error
        const refusal = classify(error).word
        return [
          {
            name: socketName,
            state: 'red',
            found: `Slack offers no socket (${whyOf(error)}).`,
            mend:
              refusal === undefined
                ? mendReach(error, 'Check that this machine can reach slack.com.')
                : 'Make an app-level token (xapp-…) with the scope connections:write, and turn on Socket Mode in your app.',
          },
        ]
      }
    },
  }
}
