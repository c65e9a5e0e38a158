// The tables of installations, as Kysely sees them.

export interface InstallationsTable {
  /** The team's id; the enterprise's, where the bot is installed for all of it. */
  readonly workspace_id: string
  readonly team_id: string
  /** Null when Slack did not say. */
  readonly team_name: string | null
  readonly enterprise_id: string | null
  readonly is_org_wide: 0 | 1
  readonly bot_user_id: string
  readonly bot_id: string | null
  readonly url: string | null
  /** By comma; null when Slack did not say. */
  readonly scopes: string | null
  /** Sealed. */
  readonly token: string
  readonly installer_id: string
  readonly installed_at: number
  readonly audit_channel: string | null
  readonly approval_channel: string | null
}

export interface InstallStatesTable {
  readonly hash: string
  readonly kept_at: number
  /** Null until somebody has come back with it. */
  readonly used_at: number | null
}
