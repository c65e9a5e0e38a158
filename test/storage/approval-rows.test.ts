// Rows of requests for approval, in the words that the version before reads and writes on the same database.
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { request } from '../../playground/pictures/gallery/grants/approval-sample.ts'
import { open, temporaryFile } from './files.ts'

it('a card that was posted through a response_url stands in its row as `told`', async () => {
  const path = temporaryFile()
  const { approvals } = await open(path)
  const { id, asker } = request()
  await approvals.ask(request(), { ttlMs: 3_600_000, claimMs: 60_000 })
  await approvals.keepPlace(asker.workspaceId, id, { kind: 'by-url' })

  const rows = new DatabaseSync(path, { readOnly: true })
  expect(rows.prepare('select card from approvals').get()).toEqual({ card: '{"kind":"told"}' })
  rows.close()
  expect((await approvals.find(asker.workspaceId, id))?.card).toEqual({ kind: 'by-url' })
})
