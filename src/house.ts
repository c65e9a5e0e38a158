// The house: all parts of the bot in one object, which is the first argument of every operation. `build.ts` builds it.
// Functions of the parts themselves (slack, monitor, storage, vault) and pure functions get plain values, not the house.
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
  /** The timer of the loop that looks after what is due (`keepUp`), and the name under which this process takes work. */
  readonly poller: Poller
  /** Paces edits that nobody waits for, of messages in all channels together. */
  readonly updates: Updates
  /** Paces new messages that nobody waits for, in each channel by itself. */
  readonly pace: Pace
  /** Does pieces of work that have the same key one after the other. A key begins with the kind of work. */
  readonly turns: Turns
  /** Steps that accounts and cards call, and features define: such as going on with a command once its asker has connected. */
  readonly afterwards: Afterwards
  /** The steps of each kind of request (acts, grants, ends, approvals). Each feature defines those of its kinds. */
  readonly kinds: Kinds
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Milliseconds that an asker waits for the service before hearing that it is slow. */
  readonly slowMs: number
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}
