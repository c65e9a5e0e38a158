// The room of alerts: what looking them up, and keeping what is shown of them true, need of the rest of the house.
import type { AccountRoom } from '../account/room.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Alert } from '../monitor/schema.ts'
import type { NamesRoom } from '../names/room.ts'
import type { Patiently } from '../slack/client/web-client.ts'
import type { Gate } from '../slack/gate/gate.ts'
import type { AnswerForm } from '../slack/guard/answer-form.ts'
import type { Once } from '../slack/guard/once.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Scopes } from '../slack/workspace/scopes.ts'
import type { Turns } from '../work/turns.ts'
import type { Work } from '../work/under-way.ts'
import type { Cards, LiveCards, ReaderRoom } from './cards.ts'
import type { KnownLinks } from './link.ts'
import type { CardSettings } from './render/card.ts'

/** An alert was read: where it is closed, its other live cards are looked at at once, in the background. */
export type CallOthersIfClosed = (
  workspaceId: string,
  alert: Alert,
  how: { readonly ks: string; readonly but?: string | undefined },
) => void

export interface AlertRoom extends ReaderRoom {
  readonly account: AccountRoom
  readonly answerForm: AnswerForm
  /** To find which alert a link leads to. */
  readonly monitor: Pick<Monitor, 'openAlertsOf' | 'readAlert'>
  readonly knownLinks: KnownLinks
  readonly names: NamesRoom
  readonly audit: Pick<Audit, 'lookedUp'>
  readonly cards: Cards
  readonly liveCards: LiveCards
  readonly callOthersIfClosed: CallOthersIfClosed
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'wasShared'>>
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Outbound>
  readonly patiently: Patiently
  /** Of cards that are refreshed. */
  readonly turns: Turns
  /** What goes on when whoever asked has their card. */
  readonly work: Pick<Work, 'track'>
  /** For links that people post: nobody has asked for anything. */
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly gate: Pick<Gate, 'chargeSilently'>
  readonly once: Pick<Once, 'claim' | 'release'>
  /** After so long without an answer of the service, whoever waits for it hears so. */
  readonly slowMs: number
  /** Keys that this person has looked up themselves, the latest first; may name one twice. */
  readonly recentKeys: (owner: SlackUser) => Promise<readonly string[]>
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}
