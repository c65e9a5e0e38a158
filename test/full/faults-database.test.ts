// The table of faults: the database's, and the clock's.
import { it } from 'vitest'
import { databaseFaults } from './faults/rows-database.ts'

it.each(databaseFaults)('$fault: $seen', ({ play }) => play(), 300_000)
