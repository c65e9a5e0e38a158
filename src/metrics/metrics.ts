// Figures for Prometheus. Labels come from short lists: no ids, no names of people, workspaces or containers.
import { createRequire } from 'node:module'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type ActObserver, actVerdictOf, verdicts } from '../act/record.ts'
import { monitorErrorCodes } from '../errors.ts'
import { type GrantObserver, labelsOf, whens } from '../grant/follow-ups.ts'
import type { RequestOutcome } from '../log/request.ts'
import { type Cause, causes } from '../monitor/failures.ts'
import type { MonitorObserver } from '../monitor/operations.ts'
import { answerDoubts, notDoneCodes, refusedCodes } from '../send/outcome.ts'
import { refusalKinds } from '../slack/client/refusals.ts'
import type { Unsigned } from '../slack/inbound/signatures.ts'
import { type Handled, requestKinds, type SlackObserver } from '../slack/observer.ts'
import { inTime } from '../work/under-way.ts'

export interface Metrics {
  readonly slack: SlackObserver
  readonly grant: GrantObserver
  readonly act: ActObserver
  readonly monitor: MonitorObserver
  readonly contentType: string
  /** Reads what is read at that time, and renders all in the text format. */
  text(): Promise<string>
}

/** What is read when the figures are asked for. */
export interface Gauges {
  readonly workUnderWay: () => number
  /** Of Bellhop on this database, this one among them. */
  readonly processes: () => number
  readonly auditWaiting: () => number
  /** Lines of the log that nobody took, since the start. */
  readonly logLinesDropped: () => number
  /** Requests that were not signed by Slack, since the start. */
  readonly signaturesRefused: () => Readonly<Record<Unsigned, number>>
  readonly signaturesRefusedInARow: () => number
  /** Workspaces whose bot token Slack refuses. */
  readonly botTokensRefused: () => number
  /** Statements that have failed since the start, for what is wrong with the database itself. */
  readonly storageFailures: () => Readonly<Record<string, number>>
  readonly storageUnwritable: () => Promise<boolean>
  /** Why the service is away; undefined while it is not. */
  readonly serviceUnreachable: () => Cause | undefined
  /** From the database: asked for now and then, however often the figures are. */
  readonly liveCards: () => Promise<number>
  /** The same: how many live cards were not checked in time, and how long ago the oldest look was, in milliseconds. */
  readonly cardsBehind: () => Promise<{ readonly overdue: number; readonly oldestMs: number }>
}

const upstreamSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ackSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3]

/** Statuses that the service's contract names; others by their hundred. */
const named = new Set([200, 204, 400, 401, 403, 404, 429])

function statusOf(status: number | undefined): string {
  if (status === undefined) return 'none'
  if (named.has(status)) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}

export function createMetrics(gauges: Gauges): Metrics {
  const register = new Registry()
  const registers = [register]
  collectProcess(register)

  const requests = new Counter({
    name: 'bellhop_requests_total',
    help: 'Requests from Slack that are done, by kind, by what they were about, and by how they ended.',
    labelNames: ['kind', 'about', 'outcome'],
    registers,
  })
  for (const labels of requestSeries()) requests.inc(labels, 0)
  const grants = new Counter({
    name: 'bellhop_grants_total',
    help: 'Grants, one a person, by what became of them and why (not_sent: nothing was sent any more after others of the same request); counted when it was told: at_once, or late, which is afterwards or in place of a doubt.',
    labelNames: ['outcome', 'reason', 'told'],
    registers,
  })
  for (const told of whens) {
    grants.inc({ outcome: 'granted', reason: 'none', told }, 0)
    for (const reason of refusedCodes) grants.inc({ outcome: 'not_granted', reason, told }, 0)
    for (const reason of answerDoubts) grants.inc({ outcome: 'uncertain', reason, told }, 0)
    grants.inc({ outcome: 'not_sent', reason: 'none', told }, 0)
  }
  const acts = new Counter({
    name: 'bellhop_acts_total',
    help: 'Changes to alerts, by kind and by what became of them (already: it was so before and nothing was sent; not_seen: monitoring took it and does not show it); counted when it was told: at_once, or late.',
    labelNames: ['kind', 'verdict', 'told'],
    registers,
  })
  for (const told of whens) {
    for (const kind of ['assign', 'comment', 'close'] as const) {
      for (const verdict of verdicts) acts.inc({ kind, verdict, told }, 0)
    }
  }
  const refusals = new Counter({
    name: 'bellhop_slack_refusals_total',
    help: 'Calls that Slack refused: token is the bot token itself, place where the bot is not or may not post, gone what is not there any more, scope a missing permission of the app, input what Slack does not take as it is, passing what it may take later.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of refusalKinds) refusals.inc({ kind }, 0)
  const acks = new Histogram({
    name: 'bellhop_ack_seconds',
    help: 'Time from when a request was read until it was acked; Slack gives up after 3. What it waits before is in nodejs_eventloop_lag.',
    labelNames: ['kind'],
    buckets: ackSeconds,
    registers,
  })
  const service = new Histogram({
    name: 'bellhop_service_seconds',
    help: 'Time that the monitoring service took to answer, by operation and status; each try counts.',
    labelNames: ['operation', 'status'],
    buckets: upstreamSeconds,
    registers,
  })
  const slack = new Histogram({
    name: 'bellhop_slack_seconds',
    help: 'Time that Slack took to answer, by method and status; each try counts.',
    labelNames: ['method', 'status'],
    buckets: upstreamSeconds,
    registers,
  })
  const retries = new Counter({
    name: 'bellhop_retries_total',
    help: 'What was done once more: a read of the service, a call that Slack asked to wait for, an event.',
    labelNames: ['what'],
    registers,
  })
  for (const what of ['slack', 'service', 'event']) retries.inc({ what }, 0)
  const limited = new Counter({
    name: 'bellhop_rate_limited_total',
    help: 'Who was asked to wait, and by whom: person and busy are limits of Bellhop, slack and service theirs (429).',
    labelNames: ['by'],
    registers,
  })
  for (const by of ['person', 'busy', 'slack', 'service']) limited.inc({ by }, 0)

  collectGauges(registers, gauges)

  return {
    slack: {
      handled: ({ kind, about, outcome }) => requests.inc({ kind, about, outcome }),
      acked: (kind, ms) => acks.observe({ kind }, ms / 1000),
      called(method, status, ms) {
        slack.observe({ method, status }, ms / 1000)
        if (status === '429') limited.inc({ by: 'slack' })
      },
      refused: (kind) => refusals.inc({ kind }),
      triedAgain: (what) => retries.inc({ what }),
      heldBack: (by) => limited.inc({ by }),
    },
    grant: {
      told: (outcome, told) => grants.inc({ ...labelsOf(outcome), told }),
    },
    act: {
      told: (kind, outcome, told) => acts.inc({ kind, verdict: actVerdictOf(outcome), told }),
    },
    monitor: {
      asked: () => undefined,
      answered(operation, status, ms) {
        service.observe({ operation, status: statusOf(status) }, ms / 1000)
        if (status === 429) limited.inc({ by: 'service' })
      },
      triedAgain: () => retries.inc({ what: 'service' }),
    },
    contentType: register.contentType,
    text: () => register.metrics(),
  }
}

/** Reads all of them whenever the figures are asked for. */
function collectGauges(registers: Registry[], gauges: Gauges): void {
  new Counter({
    name: 'bellhop_log_lines_dropped_total',
    help: 'Lines of the log that are lost, because nobody read them.',
    registers,
    collect() {
      this.reset()
      this.inc(gauges.logLinesDropped())
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
  counted(
    'bellhop_signatures_refused_total',
    'Requests that are not taken for Slack’s: headers are missing or malformed, clock is more than five minutes off, secret is another one. Strangers send such, too.',
    'reason',
    gauges.signaturesRefused,
  )

  const liveCards = remembered(gauges.liveCards, Number.NaN)
  const behind = remembered(gauges.cardsBehind, { overdue: Number.NaN, oldestMs: Number.NaN })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  new Gauge({
    name: 'bellhop_service_unreachable',
    help: '1 for the cause of an outage of the monitoring service, as this process has seen it at its last call; else 0.',
    labelNames: ['cause'],
    registers,
    collect() {
      const present = gauges.serviceUnreachable()
      for (const cause of causes) this.set({ cause }, cause === present ? 1 : 0)
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
  gauge(
    'bellhop_signatures_refused_in_a_row',
    'Requests with the headers of a signature that were refused since the last good one, or since the start.',
    gauges.signaturesRefusedInARow,
  )
  gauge('bellhop_work_under_way', 'Requests and events under way in this process.', gauges.workUnderWay)
  gauge(
    'bellhop_processes',
    'Processes of Bellhop on this database, as this one last counted them, itself included.',
    gauges.processes,
  )
  gauge('bellhop_audit_waiting', 'Audit records that wait for the database.', gauges.auditWaiting)
  gauge('bellhop_live_cards', 'Cards that are watched, in all processes; NaN while unknown.', liveCards)
  gauge(
    'bellhop_live_cards_overdue',
    'Live cards that were not checked by the time they say, in all processes; NaN while unknown.',
    async () => (await behind()).overdue,
  )
  gauge(
    'bellhop_live_cards_oldest_look_seconds',
    'Time since the service last gave the alert of the live card that has waited longest, in all processes; 0 without live cards, NaN while unknown.',
    async () => (await behind()).oldestMs / 1000,
  )
}

const everybody = ['ok', 'user-error', 'connect', 'limited', 'busy', 'replayed', 'failed'] as const

const outcomes: Readonly<Record<Handled['about'], readonly RequestOutcome[]>> = {
  alert: [...everybody, ...monitorErrorCodes.map((code) => `service-${code}` as const)],
  grant: [
    ...everybody,
    ...refusedCodes.map((code) => `service-${code}` as const),
    ...(['uncertain', 'partly', 'needs-approval'] as const),
  ],
  act: [...everybody, ...notDoneCodes.map((code) => `service-${code}` as const), 'uncertain'],
  none: ['ok', 'failed'],
}

/** Nobody can be told how one ends, so that it ends in no other way. */
const ofSuggestions: readonly RequestOutcome[] = ['ok', 'limited', 'busy', 'failed']

const abouts = ['alert', 'act', 'grant', 'none'] as const satisfies readonly Handled['about'][]

/**
 * Series of requests that begin at 0: what a request may be about, and how it may end. What else happens is counted
 * all the same, from then on.
 */
function requestSeries(): readonly Omit<Handled, 'ms'>[] {
  return requestKinds.flatMap((kind) =>
    abouts.flatMap((about) =>
      // Of another kind is what cannot be read, or nothing listens to.
      kind === 'other' && about !== 'none'
        ? []
        : outcomes[about]
            .filter((outcome) => kind !== 'suggestion' || ofSuggestions.includes(outcome))
            .map((outcome) => ({ kind, about, outcome })),
    ),
  )
}

const keptMs = 10_000
const waitedMs = 1_000

/**
 * A figure that costs something: asked for now and then, one at a time, and not waited for long.
 * @returns The last figure that is known; `unknown` where there is none, or where it could not be had.
 */
export function remembered<T>(
  ask: () => Promise<T>,
  unknown: T,
  monotonic: () => number = () => performance.now(),
): () => Promise<T> {
  let known = unknown
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  async function askOnce(): Promise<void> {
    try {
      known = await ask()
    } catch {
      // What keeps it from answering is told where it is used.
      known = unknown
    } finally {
      asking = undefined
    }
  }

  return async () => {
    if (asking === undefined && monotonic() - askedAt >= keptMs) {
      askedAt = monotonic()
      asking = askOnce()
    }
    if (asking !== undefined) await inTime(asking, waitedMs)
    return known
  }
}

type Collect = (register: Registry, config: { readonly eventLoopMonitoringPrecision: number }) => void

const require = createRequire(import.meta.url)
/**
 * Those of prom-client but for its collections of garbage, of which it is told one by one: under load that is as much
 * work as all that is written into the database.
 */
const ofProcess: readonly Collect[] = [
  // Each by its name, so that whatever packs the bot finds them.
  require('prom-client/lib/metrics/processCpuTotal.js'),
  require('prom-client/lib/metrics/processStartTime.js'),
  require('prom-client/lib/metrics/osMemoryHeap.js'),
  require('prom-client/lib/metrics/heapSizeAndUsed.js'),
  require('prom-client/lib/metrics/heapSpacesSizeAndUsed.js'),
  require('prom-client/lib/metrics/processOpenFileDescriptors.js'),
  require('prom-client/lib/metrics/processMaxFileDescriptors.js'),
  require('prom-client/lib/metrics/processResources.js'),
  require('prom-client/lib/metrics/eventLoopLag.js'),
  require('prom-client/lib/metrics/version.js'),
]

/** Their names begin with `process_` and `nodejs_`. */
function collectProcess(register: Registry): void {
  for (const collect of ofProcess) collect(register, { eventLoopMonitoringPrecision: 10 })
}
