// Kysely's PostgreSQL dialect with two differences: connections that broke are survived (see session.ts),
// and whoever migrates takes the lock.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { PoolConnections } from './pool.ts'
import { type Manners, Session } from './session.ts'

export function postgresDialect(connections: PoolConnections, manners: Manners): Dialect {
  return {
    createDriver: () => createDriver(connections, manners),
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class Adapter extends PostgresAdapter {
  // Kysely's own lock belongs to a session, which a connection pooler would hand to others; see postgres.ts.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

function createDriver(connections: PoolConnections, manners: Manners): Driver {
  // Never connects: it only says the words of transactions to the sessions it is given.
  const words = new PostgresDriver({
    pool: async () => {
      throw new Error('sessions have connections of their own')
    },
  })
  return {
    init: async () => {},
    acquireConnection: async () => new Session(() => connections.take(), manners),
    releaseConnection: async (connection) => sessionOf(connection).release(),
    async beginTransaction(connection, settings) {
      await words.beginTransaction(connection, settings)
      sessionOf(connection).hold()
    },
    async commitTransaction(connection) {
      await words.commitTransaction(connection)
      sessionOf(connection).letGo(true)
    },
    async rollbackTransaction(connection) {
      const session = sessionOf(connection)
      const rollback = CompiledQuery.raw('rollback')
      // The error that led here is the one to be told. A connection that broke has rolled back by itself.
      const isSound = await session.executeQuery(rollback).then(
        () => true,
        () => false,
      )
      session.letGo(isSound)
    },
    savepoint: (connection, name, compile) => words.savepoint(connection, name, compile),
    rollbackToSavepoint: (connection, name, compile) => words.rollbackToSavepoint(connection, name, compile),
    releaseSavepoint: (connection, name, compile) => words.releaseSavepoint(connection, name, compile),
    // Whoever opened the connections closes them.
    destroy: async () => {},
  }
}

function sessionOf(connection: DatabaseConnection): Session {
  if (!(connection instanceof Session)) throw new Error('a connection of another driver')
  return connection
}
