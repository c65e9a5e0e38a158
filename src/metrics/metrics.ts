// Figures for Prometheus. Labels come from short lists: no ids, no names of people, workspaces or containers.
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import { inTime } from '../work/under-way.ts'

const register = Registry.globalRegistry

/** Bounds in seconds. Slack waits 3 for an ack; an answer of the service or of Slack that takes over 10 is rare. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]

export const requestsTotal = new Counter({
  name: 'bellhop_requests_total',
  help: 'Requests from Slack that are done, by kind, by what they were about, and by how they ended.',
  labelNames: ['kind', 'about', 'outcome'],
})
export const grantsTotal = new Counter({
  name: 'bellhop_grants_total',
  help: 'Grants, changes, removals and invitations, one a person, by kind, by what became of them and why (not-sent: nothing was sent any more after others of the same request); counted when it was told: at_once, or late, which is afterwards.',
  labelNames: ['kind', 'outcome', 'reason', 'told'],
})
export const actsTotal = new Counter({
  name: 'bellhop_acts_total',
  help: 'Changes to alerts, and of maintenance (set-mode), by kind and by what became of them, as the audit trail calls it; counted when it was told: at_once, or late.',
  labelNames: ['kind', 'verdict', 'told'],
})
export const newAlertsTotal = new Counter({
  name: 'bellhop_new_alerts_total',
  help: 'New alerts of followed containers that this process has posted.',
})
export const callsTotal = new Counter({
  name: 'bellhop_calls_total',
  help: 'Calls of followed containers, by when all of their alerts were taken, watched or gone: within_10_minutes, within_30_minutes, within_40_minutes, or never; counted when this process found that out.',
  labelNames: ['outcome'],
})
export const placesFoundTotal = new Counter({
  name: 'bellhop_places_found_total',
  help: 'Alerts whose machine this process has found, by source: link, webhook, or search, which is the follow’s own.',
  labelNames: ['source'],
})
export const slackRefusalsTotal = new Counter({
  name: 'bellhop_slack_refusals_total',
  help: 'Calls that Slack refused, by its own word for why.',
  labelNames: ['word'],
})
export const signaturesRefusedTotal = new Counter({
  name: 'bellhop_signatures_refused_total',
  help: 'Requests that are not taken for Slack’s: headers are missing or malformed, clock is more than five minutes off, secret is another one. Strangers send such, too.',
  labelNames: ['reason'],
})
export const storageFailuresTotal = new Counter({
  name: 'bellhop_storage_failures_total',
  help: 'Statements that failed because something is wrong with the database: its disk is full, it is unreachable, or other. Bellhop’s own tries while it is full count as well.',
  labelNames: ['kind'],
})
export const ackSeconds = new Histogram({
  name: 'bellhop_ack_seconds',
  help: 'Time from when a request was read until it was acked; Slack gives up after 3. What it waits before is in nodejs_eventloop_lag.',
  labelNames: ['kind'],
  buckets,
})
export const serviceSeconds = new Histogram({
  name: 'bellhop_service_seconds',
  help: 'Time that the monitoring service took to answer, by operation and status; each try counts.',
  labelNames: ['operation', 'status'],
  buckets,
})
export const slackSeconds = new Histogram({
  name: 'bellhop_slack_seconds',
  help: 'Time that Slack took to answer, by method and status; each try counts.',
  labelNames: ['method', 'status'],
  buckets,
})

/** When a call (a message that mentions people) was answered: after the first, second or third message; or never. */
export const callOutcomes = [
  'within_10_minutes',
  'within_30_minutes',
  'within_40_minutes',
  'never',
] as const

/** Reads one figure, or one for each value of its label, each time that somebody asks for the figures. */
type Read = () => MetricValue | Promise<MetricValue>
type MetricValue = number | boolean | Readonly<Record<string, number | boolean>>

const helps = {
  bellhop_log_lines_dropped_total: 'Lines of the log that are lost, because nobody read them.',
  bellhop_storage_unwritable:
    '1 while Bellhop can’t write to the database, because its disk is full, the system refuses writes or it is read-only; else 0.',
  bellhop_service_unreachable:
    '1 for the cause of an outage of the monitoring service, as this process has seen it at its last call; else 0.',
  bellhop_bot_tokens_refused:
    'Workspaces whose bot token Slack refuses, as this process has seen it.',
  bellhop_audit_waiting: 'Audit records that wait for the database.',
  bellhop_live_cards: 'Cards that are watched, in all processes; NaN while unknown.',
  bellhop_live_cards_overdue:
    'Live cards that were not checked by the time they say, in all processes; NaN while unknown.',
  bellhop_ends_overdue:
    'Access that should have ended more than five minutes ago and hasn’t, as far as anybody knows; NaN while unknown.',
  bellhop_maintenance_overdue:
    'Maintenance set from Slack that should have ended and hasn’t, as far as anybody knows; NaN while unknown.',
  bellhop_follows:
    'Followed containers: read; unsaid, where Slack does not take what is new; lost, where nobody’s account reads.',
  bellhop_follow_age_seconds:
    'How long the followed channel that is furthest behind was not looked for, or not told what is new, of those that are read.',
} as const
const helpOf: Readonly<Record<string, string>> = helps
const labelOf: Readonly<Record<string, string>> = {
  bellhop_service_unreachable: 'cause',
  bellhop_follows: 'state',
}

/** Figures of the process itself, collected once somebody has asked for figures. */
let ofProcess: ReturnType<typeof watchProcess> | undefined

/** Made once: prom-client never stops watching the process. */
async function watchProcess() {
  const { collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Sets all counts to zero, for the one bot of this process. @param reads - Figures that are read and not counted. */
export function openFigures(reads: Readonly<Record<keyof typeof helps, Read>>) {
  register.resetMetrics()
  // Begins these counts at 0: a rule for alerts sees no increase in a figure that was not there before.
  for (const reason of ['headers', 'clock', 'secret']) signaturesRefusedTotal.inc({ reason }, 0)
  for (const kind of ['full', 'unreachable', 'other']) storageFailuresTotal.inc({ kind }, 0)
  for (const outcome of callOutcomes) callsTotal.inc({ outcome }, 0)
  for (const source of ['link', 'webhook', 'search']) placesFoundTotal.inc({ source }, 0)
  const own = new Registry()
  for (const [name, read] of Object.entries(reads)) {
    const label = labelOf[name] ?? ''
    const Kind = name.endsWith('_total') ? Counter : Gauge
    new Kind({
      name,
      help: helpOf[name] ?? '',
      registers: [own],
      labelNames: label === '' ? [] : [label],
      async collect(this: Counter | Gauge) {
        const known = await inTime(Promise.resolve(read()), waitedMs).catch(() => undefined)
        this.reset()
        if (typeof known !== 'object') return this.inc(Number(known))
        for (const [value, count] of Object.entries(known))
          this.inc({ [label]: value }, Number(count))
      },
    })
  }
  return {
    contentType: register.contentType,
    async text() {
      ofProcess ??= watchProcess()
      return Registry.merge([register, await ofProcess, own]).metrics()
    },
  }
}

const waitedMs = 1_000
