// Two storages on one database: what the contract of every storage is held to.
import type { Database } from '../../src/storage/problem.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** Two storages on one database, as two processes have them, and a clock that stands still until it is moved. */
export interface Pair {
  readonly storage: Storage
  readonly other: Storage
  readonly clock: { now: number }
  /** Below them. */
  readonly databases: readonly [Database, Database]
}

export type OpenPair = () => Promise<Pair>
