// Audit records that are lost when the bot stops while its database is away: the log says so.
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { assemble } from '../../src/storage/storage.ts'
import { openWorld } from '../world.ts'

it('are told', async () => {
  let isAway = false
  const away = new Error('away')
  const world = await openWorld({
    async open({ url, now, log }) {
      const storage = assemble(await openSqlite(url, now, log))
      const { auditRecords } = storage
      return {
        ...storage,
        auditRecords: {
          ...auditRecords,
          append: (...what) => (isAway ? Promise.reject(away) : auditRecords.append(...what)),
        },
      }
    },
  })
  const { alice, general, bellhop, log } = world
  world.expectRefusals()
  isAway = true
  await alice.types('/grant 12 dave@example.com viewer', general)
  await expect.poll(() => log.join()).toContain('an audit record could not be written')

  await bellhop.stop(2_000)

  expect(log.join()).toContain('audit records could not be written')
})
