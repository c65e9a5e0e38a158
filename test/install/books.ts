// Books of what is known of a workspace, by the bot and in its Slack.
import { DatabaseSync } from 'node:sqlite'
import type { Installs } from './world.ts'

/**
 * All that is kept of a workspace, but for the marks by which a request that comes again is known, for what was kept
 * until an upgrade, and for when Bellhop looks next whether an alert is open again.
 */
export function rowsOf({ env }: Installs, workspaceId: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''), { readOnly: true })
  try {
    const tables = database
      .prepare(
        `select m.name as name from sqlite_master m join pragma_table_info(m.name) c
         where m.type = 'table' and c.name = 'workspace_id' and m.name not like '%!_until!_%' escape '!'`,
      )
      .all()
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        database
          .prepare(`select * from "${name}" where workspace_id = ? order by rowid`)
          .all(workspaceId)
          .filter(({ key }) => !String(key).startsWith('request ')),
      ]),
    )
  } finally {
    database.close()
  }
}

/** All of Acme that somebody could have changed or used. */
export function stateOf(world: Installs) {
  const { slack, workspaceId } = world.acme
  return {
    rows: rowsOf(world, workspaceId),
    messages: slack.workspace.messages.map(({ ts, text: words, blocks, isDeleted }) => ({
      ts,
      words,
      blocks,
      isDeleted,
    })),
    calls: slack.calls.map(({ method }) => method),
  }
}
