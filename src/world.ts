// What the bot is started with: by `main` for good, by tests with clocks and bounds of their own.

import type { Config } from './config/config.ts'
import type { ConfigError } from './errors.ts'
import type { BodyBudget } from './http/body-budget.ts'
import type { Log } from './log/log.ts'
import type { MonitorOptions } from './monitor/client.ts'
import type { SharingOptions } from './slack/gate/count-together.ts'
import type { Clock } from './slack/ids.ts'
import type { Storage } from './storage/storage.ts'
import type { WatchSettings } from './watch/watch.ts'

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
  /** For tests: how much may be under way before others are sent away. */
  readonly mostWork?: number | undefined
  /** For tests: a smaller budget for bodies that are not verified yet. */
  readonly bodies?: BodyBudget | undefined
  /** For tests: so many connections at most. */
  readonly mostConnections?: number | undefined
  /** For tests: a quicker poller. */
  readonly watchOptions?: Pick<WatchSettings, 'tickMs' | 'sleep' | 'monotonic'>
  /** For tests: what passes before Slack is asked again about a bot token that it refuses. */
  readonly tokenPause?: ((ms: number) => Promise<void>) | undefined
  /** For tests: processes on one database know of each other sooner. */
  readonly sharingOptions?: SharingOptions | undefined
}
