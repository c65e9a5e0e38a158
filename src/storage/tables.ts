// The tables, as Kysely sees them. Changed together with baseline.ts.
// Times are milliseconds since 1970; truth values are 0 and 1; `doc` and `body` are JSON.
export interface AccountsTable {
  readonly workspace_id: string
  readonly user_id: string
  readonly token: string
  readonly kept_at: number
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

export interface Tables {
  readonly accounts: AccountsTable
  readonly kept: KeptTable
  readonly docs: DocsTable
  readonly audit_records: AuditRecordsTable
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
