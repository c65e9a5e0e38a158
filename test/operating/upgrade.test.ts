// A rolling upgrade: a newer process migrates the database under those that run, which work on and do not start again.
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'

it('a process whose database a newer one has migrated works on, and does not start again', async () => {
  const world = await openWorld()
  const { alice, general, service, env } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const database = new DatabaseSync((env.DATABASE_URL ?? '').replace('file:', ''), { timeout: 5_000 })
  database.exec(`
    create table from_the_future (id text primary key);
    alter table accounts add column from_the_future text;
    alter table docs add column from_the_future integer not null default 0;
    insert into kysely_migration (name, timestamp) values ('9000-from-the-future', '2030-01-01T00:00:00Z')`)
  database.close()

  await alice.types('/alert 5HkX', general)
  await alice.sees('Disk full', general)
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.sees('Granted', general)
  await world.connect(world.bob, 'bob-token-77d20e')

  await expect(world.startAnother()).rejects.toThrow('was last used by a newer version of Bellhop')
})
