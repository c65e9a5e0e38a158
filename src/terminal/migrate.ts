// `npm run migrate`: brings the database up to date apart from the start, which does the same.
import { type Environment, parseDatabaseUrl } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { openStorage } from '../storage/storage.ts'
import { type Print, runHereToTheEnd } from './command.ts'

export async function runMigrate(_words: unknown, env: Environment, print: Print): Promise<0 | 1> {
  try {
    const storage = await openStorage({ url: parseDatabaseUrl(env), now: Date.now })
    await storage.close()
    const { migrated } = storage
    print.lines([
      migrated.length === 0 ? 'Up to date: nothing to migrate.' : `Migrated: ${migrated.join(', ')}.`,
    ])
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print.error(error)
    return 1
  }
}

// Ends whatever is still open of a connection that failed.
if (import.meta.main) await runHereToTheEnd(runMigrate)
