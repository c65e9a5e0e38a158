// The house: all parts of the bot in one object, which every operation is given first. Only its interface: `build.ts`
// builds it. Its parts (slack, monitor, storage, vault) are given plain values in its place; so are pure functions.
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
  /** The timer of the loop that looks after what is due (`keepUp`). Also has this process’s name for leases. */
  readonly poller: Poller
  /** Paces edits that nobody waits for, of messages in all channels together. */
  readonly updates: Updates
  /** Paces new messages that nobody waits for, in each channel by itself. */
  readonly pace: Pace
  /** Does work under the same key one after the other. A key begins with the kind of work. */
  readonly turns: Turns
  /** Steps of features that accounts and cards set off, such as going on with a command once its asker has connected. */
  readonly afterwards: Afterwards
  /** The steps for each kind of request (acts, grants, ends, approvals), from the feature’s own folder. */
  readonly kinds: Kinds
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Milliseconds that an asker waits for the service before hearing that it is slow. */
  readonly slowMs: number
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}
