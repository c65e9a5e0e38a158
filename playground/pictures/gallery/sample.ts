// The alerts and grants that the gallery tells about: one night on call. Data only.
import type { CardSettings, CardView } from '../../../src/alert/render/card.ts'
import { type Access, type Result, writesOf } from '../../../src/grant/access.ts'
import { type FormNotes, grantModal } from '../../../src/grant/form/modal.ts'
import type { Prefill } from '../../../src/grant/line/line.ts'
import { defaultRoles, type GrantSettings } from '../../../src/grant/roles.ts'
import type { Action, Alert } from '../../../src/monitor/schema.ts'
import type { Names } from '../../../src/names/names.ts'
import type { Look } from '../../../src/send/outcome.ts'
import type { Request } from '../../../src/send/request.ts'

const minute = 60

/** When the gallery's pictures are taken, in Unix seconds: a Thursday, 23:42 UTC. */
export const asOf = Date.UTC(2026, 0, 15, 23, 42, 10) / 1000

/** Stand for #on-call, #access and Alice, whose ids differ from stage to stage. */
export const onCallId = 'C0ONCALL1'
export const accessId = 'C0ACCESS1'
export const colleagueId = 'U0ALICE01'

export const alertUrl = 'https://monitoring.example.com/alert/{ks}'

export const cardSettings: CardSettings = {
  severityNames: ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFORMATIONAL', 'DEBUG'],
  alertUrl,
  canAct: true,
}

export const grantSettings: GrantSettings = {
  roles: defaultRoles,
  authProviders: ['Password', 'Google', 'Microsoft'],
}

/** The form as it opens. */
export function grantForm(
  prefill: Prefill,
  notes: FormNotes = {},
  settings: GrantSettings = grantSettings,
  state = '',
) {
  const container = { text: prefill.container, suggests: true } as const
  return grantModal(state, prefill, container, settings, notes)
}

/** @param minutesAgo - Before the pictures are taken. */
export function action(minutesAgo: number, kind: string, data: Action['data'] = null): Action {
  return { kind, timestamp: asOf - minutesAgo * minute, data }
}

export const diskActions: readonly Action[] = [
  action(85, 'Assign', { userId: 7, ownerId: 7, message: 'I take this one.' }),
  action(70, 'Comment', { userId: 7, message: 'Old logs, rotating them now.' }),
  action(38, 'IntegrationCall', { integration: 'ticket', reference: 'OPS-1290' }),
]

/** Got worse since it was opened, and somebody is on it. */
export const diskFull: Alert = {
  ks: 'disk-full',
  message: 'Disk /var on db-03 is 91 % full',
  severity: 4,
  timestamp: asOf - 89 * minute,
  lastMessage: 'Disk /var on db-03 is 96 % full',
  lastSeverity: 2,
  lastTimestamp: asOf - minute,
  ownerId: 7,
  closedTimestamp: null,
  actions: diskActions,
}

/** An alert with a single hit, nobody's yet. */
export function singleHit(changes: { readonly message?: string; readonly severity?: number } = {}): Alert {
  const { message = 'shop.example.com answers 503', severity = 0 } = changes
  const timestamp = asOf - 9 * minute
  return {
    ...{ ks: '5HkX', message, severity, timestamp },
    ...{ lastMessage: message, lastSeverity: severity, lastTimestamp: timestamp },
    ...{ ownerId: null, closedTimestamp: null, actions: [] },
  }
}

export const closed: Alert = {
  ...diskFull,
  lastTimestamp: asOf - 12 * minute,
  closedTimestamp: asOf - 5 * minute,
  actions: [...diskActions, action(5, 'Close', { userId: 7, message: 'Rotated, 41 % now.' })],
}

/** Many notes of one person, the newest last. */
export const longStory: readonly Action[] = Array.from({ length: 48 }, (_, index) =>
  action((48 - index) * 2, 'Comment', { userId: 9, message: `Note ${index + 1}: still growing.` }),
)

/** As the asker's token shows them. */
export const names: Names = {
  people: { 7: 'Alice Archer', 9: 'Dave Doe' },
  container: { id: 12, name: 'Customer 1' },
}

/** What a card says besides its alert, as asked in a channel. */
export function view(alert: Alert, changes: Partial<CardView> = {}): CardView {
  const how = { askerName: 'alice', asOf, isPrivate: false, canShare: true, names }
  return { cardId: 'card', alert, ...how, ...changes }
}

export const dave = 'dave@example.com'

/** A wish of the gallery: dave as a viewer on container 12. */
export function wishFor(changes: Partial<Access> = {}): Access {
  const { viewer = [] } = defaultRoles
  return {
    ...{ containerId: 12, emails: [dave], authProvider: undefined, member: false },
    permissions: viewer,
    ...changes,
  }
}

/** The same as it is kept, once everybody has an outcome. @param reason - What it was for. */
export function keptWith(
  wish: Access,
  results: readonly Result[],
  reason?: string,
  looks: readonly (Look | undefined)[] = [],
): Pick<Request, 'id' | 'sends' | 'about'> {
  const sends = writesOf(wish).map((write, index) => {
    return { n: index + 1, write, outcome: results[index]?.outcome, look: looks[index] }
  })
  const about = reason === undefined ? undefined : { name: reason, isForAll: false, isDirect: false }
  return { id: 'wish', sends, about }
}
