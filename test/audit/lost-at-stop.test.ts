// Audit records that are lost when the bot stops while its database is away: the log says so.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { assemble } from '../../src/storage/storage.ts'
import { openWorld } from '../world.ts'

it('are told, whoever else waits for the database then', async () => {
  let isAway = false
  const away = new Error('away')
  const world = await openWorld({
    async open({ url, now, log }) {
      const storage = assemble(await openSqlite(url, now, log), log)
      const { processes, auditRecords } = storage
      return {
        ...storage,
        processes: {
          ...processes,
          // As PostgreSQL is waited for.
          leave: (id) =>
            isAway
              ? delay(10_000, undefined, { ref: false }).then(() => Promise.reject(away))
              : processes.leave(id),
        },
        auditRecords: {
          ...auditRecords,
          head: () => (isAway ? Promise.reject(away) : auditRecords.head()),
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
