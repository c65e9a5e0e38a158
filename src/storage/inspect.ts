// How a database is, without making or changing anything: before the first start, and while the bot runs.
import type { Health } from '../doctor/health.ts'
import { inspectPostgres } from './inspect-postgres.ts'
import { inspectSqlite } from './inspect-sqlite.ts'

/**
 * @param url - `file:` and a path, or `postgres://…`.
 * @throws ConfigError, without the url, when it cannot be reached, read or written, or is a newer version's.
 */
export function inspectStorage(url: string): Promise<Health> {
  return url.startsWith('file:') ? inspectSqlite(url) : inspectPostgres(url)
}
