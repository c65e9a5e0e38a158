// The tables of wishes to grant access: one for each person, several together, and what a colleague has to approve.

/** What rows of grants and of batches have in common. */
export interface WishColumns {
  readonly workspace_id: string
  readonly id: string
  readonly asker_id: string
  /** Equal for equal wishes. */
  readonly fingerprint: string
  readonly channel_id: string | null
  /** `joined`: an intent that another one (`joined_id`) stands for. */
  readonly state: 'asked' | 'cancelled' | 'sending' | 'settled' | 'joined'
  readonly joined_id: string | null
  /** 1 while equal wishes of the asker join this one; a unique index lets only one of them have it. */
  readonly is_standing: 0 | 1
  readonly asked_at: number
  /** Of what is settled a mark that others ended it, as its sender had fallen silent. */
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: 0 | 1
  /** Until then, somebody is telling the asker. Null, settled and without a lease: an older version is, or was. */
  readonly telling_until: number | null
  readonly is_shared: 0 | 1
  /** JSON: what it is for. */
  readonly about: string | null
  /** 1 when it was given up because approval was asked for. */
  readonly is_handed_over: 0 | 1
}

export interface GrantsTable extends WishColumns {
  readonly request: string
  readonly outcome: string | null
}

export interface BatchesTable extends WishColumns {
  readonly wish: string
}

export interface ApprovalsTable {
  readonly workspace_id: string
  readonly id: string
  /** Of the wish it was asked for. */
  readonly wish_id: string
  readonly asker_id: string
  readonly asker_name: string
  readonly wish: string
  readonly reason: string
  readonly barred: string
  readonly channel_id: string | null
  readonly thread_ts: string | null
  readonly state: 'open' | 'granting' | 'ended'
  /** 1 until it has ended; a unique index lets one request for a wish have it. */
  readonly is_open: 0 | 1
  /** How often it was approved; each time has ids of its own at the service. */
  readonly attempt: number
  readonly approver_id: string | null
  readonly approver_name: string | null
  readonly lease_until: number | null
  /** While it is open, what became of the last attempt. */
  readonly ending: string | null
  readonly asked_at: number
  readonly until: number
  readonly card: string
  /** Grows with every change that shows. */
  readonly version: number
  /** 1 while somebody has to be told, or the card to be drawn. */
  readonly is_owed: 0 | 1
  /** Until then, somebody is doing that. */
  readonly claim_until: number
  readonly is_asker_told: 0 | 1
  readonly is_approver_told: 0 | 1
}
