// The tables of the audit trail.

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

export interface AuditCheckpointTable {
  readonly id: number
  readonly seq: number
  readonly mac: string
  readonly at: number
  readonly unverified: number
  readonly key_id: string
  readonly seal: string
}

export interface AuditLookUpsTable {
  readonly id: string
  readonly at: number
  readonly workspace_id: string
  readonly user_id: string
  readonly body: string
}
