// The house: what every operation is given first. The interface alone; `build.ts` builds it once.
// What it is made of (slack, monitor, storage, vault) takes plain values, and pure functions know nothing of it.
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
  /** When what falls due is looked at (`keepUp`), and this process’s name in leases. */
  readonly poller: Poller
  /** Changes of messages that nobody waits for, in all channels. */
  readonly updates: Updates
  /** Messages in a channel that nobody waits for. */
  readonly pace: Pace
  /** Work that is done one after the other: keys begin with what it is. */
  readonly turns: Turns
  /** Work that goes on once somebody has connected. */
  readonly afterwards: Afterwards
  /** Deeds of the features for each kind of request. */
  readonly kinds: Kinds
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** After so long without an answer of the service, whoever waits for it hears so; in milliseconds. */
  readonly slowMs: number
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}
