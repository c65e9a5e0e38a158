// No statement of a store walks through a whole table: what is quick with ten rows stays quick with a million.
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { open, temporaryFile } from './files.ts'

const wish = `workspace_id = ? and asker_id = ? and fingerprint = ? and is_standing = 1`

it.each([
  `select * from grants where ${wish}`,
  `update grants set is_standing = 0 where ${wish} and state = 'settled' and settled_at < ?`,
  `update grants set lease_until = null where state = 'sending' and lease_until <= ?`,
  `update grants set telling_until = ? where state = 'settled' and is_told = 0 and settled_at < ?
     and (telling_until is null or telling_until <= ?)`,
  `delete from grants where asked_at < ? and state != 'sending'`,
  `delete from grants where workspace_id = ?`,
  `delete from cards where kept_at < ?`,
  `delete from cards where workspace_id = ?`,
  `delete from waiting where since < ?`,
  `delete from waiting where workspace_id = ? and user_id = ?`,
  `delete from accounts where workspace_id = ?`,
])('uses an index: %s', async (statement) => {
  const path = temporaryFile()
  await open(path)
  const database = new DatabaseSync(path)
  onTestFinished(() => database.close())
  const plan = database.prepare(`explain query plan ${statement}`).all()
  expect(plan.map(({ detail }) => detail).join('; ')).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX [^;]+$/)
})
