// Doctor's look at Slack: whether it takes the tokens, what the bot's one may do, and whether Slack's requests reach the
// bot, as far as that is proven.
import type { Config } from '../../config/config.ts'
import { classify, type SlackFailure } from '../../slack/client/refusals.ts'
import type { InboundState } from '../../slack/inbound/inbound.ts'
import type { SignatureState } from '../../slack/inbound/signatures.ts'
import { type Ability, abilities, abilityNames, lacking } from '../../slack/workspace/scopes.ts'
import { type Check, type Finding, listed } from './check.ts'
import { refusedFinding } from './running.ts'

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
    'Copy the bot token (xoxb-…) from OAuth & Permissions in your app into SLACK_BOT_TOKEN, and restart Bellhop.',
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
    const found = `Slack didn’t check the token: ${whyOf(error)}.`
    return { name: tokenName, state: 'amber', found, mend: 'Try again in a minute.' }
  }
  const found = hasAnswered(failure)
    ? `Slack returned an error (${whyOf(error)}).`
    : `Bellhop can’t reach Slack (${whyOf(error)}).`
  return { name: tokenName, state: 'red', found, mend: mendAnswer(error) }
}

/** With an error or with no more than a status; something else may have answered in its place. */
function hasAnswered({ word, status }: SlackFailure): boolean {
  return word !== undefined || status !== undefined
}

/** What to do where Slack has not said what is wrong on our side. */
function mendAnswer(error: unknown): string {
  const failure = classify(error)
  if (failure.kind === 'busy') return 'Try again in a minute.'
  if (failure.word !== undefined)
    return 'Try again in a minute. If it keeps happening, look at status.slack.com.'
  const reach = 'Check that this machine can reach slack.com, and HTTPS_PROXY if it’s set'
  return hasAnswered(failure) ? `${reach}, and look at status.slack.com.` : `${reach}.`
}

/** Slack's own word for it, or what it was instead of an answer. */
export function whyOf(error: unknown): string {
  const { word, status, waitSeconds } = classify(error)
  if (waitSeconds !== undefined) return `it asked Bellhop to wait ${waitSeconds} s`
  return word ?? (status === undefined ? 'no connection' : `HTTP ${status}`)
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
        mend: 'If there’s a proxy between Bellhop and Slack, make it pass on the x-oauth-scopes header.',
      },
    ]
  }
  const wanted = abilityNames.filter((one) => !unused.includes(one))
  const off = wanted.filter((one) => lacking(one, granted).length > 0)
  const on = wanted.length - off.length
  if (off.length === 0)
    return [{ name: scopesName, state: 'green', found: 'The token has every scope in the manifest.' }]
  const lost = off.map((one) => offFinding(one, granted))
  if (on === 0) return lost
  const others = on === 1 ? 'one other feature' : `${on} other features`
  return [...lost, { name: scopesName, state: 'green', found: `The token has the scopes for ${others}.` }]
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
  threadLookUps:
    'After a crash, Bellhop may post news of a live card twice, and marks the second one as a possible duplicate.',
  channelFacts:
    'Doctor can’t see which channels Bellhop is in. In a channel that’s shared with another organisation, cards stay live and show names.',
}

function offFinding(ability: Ability, granted: ReadonlySet<string>): Finding {
  const { name, isEssential } = abilities[ability]
  const missing = lacking(ability, granted)
  const scopes = `the ${listed(missing)} ${missing.length === 1 ? 'scope' : 'scopes'}`
  return {
    name,
    state: isEssential ? 'red' : 'amber',
    found: `Off: the token lacks ${scopes}. ${without[ability]}`,
    mend: `Add ${scopes} under OAuth & Permissions in your app and reinstall it${isEssential ? '' : ', or leave this off'}.`,
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
        const { kind, word } = classify(error)
        const isOurs = word !== undefined && kind !== 'unsure'
        return [
          {
            name: socketName,
            state: 'red',
            found: `Slack offers no socket (${whyOf(error)}).`,
            mend: isOurs
              ? 'Create an app-level token (xapp-…) with the connections:write scope, and turn on Socket Mode in your app.'
              : mendAnswer(error),
          },
        ]
      }
    },
  }
}

const arrivalName = 'From Slack'

/** For an answer to a command: that it came is the proof. */
export function transportCheck(transport: () => InboundState, now: () => number): Check {
  return {
    name: arrivalName,
    by: 'operator',
    run: async () => arrivalFindings(transport(), now()),
    ifSlow: '',
  }
}

/** Apart from the rest: whoever missed an answer can do something about it. */
export function heldBackCheck(transport: () => InboundState, now: () => number): Check {
  return {
    name: 'Events held back',
    run: async () => heldBackFindings(transport().heldBackAt, now()),
    ifSlow: '',
  }
}

const dayMs = 24 * 60 * 60_000

/** Slack passes on 30,000 events of a workspace in an hour. Source: docs.slack.dev/reference/events/app_rate_limited. */
function heldBackFindings(heldBackAt: number | undefined, now: number): readonly Finding[] {
  if (heldBackAt === undefined || now - heldBackAt > dayMs) return []
  return [
    {
      name: 'Events held back',
      state: 'amber',
      found: `Slack held back events ${ago(now - heldBackAt)}: one workspace had more than 30,000 of them within an hour.`,
      mend: 'Repeat any mention, direct message or link from that time that got no answer. Commands and buttons weren’t affected.',
    },
  ]
}

function arrivalFindings(transport: InboundState, now: number): readonly Finding[] {
  if (transport.kind === 'socket') {
    if (transport.isConnected) {
      return [
        {
          name: arrivalName,
          state: 'green',
          found: 'Your command arrived over Socket Mode, which is connected.',
        },
      ]
    }
    return [
      {
        name: arrivalName,
        state: 'amber',
        found:
          'Your command arrived over Socket Mode. The connection has dropped since, and Bellhop is reconnecting.',
        mend: 'If it doesn’t reconnect, check that this machine can reach slack.com.',
      },
    ]
  }
  const { lastEventAt } = transport
  const commands: Finding = {
    name: arrivalName,
    state: 'green',
    found: 'Your command arrived over HTTP, signed by Slack.',
  }
  const events: Finding =
    lastEventAt === undefined
      ? {
          name: 'Events',
          state: 'untested',
          found: 'No event has arrived since Bellhop started, which is normal if nobody has mentioned it.',
          mend: 'To test this, open Bellhop’s Home and try again. If still no event arrives, check Event Subscriptions in your app.',
        }
      : { name: 'Events', state: 'green', found: `The last event arrived ${ago(now - lastEventAt)}.` }
  return [commands, events, ...refusedFindings(transport.signatures, now)]
}

/** Whoever reads this over HTTP was let in, so neither the secret nor the clock is wrong. */
function refusedFindings({ refused, lastRefusedAt }: SignatureState, now: number): readonly Finding[] {
  if (lastRefusedAt === undefined) return []
  const { headers, clock, secret } = refused
  const kinds = [
    ...(headers === 0 ? [] : [`${headers} had no Slack signature`]),
    ...(secret === 0 ? [] : [`${secret} had a wrong ${headers === 0 ? 'signature' : 'one'}`]),
    ...(clock === 0 ? [] : [`${clock} had a time more than five minutes off`]),
  ]
  const all = headers + clock + secret
  const found = `Bellhop has refused ${all === 1 ? '1 request' : `${all} requests`} since it started; the latest came ${ago(now - lastRefusedAt)}. ${listed(kinds)}. Yours was fine, so ${all === 1 ? 'this comes' : 'these come'} from elsewhere.`
  return [{ name: 'Refused requests', state: 'green', found }]
}

/**
 * In a terminal, nothing arrives over HTTP that would prove the way.
 * @param figures - Those of a bot that runs on this machine; undefined where none does.
 */
export function unprovenHttpCheck(figures: () => Promise<string | undefined>): Check {
  const finding: Finding = {
    name: arrivalName,
    state: 'untested',
    found: 'Slack must be able to reach /slack/events under PUBLIC_URL, and only Slack can test that.',
    mend: 'Start Bellhop, and type /alert doctor in Slack.',
  }
  return {
    name: arrivalName,
    run: async () => [refusedFinding(arrivalName, (await figures()) ?? '') ?? finding],
    ifSlow: '',
  }
}

function ago(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  if (minutes === 0) return 'within the last minute'
  if (minutes < 120) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago`
  return `${Math.floor(minutes / 60)} hours ago`
}
