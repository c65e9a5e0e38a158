// Writes that are asked for in the same moment go into one transaction: a commit costs more than the write itself, and
// many people's commands write at once. Each write still succeeds or fails for itself.
import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

export interface Writes {
  /** Resolves once it is committed. */
  add(query: CompiledQuery): Promise<QueryResult<never>>
  /** Resolves when nothing waits any more. Never rejects. */
  done(): Promise<void>
}

interface Waiting extends PromiseWithResolvers<QueryResult<never>> {
  readonly query: CompiledQuery
}

/** What became of one write; it counts only when the transaction is committed. */
type Outcome =
  | { readonly kind: 'done'; readonly result: QueryResult<never> }
  | { readonly kind: 'failed'; readonly error: unknown }

/**
 * @param room.write - Runs one, synchronously.
 * @param room.patiently - Runs `work` when no transaction is open, and again while the database is locked.
 */
export function createWrites(room: {
  readonly database: Pick<DatabaseSync, 'exec' | 'isTransaction'>
  readonly write: (query: CompiledQuery) => QueryResult<never>
  readonly patiently: <T>(work: () => T) => Promise<T>
}): Writes {
  const { database, write, patiently } = room
  let waiting: Waiting[] = []
  const underWay = new Set<Promise<void>>()

  function writeAll(queries: readonly CompiledQuery[]): readonly Outcome[] {
    const [only] = queries
    if (queries.length === 1 && only !== undefined) return [{ kind: 'done', result: write(only) }]
    database.exec('begin immediate')
    try {
      const outcomes = queries.map(tryOne)
      database.exec('commit')
      return outcomes
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  function tryOne(query: CompiledQuery): Outcome {
    try {
      return { kind: 'done', result: write(query) }
    } catch (error) {
      // Some errors (a full disk) roll back all that came before as well.
      if (!database.isTransaction) throw error
      return { kind: 'failed', error }
    }
  }

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    try {
      const outcomes = await patiently(() => writeAll(batch.map(({ query }) => query)))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]
        if (outcome?.kind === 'done') resolve(outcome.result)
        else reject(outcome?.error)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function begin(): void {
    const flushing = flush().finally(() => underWay.delete(flushing))
    underWay.add(flushing)
  }

  return {
    add(query) {
      const one = { query, ...Promise.withResolvers<QueryResult<never>>() }
      waiting.push(one)
      if (waiting.length === 1) setImmediate(begin)
      return one.promise
    },
    async done() {
      begin()
      await Promise.all(underWay)
    },
  }
}
