// Every migration, oldest first. Names sort in this order and never change.
import type { Migration } from 'kysely/migration'
import { core } from './0001-core.ts'
import { watches } from './0002-watches.ts'
import { approvals } from './0004-approvals.ts'

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-core': core,
  '0002-watches': watches,
  '0004-approvals': approvals,
}
