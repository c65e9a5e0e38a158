// The tables, as Kysely sees them. Changed together with baseline.ts.
// Times are milliseconds since 1970; truth values are 0 and 1; `doc`, `told`, `shown`, `ended`, `link`, `body` and `names`
// of a card are JSON.
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

export interface CardsTable {
  readonly workspace_id: string
  readonly id: string
  readonly ks: string
  readonly asker_id: string
  readonly asker_name: string
  readonly channel_id: string | null
  readonly is_private: 0 | 1
  readonly form: 'thread' | 'one-message'
  readonly told: string
  readonly version: number
  readonly kept_at: number
  /** Where the card stands, when Slack said so. */
  readonly posted_channel_id: string | null
  readonly ts: string | null
  readonly title: string
  /** The parent of the thread the card stands in, when it is a reply itself. */
  readonly thread_ts: string | null
  /** Null where no web link without a key is known of its alert. */
  readonly link: string | null
  /** What its asker's token had named when it was last drawn for them. */
  readonly names: string | null
}

export interface LiveCardsTable {
  readonly workspace_id: string
  readonly card_id: string
  readonly since: number
  readonly channel_id: string
  readonly ts: string
  readonly thread_ts: string | null
  readonly shown: string | null
  /** 0 asks for another drawing. */
  readonly is_seen: 0 | 1
  /** When the service last gave the alert. */
  readonly true_at: number | null
  readonly drawn_at: number | null
  readonly failures: number
  readonly due_at: number
  /** Grows whenever somebody wants the card looked at; a look that began before must not put it off. */
  readonly pokes: number
  readonly lease_owner: string | null
  readonly lease_until: number | null
}

export interface WatchesTable {
  readonly workspace_id: string
  readonly card_id: string
  readonly user_id: string
  readonly user_name: string
  readonly since: number
  readonly until: number
  /** Null once it has ended. */
  readonly slot: number | null
  /** Why it ended; null while it runs. */
  readonly ended: string | null
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
  readonly cards: CardsTable
  readonly live_cards: LiveCardsTable
  readonly watches: WatchesTable
  readonly audit_records: AuditRecordsTable
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
