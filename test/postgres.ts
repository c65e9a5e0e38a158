// PostgreSQL for tests: servers whose processes and data go when the tests are over.
import { afterAll } from 'vitest'
import { forkPostgres, type PostgresServer } from './postgres-process.ts'

export type { PostgresServer } from './postgres-process.ts'

let shared: Promise<PostgresServer> | undefined

/** One for all files of this worker, each test with databases of its own. It ends with the worker. */
export function startPostgres(): Promise<PostgresServer> {
  shared ??= forkPostgres()
  return shared
}

/** One for all tests of a file, to be stopped by them as they like: called outside of them. */
export async function startOwnPostgres(): Promise<PostgresServer> {
  const server = await forkPostgres()
  // A database a test: there is much to take away.
  afterAll(() => server.end(), 60_000)
  return server
}
