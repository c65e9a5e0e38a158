// What an engine gives once it is open: the stores are put together from it.
import type { Kysely } from 'kysely'
import type { Unwritable } from '../doctor/health.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'
import type { FailureKind } from './write-health.ts'

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
   * Why nothing can be written just now; undefined when something can, as far as is known. While nothing can, a write is
   * tried every ten seconds when this is asked. Never throws, and answers within a second.
   */
  unwritable(): Promise<Unwritable | undefined>
  /** Statements that have failed since it was opened because something is wrong with the database itself. */
  failures(): Readonly<Record<FailureKind, number>>
  /**
   * Takes what was forgotten out of SQLite's own log, too: true when that is done, false after `withinMs` (a second),
   * and then it goes on by itself. Never rejects. PostgreSQL does it in its own time; nothing is done there.
   */
  scrub(withinMs?: number): Promise<boolean>
  /** May be called twice. */
  close(): Promise<void>
}
