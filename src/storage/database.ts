// What an engine gives once it is open: the stores are put together from it.
import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

export interface Database {
  /** What it was told survives a power cut. */
  readonly durable: Kysely<Tables>
  /** May be quicker; a power cut may take its newest commits, a killed process none. */
  readonly quick: Kysely<Tables>
  readonly engine: Engine
  /** The migrations that opening it has made, oldest first. */
  readonly migrated: readonly string[]
  /** True when a table can be read just now. Never throws, and answers within two seconds. */
  isReachable(): Promise<boolean>
  /** False once its file was removed or replaced: what is written goes nowhere. Never throws; a server always is. */
  isInPlace(): Promise<boolean>
  /**
   * Takes what was forgotten out of SQLite's own log, too: true when that is done, false after `withinMs` (a second),
   * and then it goes on by itself. Never rejects. PostgreSQL does it in its own time; nothing is done there.
   */
  scrub(withinMs?: number): Promise<boolean>
  /** May be called twice. */
  close(): Promise<void>
}
