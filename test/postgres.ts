// PostgreSQL for tests: a server of its own, whose processes and data go when the tests are over.
import { afterAll } from 'vitest'
import { forkPostgres, type PostgresServer } from './postgres-process.ts'

export type { PostgresServer } from './postgres-process.ts'

/** One for all tests of a file: called outside of them. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await forkPostgres()
  // A database a test: there is much to take away.
  afterAll(() => server.end(), 60_000)
  return server
}
