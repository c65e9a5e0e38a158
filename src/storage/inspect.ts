// How a database is, without making or changing anything: before the first start, and while the bot runs.
import type { Health } from '../doctor/health.ts'
import { inspectSqlite } from './sqlite/inspect.ts'

/**
 * @param url - `file:` and a path, or `postgres://…`.
 * @throws ConfigError, without the url, when it cannot be reached, read or written, or is a newer version's.
 */
export async function inspectStorage(url: string): Promise<Health> {
  if (url.startsWith('file:')) return inspectSqlite(url)
  const { inspectPostgres } = await import('./postgres/on-postgres.ts')
  return inspectPostgres(url)
}
