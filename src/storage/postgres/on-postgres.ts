// All that PostgreSQL needs, as one: a process on SQLite loads none of it, one on PostgreSQL has it from its start.

export { openPostgres } from './postgres.ts'
export { inspectPostgres } from './server.ts'
