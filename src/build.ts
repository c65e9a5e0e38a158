// Builds the house (all parts of the bot in one object) from what the bot is started with.
import { createTokens, createVault } from './account/vault.ts'
import { createAudit } from './audit/audit.ts'
import type { Config } from './config/config.ts'
import { accountGone } from './ends/telling.ts'
import type { ConfigError } from './errors.ts'
import { lookAtFollowsOf } from './follow/end.ts'
import type { House } from './house.ts'
import { endWatches } from './live/watching.ts'
import type { Log } from './log/log.ts'
import type { MonitorOptions } from './monitor/call.ts'
import { createMonitor } from './monitor/client.ts'
import { createOutage } from './monitor/failures.ts'
import { createAssets } from './names/assets.ts'
import { createNamesSeen } from './names/names.ts'
import type { SocketOptions } from './slack/inbound/socket.ts'
import { createPace, createUpdates } from './slack/pace.ts'
import type { Clock } from './slack/person.ts'
import { openSlack } from './slack/slack.ts'
import type { Storage } from './storage/storage.ts'
import { createPoller } from './work/poller.ts'
import { createTurns } from './work/under-way.ts'

/**
 * Everything that the bot is started with. `main` gives the real things; tests give clocks and time limits of their own.
 */
export interface World {
  readonly config: Config
  readonly storage: Storage
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Called when Slack refuses the bot token or the app-level token at the start; twice if it refuses both. */
  readonly onRefused: (error: ConfigError) => void
  /** For tests: shorter budgets at the service. */
  readonly monitorOptions?: Omit<MonitorOptions, 'apiUrl'>
  /** For tests: milliseconds after which an asker hears that the service is slow. Default 1,500. */
  readonly slowMs?: number | undefined
  /** For tests: milliseconds between two looks of the poller for what is due. */
  readonly tickMs?: number
  /** For tests: a clock in milliseconds that never jumps, for the pace of messages. Default: `performance.now`. */
  readonly monotonic?: () => number
  /** For tests: opens the second socket sooner, and reconnects sooner. */
  readonly socketOptions?: SocketOptions | undefined
  /** For tests: milliseconds between two looks after requests (`lookAfterRequests`). */
  readonly lateMs?: number | undefined
}

type Tables = Pick<House, 'afterwards' | 'kinds'>

export function buildHouse(world: World, tables: Tables, stopping: AbortSignal): House {
  const {
    config,
    storage,
    log,
    now,
    wait,
    slowMs = 1_500,
    monotonic = () => performance.now(),
  } = world
  const { proxy, monitor, watch } = config
  const vault = createVault(config.encryptionKeys)
  const outage = createOutage({ log, now })
  const names = createNamesSeen(now)
  const slack = openSlack({ ...world, ...config.slack, proxy, stopping }, config.ratePerMinute)
  const pace = createPace(monotonic, wait)
  const audit = createAudit({ ...world, slack, pace })
  const service = createMonitor({
    ...world.monitorOptions,
    ...monitor,
    proxy,
    basic: !config.hasAllOperations,
    outage,
    log,
  })
  const house: House = {
    config,
    storage,
    slack,
    monitor: service,
    outage,
    vault,
    // Called when somebody’s account is forgotten: stops what ran with their token, and returns what was stopped.
    tokens: createTokens({ storage, vault, names, audit, log }, async (owner) => ({
      watches: await endWatches(house, owner, 'disconnected'),
      follows: await lookAtFollowsOf(house, owner),
      ends: await accountGone(house, owner),
    })),
    audit,
    names,
    assets: createAssets(service, names, now),
    poller: createPoller({ intervalMs: watch.intervalMs, tickMs: world.tickMs }),
    updates: createUpdates(monotonic),
    pace,
    turns: createTurns(),
    ...tables,
    log,
    now,
    wait,
    slowMs,
    stopping,
  }
  return house
}
