// Makes a workspace as full of live cards as it can be: copies of one that is live, which nobody looks at.
import { DatabaseSync } from 'node:sqlite'

const columns =
  'workspace_id, since, channel_id, thread_ts, shown, is_seen, true_at, drawn_at, failures, pokes'

/** @param file - The database of a bot; one card is live in it. @param cards - How many there are then. */
export function fillWorkspace(file: string, cards: number): void {
  const database = new DatabaseSync(file)
  database.exec('pragma busy_timeout = 5000')
  const never = 32_503_680_000_000
  database
    .prepare(
      `with recursive number (n) as (select 2 union all select n + 1 from number where n < ?)
      insert into live_cards (${columns}, card_id, ts, due_at, lease_owner, lease_until)
      select ${columns}, card_id || n, ts || n, ?, 'nobody', ? from live_cards, number`,
    )
    .run(cards, never, never)
  database.close()
}
