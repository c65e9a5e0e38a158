// A PostgreSQL database in which it can become later at once, for everybody who is connected from then on.
import type { PostgresServer } from '../../postgres.ts'
import type { OwnDatabase } from './each-step.ts'

export async function createAgingDatabase(server: PostgresServer): Promise<OwnDatabase> {
  const url = await server.createDatabase()
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
