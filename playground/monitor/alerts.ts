// One alert of the stand-in service and how it moves on.
import type { AlertField } from './contract.ts'

export interface KnownAction {
  readonly kind: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly data: Readonly<Record<string, unknown>> | null
}

export type AlertValues = {
  ks: string
  message: string
  severity: number
  timestamp: number
  lastMessage: string
  lastSeverity: number
  lastTimestamp: number
  ownerId: number | null
  closedTimestamp: number | null
} & Record<AlertField, unknown>

export interface KnownAlert {
  /** Whose flags count; undefined: those of any container. */
  readonly containerId: number | undefined
  /** Undefined: it is in no asset's list. */
  readonly assetId: number | undefined
  readonly link: WebLink | undefined
  readonly values: AlertValues
  readonly actions: KnownAction[]
  readonly handle: AlertHandle
}

/** What the service's web page has in the address of an alert, beside container, asset and time. */
export interface WebLink {
  readonly conditionId: number
  readonly item: string
}

/** Without `last…` there is a single hit; without times, they are now. Unix seconds. */
export interface NewAlert {
  readonly ks: string
  /** Other spellings that the service takes for the same key; it answers `ks` to them. */
  readonly spellings?: readonly string[]
  readonly message?: string
  readonly severity?: number
  readonly timestamp?: number
  readonly lastMessage?: string
  readonly lastSeverity?: number
  readonly lastTimestamp?: number
  readonly ownerId?: number | null
  readonly closedTimestamp?: number | null
  /** Answered in this order; they change nothing else of the alert. */
  readonly actions?: readonly NewAction[]
  readonly containerId?: number
  /** It is known from then on, as one of the alert's container. */
  readonly assetId?: number
  /** Default: a condition and an item of its own. */
  readonly link?: WebLink
}

export interface NewAction {
  readonly kind: string
  readonly timestamp?: number
  readonly data?: Readonly<Record<string, unknown>> | null
}

/** Moves an alert on. */
export interface AlertHandle {
  readonly ks: string
  /** As it stands. */
  readonly values: Readonly<AlertValues>
  readonly actions: readonly KnownAction[]
  /** Records an action. Assign with an `ownerId` gives the alert to them, the three kinds of closing close it. */
  act(action: NewAction): void
  hit(hit: {
    readonly message?: string
    readonly severity?: number
    readonly timestamp?: number
  }): void
  /** @param kind - Default Close. */
  close(
    kind?: 'Close' | 'AutoClose' | 'IndirectClose',
    data?: Readonly<Record<string, unknown>>,
  ): void
  /** The trouble is there again: the same alert is open once more. */
  reopen(hit?: { readonly message?: string; readonly severity?: number }): void
}

const closingKinds: ReadonlySet<string> = new Set(['Close', 'AutoClose', 'IndirectClose'])

export function openAlert(alert: NewAlert, now: () => number, changed: () => void): KnownAlert {
  const seconds = () => Math.floor(now() / 1_000)
  const complete = ({ kind, timestamp = seconds(), data = null }: NewAction): KnownAction => ({
    kind,
    timestamp,
    data,
  })
  const { ks, message = 'Disk /var is 91 % full', severity = 3, timestamp = seconds() } = alert
  const values: AlertValues = {
    ks,
    message,
    severity,
    timestamp,
    lastMessage: alert.lastMessage ?? message,
    lastSeverity: alert.lastSeverity ?? severity,
    lastTimestamp: alert.lastTimestamp ?? timestamp,
    ownerId: alert.ownerId ?? null,
    closedTimestamp: alert.closedTimestamp ?? null,
  }
  const actions = (alert.actions ?? []).map(complete)

  function act(action: NewAction): void {
    const done = complete(action)
    actions.push(done)
    if (done.kind === 'Assign' && typeof done.data?.ownerId === 'number')
      values.ownerId = done.data.ownerId
    if (closingKinds.has(done.kind)) values.closedTimestamp ??= done.timestamp
    changed()
  }

  const hit: AlertHandle['hit'] = (one) => {
    values.lastMessage = one.message ?? values.lastMessage
    values.lastSeverity = one.severity ?? values.lastSeverity
    values.lastTimestamp = one.timestamp ?? seconds()
    changed()
  }

  const handle: AlertHandle = {
    ks,
    values,
    actions,
    act,
    hit,
    close: (kind = 'Close', data) => act({ kind, data: data ?? null }),
    reopen(one = {}) {
      values.closedTimestamp = null
      hit(one)
    },
  }
  const { containerId, assetId, link } = alert
  return { containerId, assetId, link, values, actions, handle }
}
