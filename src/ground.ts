// Ground of the house, which every room stands on: the clients of Slack and of the monitoring service, the vault, the audit
// trail and the figures. Knows no feature.
import { createVault } from './account/vault.ts'
import { createAudit } from './audit/audit.ts'
import type { Config } from './config/config.ts'
import type { ConfigError } from './errors.ts'
import type { Log } from './log/log.ts'
import { openFigures } from './metrics/metrics.ts'
import { createMonitor, type MonitorOptions } from './monitor/client.ts'
import { causes, createOutage } from './monitor/failures.ts'
import type { GuardRoom } from './slack/guard/room.ts'
import type { Clock } from './slack/ids.ts'
import { createSignatures } from './slack/inbound/signatures.ts'
import type { SocketOptions } from './slack/inbound/socket.ts'
import { type OnUpdate, openSlack } from './slack/slack.ts'
import type { Channels } from './slack/workspace/channels.ts'
import type { Storage } from './storage/storage.ts'
import type { PollerOptions } from './watch/poller.ts'

/** What the bot is started with: by `main` for good, by tests with clocks and bounds of their own. */
export interface World {
  readonly config: Config
  readonly storage: Storage
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Slack refuses a token of the bot for good. May be told of both. */
  readonly onRefused: (error: ConfigError) => void
  /** For tests: shorter budgets at the service. */
  readonly monitorOptions?: Omit<MonitorOptions, 'baseUrl'>
  /** For tests: after how many milliseconds somebody hears that the service takes its time. Default 1,500. */
  readonly slowMs?: number | undefined
  /** For tests: a quicker poller. */
  readonly watchOptions?: Pick<PollerOptions, 'tickMs' | 'sleep' | 'monotonic'>
  /** For tests: how often figures are made anew, in milliseconds. */
  readonly figuresMs?: number | undefined
  /** For tests: two sockets soon, and again soon. */
  readonly socketOptions?: SocketOptions | undefined
  /** For tests: how often what was left for later is looked after, in milliseconds. */
  readonly lateMs?: number | undefined
}

/** What features say to those whose requests fail, before they are asked. */
interface FeatureWords extends Pick<GuardRoom, 'undone' | 'monitorSentence'> {
  /** Told of each update of a message. */
  readonly onUpdate: OnUpdate
}

export type HouseGround = ReturnType<typeof buildGround>

/** @param stopping - Aborts when the bot stops. */
export function buildGround(
  { config, storage, log, now, wait, onRefused, monitorOptions }: World,
  stopping: AbortSignal,
  features: FeatureWords,
) {
  const { botToken, apiUrl } = config.slack
  const vault = createVault(config.encryptionKeys)
  const channels: Channels = { audit: config.audit.channelId, approval: config.approval.channelId }
  const { once, watches } = storage
  const signatures = createSignatures({ log, now })
  const outage = createOutage({ log, now })
  // Gauges are read later, when all of it is there.
  const figures = openFigures({
    signaturesRefused: signatures.counts,
    botTokensRefused: () => (slack.tokenRefusal.word() === undefined ? 0 : 1),
    storageFailures: storage.failures,
    storageUnwritable: async () => (await storage.unwritable()) !== undefined,
    serviceUnreachable: () =>
      Object.fromEntries(causes.map((cause) => [cause, outage.state()?.cause === cause])),
    auditWaiting: () => audit.waiting(),
    logLinesDropped: log.dropped,
    liveCards: () => watches.countLive(),
    cardsOverdue: () => watches.countOverdue(),
  })
  const { proxy } = config
  const slack = openSlack({
    botToken,
    apiUrl,
    proxy,
    log,
    now,
    wait,
    onRefused,
    once,
    stopping,
    perMinute: config.ratePerMinute,
    monitorSentence: features.monitorSentence,
    undone: features.undone,
    onUpdate: features.onUpdate,
  })

  const { operations, authorities } = config.monitor
  const counted = {
    ...monitorOptions,
    log,
    outage,
    basic: operations === 'basic',
  }
  const monitor = createMonitor({ ...counted, baseUrl: config.monitor.apiUrl, authorities, proxy })
  const audit = createAudit({
    records: storage.auditRecords,
    lookUps: storage.auditLookUps,
    keys: config.encryptionKeys,
    days: config.audit.days,
    channels,
    outbound: slack.outbound,
    nameOf: ({ workspaceId, userId }) => slack.people.in(workspaceId).nameOf(userId),
    log,
    now,
    wait,
  })

  return {
    vault,
    channels,
    signatures,
    outage,
    figures,
    slack,
    monitor,
    audit,
  }
}
