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
    ifSlow: 'Check that this machine reaches slack.com, then ask again.',
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
    'Copy the bot token (xoxb-…) from OAuth & Permissions of your app into SLACK_BOT_TOKEN, and start Bellhop again.',
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
    const found = `Slack has not said whether it accepts it: ${whyOf(error)}.`
    return { name: tokenName, state: 'amber', found, mend: 'Ask again in a minute.' }
  }
  return {
    name: tokenName,
    state: 'red',
    found: `Slack does not answer rightly (${whyOf(error)}).`,
    mend: mendReach(error, 'Check that this machine reaches slack.com, and look at status.slack.com.'),
  }
}

/** @param usually - What to do where no proxy is the reason. */
function mendReach(error: unknown, usually: string): string {
  return proxyCodeOf(error) === undefined ? usually : mendProxy
}

/** Slack's own word for it, or what it was instead of an answer. */
export function whyOf(error: unknown): string {
  const { word, status, waitSeconds } = classify(error)
  if (waitSeconds !== undefined) return `it asks to wait ${waitSeconds} s`
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
        found: 'Slack does not say what the token may do, so nothing is switched off.',
        mend: 'If a proxy stands before Slack, let it pass on the header x-oauth-scopes.',
      },
    ]
  }
  const wanted = abilityNames.filter((one) => !unused.includes(one))
  const off = wanted.filter((one) => lacking(one, granted).length > 0)
  const on = wanted.length - off.length
  if (off.length === 0)
    return [{ name: scopesName, state: 'green', found: 'All that the manifest asks for.' }]
  const rest: Finding = { name: scopesName, state: 'green', found: `Those of ${on} features are granted.` }
  return [...off.map((one) => offFinding(one, granted)), rest]
}

/** What there is not without an ability: one sentence each. */
const without: Readonly<Record<Ability, string>> = {
  commands: 'There are no commands and no shortcuts.',
  messages: 'Bellhop cannot post cards, threads or direct messages.',
  publicChannels:
    'In a public channel that nobody invited Bellhop to, a card has no thread and cannot be watched.',
  people:
    'Access is granted by address only, and the token of somebody who leaves is not forgotten by itself.',
  mentions: 'Bellhop does not answer when it is mentioned.',
  directWords: 'Bellhop does not answer what is written to it directly.',
  home: 'The Home tab stays empty.',
  unfurls: 'Links of alerts get no preview.',
  threadLookUps: 'After a crash a reply of a watch is posted again, and says that it may stand there twice.',
  channelFacts:
    'Doctor cannot see which channels Bellhop is in, and a card stays live in a channel that is shared with another organisation.',
}

function offFinding(ability: Ability, granted: ReadonlySet<string>): Finding {
  const { name, isEssential } = abilities[ability]
  const missing = lacking(ability, granted)
  return {
    name,
    state: isEssential ? 'red' : 'amber',
    found: `Off: the token lacks ${missing.join(', ')}. ${without[ability]}`,
    mend: `Add ${missing.join(', ')} under OAuth & Permissions of your app, and install it again.${isEssential ? '' : ' Or leave it off.'}`,
  }
}

const socketName = 'Socket Mode'

/** Where no bot runs: whether Slack would give it a socket. @param offers - Throws what `refusals.ts` sorts. */
export function socketOfferCheck(offers: () => Promise<void>): Check {
  return {
    name: socketName,
    ifSlow: 'Check that this machine reaches slack.com, then ask again.',
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
                ? mendReach(error, 'Check that this machine reaches slack.com.')
                : 'Make an app-level token (xapp-…) with the scope connections:write, and turn Socket Mode on in your app.',
          },
        ]
      }
    },
  }
}
