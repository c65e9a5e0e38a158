// All that PostgreSQL needs, as one: a process on SQLite loads none of it, one on PostgreSQL has it from its start.
export { inspectPostgres } from './inspect.ts'
export { openPostgres } from './postgres.ts'
