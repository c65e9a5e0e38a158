// `npm run migrate`: brings the database up to date apart from the start, which does the same.
import { parseDatabaseUrl } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { openStorage } from '../storage/storage.ts'
import { printError, printLines } from './print.ts'

try {
  const storage = await openStorage({ url: parseDatabaseUrl(process.env), now: Date.now })
  await storage.close()
  const { migrated } = storage
  printLines([
    migrated.length === 0 ? 'Up to date: nothing to migrate.' : `Migrated: ${migrated.join(', ')}.`,
  ])
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  printError(error)
  // Whatever is still open of a connection that failed.
  process.exit(1)
}
