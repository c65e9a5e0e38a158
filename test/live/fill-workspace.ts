// Makes a workspace as full of live cards as it can be: copies of one that is live, which nobody looks at.
import { DatabaseSync } from 'node:sqlite'

/** @param file - The database of a bot; one card is live in it. @param cards - How many there are then. */
export function fillWorkspace(file: string, cards: number): void {
  const database = new DatabaseSync(file)
  database.exec('pragma busy_timeout = 5000')
  database
    .prepare(
      `with recursive number (n) as (select 2 union all select n + 1 from number where n < ?)
      insert into docs (kind, workspace_id, id, owner_id, ref, claim, due_at, kept_at, doc)
      select kind, workspace_id, id || n, owner_id, ref || n, null, null, kept_at,
        json_set(doc, '$.id', id || n)
      from docs, number where kind = 'live-card'`,
    )
    .run(cards)
  database.close()
}
