// What a Bellhop that runs on this machine says of Slack, by its figures: where each of Slack's requests is refused, or
// its own token in a workspace, nobody could ask doctor in Slack.
import { fewInARow } from '../slack/signatures.ts'
import type { Finding } from './check.ts'

/** Undefined where it has refused none in a row that would tell of more than strangers. @param figures - Of /metrics. */
export function refusedFinding(name: string, figures: string): Finding | undefined {
  const inARow = figureOf(figures, 'bellhop_signatures_refused_in_a_row')
  if (inARow <= fewInARow) return undefined
  const of = (reason: string) => figureOf(figures, `bellhop_signatures_refused_total{reason="${reason}"}`)
  return {
    name,
    state: 'red',
    found: `The Bellhop that runs here has refused ${inARow} requests since the last good one.`,
    mend: of('clock') > of('secret') ? mendClock : mendSecret,
  }
}

/**
 * Undefined where Slack refuses none that this Bellhop has used. For a bot that workspaces install: the one token of
 * SLACK_BOT_TOKEN is tried itself. @param figures - Of /metrics.
 */
export function refusedTokensFinding(name: string, figures: string): Finding | undefined {
  const count = figureOf(figures, 'bellhop_bot_tokens_refused')
  if (count === 0) return undefined
  return {
    name,
    state: 'red',
    found: `Slack refuses the bot token of ${count === 1 ? '1 workspace' : `${count} workspaces`}.`,
    mend: 'The log of Bellhop names it: “Slack refuses the bot token of a workspace”. Install Bellhop there again, at /slack/install under PUBLIC_URL.',
  }
}

const mendSecret =
  'Copy SLACK_SIGNING_SECRET again from Basic Information of your app, and start Bellhop again.'
const mendClock =
  'Turn on time synchronisation: this machine’s clock and Slack’s are more than five minutes apart.'

/** 0 where there is none. @param sample - Name and labels. */
function figureOf(figures: string, sample: string): number {
  const line = figures.split('\n').find((one) => one.startsWith(`${sample} `))
  const value = Number(line?.slice(sample.length))
  return Number.isFinite(value) ? value : 0
}

/** Every address is none to ask at. */
const own: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where it listens, as the settings say. */
export function figuresUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const asked = own[host] ?? host
  return `http://${asked.includes(':') ? `[${asked}]` : asked}:${port}/metrics`
}
