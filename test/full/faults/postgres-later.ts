// A PostgreSQL database in which it can become later at once, for everybody who is connected from then on.
import { openStorage } from '../../../src/storage/storage.ts'
import type { PostgresServer } from '../../postgres.ts'
import type { OwnDatabase } from './each-step.ts'

/** Of each server, one whose tables are made: a bot that makes them takes as long as its whole story. */
const templates = new WeakMap<PostgresServer, Promise<string>>()

async function makeTemplate(server: PostgresServer): Promise<string> {
  const url = await server.createDatabase()
  const storage = await openStorage({ url, now: Date.now })
  await storage.close()
  return url
}

export async function createAgingDatabase(server: PostgresServer): Promise<OwnDatabase> {
  const template = templates.get(server) ?? makeTemplate(server)
  templates.set(server, template)
  const url = await server.createDatabase(await template)
  const name = new URL(url).pathname.slice(1)
  return {
    url,
    /** Puts another clock before the server’s own, where names are looked up. */
    async later(ms) {
      await server.query(
        `create schema later;
         create function later.clock_timestamp() returns timestamptz language sql volatile as
           $$ select pg_catalog.clock_timestamp() + interval '${ms} milliseconds' $$;
         alter database ${name} set search_path = public, later, pg_catalog`,
        url,
      )
    },
  }
}
