// The house: what every operation is given first. The interface alone; `build.ts` builds it once.
// Its own parts (slack, monitor, storage, vault) take plain values in its place, and pure functions know nothing of it.
import type { Afterwards } from './account/connect-first.ts'
import type { Tokens, Vault } from './account/vault.ts'
import type { Audit } from './audit/audit.ts'
import type { Config } from './config/config.ts'
import type { Log } from './log/log.ts'
import type { Monitor } from './monitor/client.ts'
import type { Outage } from './monitor/failures.ts'
import type { Assets } from './names/assets.ts'
import type { NamesSeen } from './names/names.ts'
import type { Kinds } from './send/send.ts'
import type { Pace, Updates } from './slack/pace.ts'
import type { Clock } from './slack/person.ts'
import type { Slack } from './slack/slack.ts'
import type { Storage } from './storage/storage.ts'
import type { Poller } from './work/poller.ts'
import type { Turns } from './work/under-way.ts'

export interface House {
  readonly config: Config
  readonly storage: Storage
  readonly slack: Slack
  readonly monitor: Monitor
  readonly outage: Outage
  readonly vault: Vault
  readonly tokens: Tokens
  readonly audit: Audit
  readonly names: NamesSeen
  readonly assets: Assets
  /** The timer by which whatever falls due is looked at (`keepUp`), and this process’s name in leases. */
  readonly poller: Poller
  /** Paces changes of messages that nobody waits for, in all channels together. */
  readonly updates: Updates
  /** Paces new messages that nobody waits for, in each channel. */
  readonly pace: Pace
  /** Does work under one key in turn. A key begins with the kind of work. */
  readonly turns: Turns
  /** Work that goes on once somebody has connected. */
  readonly afterwards: Afterwards
  /** The features’ own steps for each kind of request. */
  readonly kinds: Kinds
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Milliseconds without an answer of the service, after which whoever waits is told that it takes long. */
  readonly slowMs: number
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}
