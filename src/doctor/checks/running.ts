// A Bellhop that runs on this machine, by what it says itself: its figures tell where each of Slack’s requests, or its own
// token in a workspace, is refused, as nobody there could ask doctor in Slack; and it says whether it is ready.
import { fewInARow } from '../../slack/inbound/signatures.ts'
import { databaseReasons } from '../health.ts'
import { readyWords } from '../ready-words.ts'
import type { Check, Finding } from './check.ts'

/** Undefined where it has refused none in a row that would tell of more than strangers. @param figures - Of /metrics. */
export function refusedFinding(name: string, figures: string): Finding | undefined {
  const inARow = figureOf(figures, 'bellhop_signatures_refused_in_a_row')
  if (inARow <= fewInARow) return undefined
  const of = (reason: string) => figureOf(figures, `bellhop_signatures_refused_total{reason="${reason}"}`)
  return {
    name,
    state: 'red',
    found: `The Bellhop running here has refused the last ${inARow} requests.`,
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
    mend: 'To find out which, look for “Slack refuses the bot token of a workspace” in Bellhop’s log. Install Bellhop there again, at /slack/install under PUBLIC_URL.',
  }
}

const mendSecret = 'Copy SLACK_SIGNING_SECRET again from Basic Information in your app, and restart Bellhop.'
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
export function ownUrl(
  path: '/metrics' | '/readyz',
  at: { readonly host: string; readonly port: number },
): string {
  const asked = own[at.host] ?? at.host
  return `http://${asked.includes(':') ? `[${asked}]` : asked}:${at.port}${path}`
}

/** Finds nothing where none runs, or it is ready. @param ready - What it answers to /readyz; undefined where none does. */
export function readyCheck(ready: () => Promise<string | undefined>): Check {
  return { name: 'Bellhop', run: async () => unreadyFindings((await ready()) ?? ''), ifSlow: '' }
}

/** True when it says that its database file is not in its place any more. */
export function isMoved(ready: string | undefined): boolean {
  return ready !== undefined && reasonsIn(ready).storage === databaseReasons.moved.said
}

function unreadyFindings(ready: string): readonly Finding[] {
  const { process, storage, Slack } = reasonsIn(ready)
  const lost = Object.values(databaseReasons).find(({ said }) => said === storage)
  return [
    ...unready('Bellhop', 'amber', process, { mend: 'Wait until it has stopped, or start it again.' }),
    ...unready('Database', 'red', storage, lost),
    ...unready('Slack', 'red', Slack),
  ]
}

const seeLog = 'Check its log, and the other lines here.'

/** Sentences for what /readyz says in a few words, without their subject. */
const otherSentences: ReadonlyMap<string, string> = new Map([
  [readyWords.silent, 'is still waiting for Slack’s first answer.'],
  [readyWords.noSocket, 'isn’t connected to Slack.'],
])

function unready(
  name: string,
  state: 'red' | 'amber',
  reason: string | undefined,
  known: { readonly found?: string; readonly mend?: string } = {},
): readonly Finding[] {
  if (reason === undefined) return []
  const { found = otherSentences.get(reason) ?? `isn’t ready: ${reason}.`, mend = seeLog } = known
  return [{ name, state, found: `The Bellhop running here ${found}`, mend }]
}

/** Of what is not ready. Something else may listen there, which says other things. */
function reasonsIn(ready: string): Readonly<Record<'process' | 'storage' | 'Slack', string | undefined>> {
  const said = /^not ready\nprocess: (.{1,200})\nstorage: (.{1,200})\nSlack: (.{1,200})$/.exec(ready)
  const [process, storage, Slack] = (said?.slice(1) ?? []).map((one) => (one === 'ready' ? undefined : one))
  return { process, storage, Slack }
}
