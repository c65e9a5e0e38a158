// The guard's room: what the way in needs of the rest of the house, declared once.
import type { MonitorErrorCode } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import type { About } from '../../log/request.ts'
import type { Work } from '../../work/under-way.ts'
import type { Gate } from '../gate/gate.ts'
import type { Clock, PerWorkspace } from '../ids.ts'
import type { Delivery } from '../outbound/delivery.ts'
import type { HeldAcks } from '../outbound/response-url.ts'
import type { UndoneWords } from '../request-topics.ts'
import type { Installation } from '../workspace/installation.ts'
import type { People } from '../workspace/people.ts'
import type { Scopes } from '../workspace/scopes.ts'
import type { AckedViews } from './answer-form.ts'
import type { Once } from './once.ts'
import type { PersonOf } from './who.ts'

export interface GuardRoom {
  /** False until Slack has said who the bot is. */
  readonly isKnown: () => boolean
  /** The bot's own; waits until Slack has said whose the bot is. */
  readonly installation: () => Promise<Installation>
  /** Whether Slack takes the bot token still. Throws where it does not say. */
  readonly isTokenGood: () => Promise<boolean>
  readonly personOf: PersonOf
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly gate: Gate
  readonly once: Pick<Once, 'claim'>
  readonly heldAcks: Pick<HeldAcks, 'during'>
  readonly ackedViews: Pick<AckedViews, 'acked'>
  readonly delivery: Pick<Delivery, 'privately'>
  readonly undone: Readonly<Record<About, UndoneWords>>
  /** For whoever asked for something that the service did not let them read. Raw. */
  readonly monitorSentence: (code: MonitorErrorCode) => string
  /** What is under way, for a stop to wait for and the gate to count. */
  readonly work: Work
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Aborts when the bot stops: an event that waits for another try gets its last one at once. */
  readonly stopping: AbortSignal
}
