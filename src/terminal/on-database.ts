// The database that an operator’s command works on, with its keys.
import { type Environment, parseKept } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { keyProblems } from '../keys/key-checks.ts'
import { openStorage, type Storage } from '../storage/storage.ts'

export type DatabaseSettings = ReturnType<typeof parseKept>

/**
 * Opens the database, does the work, and closes it.
 * @throws ConfigError if there is no database yet, settings are missing, or a key isn’t the one that was used on this
 * database under the same id: with it, untouched records would look as if somebody had changed them.
 */
export async function onDatabase<T>(
  env: Environment,
  work: (storage: Storage, settings: DatabaseSettings) => Promise<T>,
) {
  const kept = parseKept(env)
  const keys = kept.encryptionKeys
  const storage = await openStorage({ url: kept.databaseUrl, now: Date.now, mustExist: true })
  try {
    const checks = await storage.keyChecks.all()
    const given = checks.filter(({ keyId }) => keys.some(({ id }) => id === keyId))
    const wrong = keyProblems(given, keys)
    if (wrong.length > 0) throw new ConfigError(wrong)

    return await work(storage, kept)
  } finally {
    await storage.close()
  }
}
