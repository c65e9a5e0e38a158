// Builds the room: granting access, to one or several people, and telling what became of it.

import type { ConnectFirst } from '../account/connect-first.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { Monitor } from '../monitor/client.ts'
import type { PersonLimit } from '../slack/gate/person-limit.ts'
import type { Command } from '../slack/guard/requests.ts'
import type { Clock } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { ChannelStyles } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Repeated } from '../work/repeat.ts'
import type { Batches } from './batches.ts'
import { createGrantCommand } from './command.ts'
import type { Flag } from './flags.ts'
import { createOpenForm, type OpenForm } from './form.ts'
import { createGrantAccess } from './grant-access.ts'
import { createGranting, type Granting } from './granting.ts'
import type { Grants } from './grants.ts'
import type { GrantSettings } from './input-flags.ts'
import { createKeptWishes, type KeptWishes } from './kept-wishes.ts'
import { createLateOutcomes, pauseMs } from './late.ts'
import { createLateBatches } from './late-batches.ts'
import { createMakeWish, type MakeWish } from './make-wish.ts'
import { createMarkTold } from './mark-told.ts'
import type { GrantObserver } from './observer.ts'
import { createOutcomeOf } from './outcome-of.ts'
import { createTooMany, type TooMany } from './recipients.ts'
import { createSendBatch } from './send-batch.ts'
import { createTally, type Tally } from './tally.ts'
import { createWishOutcomes, type WishOutcomes } from './wish-outcomes.ts'

/** @param room.stopping - Once it is aborted, a wish for several people begins nothing more. */
export function createGrants(room: {
  readonly grants: Grants
  readonly batches: Batches
  readonly audit: Pick<Audit, 'record'>
  readonly monitor: Pick<Monitor, 'addUser'>
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Pick<Outbound, 'post' | 'openView' | 'updateView'>>
  readonly people: PerWorkspace<People>
  readonly limit: PersonLimit
  readonly settings: GrantSettings
  readonly approvalFlags: readonly Flag[]
  readonly observer: GrantObserver
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  readonly stopping: AbortSignal
}): {
  readonly granting: Granting
  readonly command: Command
  readonly openForm: OpenForm
  readonly lateOutcomes: Repeated
  readonly makeWish: MakeWish
  readonly outcomes: WishOutcomes
  readonly keptWishes: KeptWishes
  readonly tooMany: TooMany
  readonly tally: Tally
} {
  const tooMany = createTooMany(room.limit)
  const outcomeOf = createOutcomeOf(room)
  const outcomes = createWishOutcomes(room)
  const grantAccess = createGrantAccess({ ...room, outcomeOf })
  const makeWish = createMakeWish({ ...room, grantAccess, outcomeOf })
  const sendBatch = createSendBatch({ ...room, makeWish, outcomes })
  const markTold = createMarkTold(room)
  const tally = createTally(room.observer, room.log)
  const granting = createGranting({ ...room, tooMany, grantAccess, outcomes, sendBatch, markTold, tally })
  const keptWishes = createKeptWishes({ ...room, outcomes })
  const openForm = createOpenForm(room)
  const command = createGrantCommand({ ...room, granting, openForm, tooMany })
  const lateBatches = createLateBatches({ ...room, outcomes, markTold, tally, pauseMs })
  const lateOutcomes = createLateOutcomes({ ...room, lateBatches, markTold, tally })
  return { granting, command, openForm, lateOutcomes, makeWish, outcomes, keptWishes, tooMany, tally }
}
