// Figures for Prometheus. Labels come from short lists: no ids, no names of people, workspaces or containers.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { inTime } from '../work/under-way.ts'

/** What is read when the figures are asked for. */
export interface Gauges {
  readonly auditWaiting: () => number
  /** Lines of the log that nobody took, since the start. */
  readonly logLinesDropped: () => number
  /** Requests that were not signed by Slack, since the start. */
  readonly signaturesRefused: () => Readonly<Record<string, number>>
  /** Workspaces whose bot token Slack refuses. */
  readonly botTokensRefused: () => number
  /** Statements that have failed since the start, for what is wrong with the database itself. */
  readonly storageFailures: () => Readonly<Record<string, number>>
  readonly storageUnwritable: () => Promise<boolean>
  /** By cause: why the service is away. */
  readonly serviceUnreachable: () => Readonly<Record<string, boolean>>
  /** From the database. */
  readonly liveCards: () => Promise<number>
  /** The same: those that were not checked in time. */
  readonly cardsOverdue: () => Promise<number>
}

const upstreamBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ackBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3]

const counters = new Registry()
const registers = [counters]

export const requestsTotal = new Counter({
  name: 'bellhop_requests_total',
  help: 'Requests from Slack that are done, by kind, by what they were about, and by how they ended.',
  labelNames: ['kind', 'about', 'outcome'],
  registers,
})
export const grantsTotal = new Counter({
  name: 'bellhop_grants_total',
  help: 'Grants, one a person, by what became of them and why (not_sent: nothing was sent any more after others of the same request); counted when it was told: at_once, or late, which is afterwards or in place of a doubt.',
  labelNames: ['outcome', 'reason', 'told'],
  registers,
})
export const actsTotal = new Counter({
  name: 'bellhop_acts_total',
  help: 'Changes to alerts, by kind and by what became of them (already: it was so before and nothing was sent; not_seen: monitoring took it and does not show it); counted when it was told: at_once, or late.',
  labelNames: ['kind', 'verdict', 'told'],
  registers,
})
export const slackRefusalsTotal = new Counter({
  name: 'bellhop_slack_refusals_total',
  help: 'Calls that Slack refused, by its own word for why.',
  labelNames: ['word'],
  registers,
})
export const ackSeconds = new Histogram({
  name: 'bellhop_ack_seconds',
  help: 'Time from when a request was read until it was acked; Slack gives up after 3. What it waits before is in nodejs_eventloop_lag.',
  labelNames: ['kind'],
  buckets: ackBuckets,
  registers,
})
export const serviceSeconds = new Histogram({
  name: 'bellhop_service_seconds',
  help: 'Time that the monitoring service took to answer, by operation and status; each try counts.',
  labelNames: ['operation', 'status'],
  buckets: upstreamBuckets,
  registers,
})
export const slackSeconds = new Histogram({
  name: 'bellhop_slack_seconds',
  help: 'Time that Slack took to answer, by method and status; each try counts.',
  labelNames: ['method', 'status'],
  buckets: upstreamBuckets,
  registers,
})

export interface Figures {
  readonly contentType: string
  /** Reads what is read at that time, and renders all in the text format. */
  text(): Promise<string>
}

/** Of the process itself: prom-client begins to watch it, and never ends. */
let ofProcess: Registry | undefined

/** Counts from zero on: a process runs one bot. */
export function openFigures(gauges: Gauges): Figures {
  counters.resetMetrics()
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  const read = new Registry()
  collectGauges([read], gauges)
  const all = Registry.merge([counters, ofProcess, read])
  return { contentType: all.contentType, text: () => all.metrics() }
}

/** Nobody waits longer than this for a figure from the database. */
const waitedMs = 1_000

/** Reads all of them whenever the figures are asked for. */
function collectGauges(registers: Registry[], gauges: Gauges): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const known = await inTime(Promise.resolve(read()), waitedMs).catch(() => undefined)
        this.set(known ?? Number.NaN)
      },
    })
  /** Counted where it happens, under one label. */
  const counted = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset()
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
      },
    })
  new Counter({
    name: 'bellhop_log_lines_dropped_total',
    help: 'Lines of the log that are lost, because nobody read them.',
    registers,
    collect() {
      this.reset()
      this.inc(gauges.logLinesDropped())
    },
  })
  counted(
    'bellhop_signatures_refused_total',
    'Requests that are not taken for Slack’s: headers are missing or malformed, clock is more than five minutes off, secret is another one. Strangers send such, too.',
    'reason',
    gauges.signaturesRefused,
  )
  new Gauge({
    name: 'bellhop_service_unreachable',
    help: '1 for the cause of an outage of the monitoring service, as this process has seen it at its last call; else 0.',
    labelNames: ['cause'],
    registers,
    collect() {
      for (const [cause, isSo] of Object.entries(gauges.serviceUnreachable()))
        this.set({ cause }, isSo ? 1 : 0)
    },
  })
  gauge(
    'bellhop_bot_tokens_refused',
    'Workspaces whose bot token Slack refuses, as this process has seen it.',
    gauges.botTokensRefused,
  )
  counted(
    'bellhop_storage_failures_total',
    'Statements that failed because something is wrong with the database: its disk is full, it is unreachable, or other. Bellhop’s own tries while it is full count as well.',
    'kind',
    gauges.storageFailures,
  )
  gauge(
    'bellhop_storage_unwritable',
    '1 while Bellhop can’t write to the database, because its disk is full, the system refuses writes or it is read-only; else 0.',
    async () => ((await gauges.storageUnwritable()) ? 1 : 0),
  )
  gauge('bellhop_audit_waiting', 'Audit records that wait for the database.', gauges.auditWaiting)
  gauge(
    'bellhop_live_cards',
    'Cards that are watched, in all processes; NaN while unknown.',
    gauges.liveCards,
  )
  gauge(
    'bellhop_live_cards_overdue',
    'Live cards that were not checked by the time they say, in all processes; NaN while unknown.',
    gauges.cardsOverdue,
  )
}
