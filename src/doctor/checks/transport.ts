// Doctor's look at the way from Slack to the bot, as far as it is proven.
import type { InboundState } from '../../slack/inbound/inbound.ts'
import type { SignatureState } from '../../slack/inbound/signatures.ts'
import { type Check, type Finding, listed } from './check.ts'
import { refusedFinding } from './running.ts'

const name = 'From Slack'

/** For an answer to a command: that it came is the proof. */
export function transportCheck(transport: () => InboundState, now: () => number): Check {
  return { name, by: 'operator', run: async () => arrivalFindings(transport(), now()), ifSlow: '' }
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
      return [{ name, state: 'green', found: 'Your command arrived over Socket Mode, which is connected.' }]
    }
    return [
      {
        name,
        state: 'amber',
        found:
          'Your command arrived over Socket Mode. The connection has dropped since, and Bellhop is reconnecting.',
        mend: 'If it doesn’t reconnect, check that this machine can reach slack.com.',
      },
    ]
  }
  const { lastEventAt } = transport
  const commands: Finding = {
    name,
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
    name,
    state: 'untested',
    found: 'Slack must be able to reach /slack/events under PUBLIC_URL, and only Slack can test that.',
    mend: 'Start Bellhop, and type /alert doctor in Slack.',
  }
  return {
    name,
    run: async () => [refusedFinding(name, (await figures()) ?? '') ?? finding],
    ifSlow: '',
  }
}

function ago(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  if (minutes === 0) return 'within the last minute'
  if (minutes < 120) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago`
  return `${Math.floor(minutes / 60)} hours ago`
}
