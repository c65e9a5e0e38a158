// The tables, as Kysely sees them. Changed together with baseline.ts.
// Times are milliseconds since 1970; truth values are 0 and 1; `request`, `outcome`, `before`,
// `wish`, `barred`, `ending`, `card` and `body` are JSON.
export interface AccountsTable {
  readonly workspace_id: string
  readonly user_id: string
  readonly token: string
  readonly kept_at: number
  /** When Slack was last asked whether they are still there, or they have connected. */
  readonly asked_at: number
}

/** See kept.ts. */
export interface KeptTable {
  readonly kind: string
  readonly key: string
  readonly workspace_id: string
  /** Whose it is; empty where it is nobody's. */
  readonly user_id: string
  readonly value: string
  readonly kept_at: number
  readonly until: number
}

/** See docs.ts. */
export interface DocsTable {
  readonly kind: string
  readonly workspace_id: string
  readonly id: string
  readonly owner_id: string
  readonly ref: string
  readonly claim: string | null
  readonly due_at: number | null
  readonly kept_at: number
  readonly doc: string
}

/** One row for each key of ENCRYPTION_KEYS that was ever the first. */
export interface KeyChecksTable {
  readonly key_id: string
  readonly sealed: string
}

export interface Tables {
  readonly accounts: AccountsTable
  readonly kept: KeptTable
  readonly docs: DocsTable
  readonly wishes: WishesTable
  readonly sends: SendsTable
  readonly audit_records: AuditRecordsTable
  readonly audit_look_ups: AuditLookUpsTable
  readonly approvals: ApprovalsTable
  readonly key_checks: KeyChecksTable
}

export interface AuditRecordsTable {
  readonly seq: number
  readonly at: number
  readonly workspace_id: string
  /** Unique in the workspace. */
  readonly event_key: string
  readonly key_id: string
  readonly mac: string
  readonly body: string
  /** Null when the record has none, or it was erased. */
  readonly email: string | null
}

export interface AuditLookUpsTable {
  readonly id: string
  readonly at: number
  readonly workspace_id: string
  readonly user_id: string
  readonly body: string
}

/** What somebody asks for: one or several writes to the service. What is written is in `sends`. */
export interface WishesTable {
  readonly workspace_id: string
  readonly id: string
  /** Whose token sends it. */
  readonly sender_id: string
  /** Who asked for it: another than its sender when it was approved. */
  readonly asker_id: string
  /** Where it was asked; null where there was no channel. */
  readonly channel_id: string | null
  /** JSON: what it is for. */
  readonly about: string | null
  /** `handed-over`: given up because approval was asked for. */
  readonly state: 'asked' | 'cancelled' | 'handed-over' | 'sending' | 'settled'
  /** The wish whose rest this one asks for again, and what for; of each there is one. */
  readonly follows_id: string | null
  readonly follows_as: 'rest' | 'again' | null
  readonly asked_at: number
  /** Until then its sender is taken to be alive. */
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: 0 | 1
  /** Until then, somebody is telling the sender. Null before it is settled. */
  readonly telling_until: number | null
  readonly is_shared: 0 | 1
  /** 1 where the outcome is part of something else that is told. */
  readonly is_told_elsewhere: 0 | 1
}

/** One write to the service, of the wish `wish_id`. */
export interface SendsTable {
  readonly workspace_id: string
  readonly wish_id: string
  /** Its place in the wish, from 1. */
  readonly n: number
  readonly sender_id: string
  /** `Write['kind']`, or one that another version knows. */
  readonly kind: string
  /** JSON: what is written, and where. */
  readonly write: string
  /** `never-sent`: given up before it was begun. */
  readonly state: 'asked' | 'sending' | 'settled' | 'never-sent'
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  /** JSON. */
  readonly outcome: string | null
  /** JSON: what was known before it was sent; null where nothing is read for that, or nothing was sent yet. */
  readonly before: string | null
  /** JSON: what was seen last of somebody who may have been added; null where nobody has looked, or it was proved. */
  readonly look: string | null
}

export interface ApprovalsTable {
  readonly workspace_id: string
  readonly id: string
  readonly asker_id: string
  /** JSON of it as it was asked. */
  readonly request: string
  /** Emptied when it has ended. */
  readonly barred: string
  readonly state: 'open' | 'granting' | 'ended'
  /** 1 until it has ended. */
  readonly is_open: 0 | 1
  /** How often it was approved; each time has ids of its own at the service. */
  readonly attempt: number
  readonly approver: string | null
  readonly lease_until: number | null
  /** While it is open, the results of the last attempt: `tried` of an `Approval`. */
  readonly ending: string | null
  readonly asked_at: number
  readonly until: number
  /** Null while it is not posted. */
  readonly card: string | null
  /** Grows with every change that shows. */
  readonly version: number
  /** 1 while somebody has to be told, or the card to be drawn. */
  readonly is_owed: 0 | 1
  /** Until then, somebody is doing that. */
  readonly claim_until: number
  readonly is_asker_told: 0 | 1
  readonly is_approver_told: 0 | 1
  readonly ended_at: number | null
}
