// The room put together: asking, approving, closing, and what nobody presses for.
import type { ConnectFirst, Resumed } from '../account/connect-first.ts'
import type { Fingerprints } from '../account/fingerprint.ts'
import type { Tokens } from '../account/tokens.ts'
import type { Audit } from '../audit/audit.ts'
import type { GrantObserver } from '../grant/observer.ts'
import type { Log } from '../log/log.ts'
import type { SendRoom } from '../send/room.ts'
import type { Wishes } from '../send/wishes.ts'
import type { PersonLimit } from '../slack/gate/person-limit.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { ChannelStyles, ChosenChannels, Sharing } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import type { LinkOf } from '../slack/workspace/workspaces.ts'
import type { Repeated } from '../work/repeat.ts'
import type { Approvals } from './approvals.ts'
import { type Approving, createApproving } from './approve.ts'
import { type Asking, type AskingSettings, createAsking } from './ask.ts'
import { createOverdue } from './background.ts'
import { type Closing, createClosing } from './close.ts'
import { createOwed } from './follow-ups.ts'
import { createFourEyes } from './four-eyes.ts'
import { type OwnRequest, ownRequest } from './own-requests.ts'
import { createRecord } from './record.ts'

export interface ApprovalRoom {
  readonly asking: Asking
  readonly approving: Approving
  readonly closing: Closing
  readonly overdue: Repeated
  /** Somebody's own that are open, the oldest first. */
  ownRequests(owner: SlackUser): Promise<readonly OwnRequest[]>
  /** Goes on with an *Approve* that waited for an account. */
  resume(from: From, resumed: Resumed): Promise<void>
}

export function createApproval(room: {
  readonly approvals: Approvals
  readonly wishes: Wishes
  readonly send: SendRoom
  readonly tokens: Tokens
  readonly fingerprints: Fingerprints
  readonly people: PerWorkspace<People>
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly outbound: PerWorkspace<Outbound>
  readonly audit: Pick<Audit, 'record'>
  readonly linkOf: LinkOf
  readonly channels: ChosenChannels
  readonly sharing: PerWorkspace<Sharing>
  readonly limit: PersonLimit
  readonly observer: GrantObserver
  readonly settings: AskingSettings
  readonly log: Log
}): ApprovalRoom {
  const record = createRecord(room.audit)
  const owed = createOwed({ ...room, record })
  const fourEyes = createFourEyes({ ...room, ttlHours: room.settings.ttlHours })
  const approving = createApproving({ ...room, record, owed, fourEyes })
  return {
    asking: createAsking({ ...room, owed, fourEyes }),
    approving,
    closing: createClosing({ ...room, owed, approving }),
    overdue: createOverdue({ ...room, owed, approving }),
    async ownRequests(owner) {
      const open = await room.approvals.openOf(owner)
      return Promise.all(open.map((one) => ownRequest(one, room.linkOf)))
    },
    resume: (from, { ask, isOld }) => approving.resume(from, ask, isOld),
  }
}
