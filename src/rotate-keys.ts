// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs, and says which
// older key may go. May be stopped at any moment and run again. `-- --forget <id>` goes on without a key that is lost.
import { createFingerprints } from './account/fingerprint.ts'
import { createVault } from './account/vault.ts'
import { parseKept } from './config.ts'
import { ConfigError } from './errors.ts'
import { dropUnused, forgetKey, sameNameProblems } from './keys/key-checks.ts'
import { olderKeys } from './keys/needs.ts'
import { names, reportOf } from './keys/report.ts'
import { rotate } from './keys/rotate.ts'
import { needDatabase, openStorage } from './storage/storage.ts'

const help =
  'npm run rotate-keys takes nothing, or -- --forget k1 with the id of a key that is lost for good.'

/** Undefined seals everything anew. @throws ConfigError for any other words. */
function keyToForget(words: readonly string[]): string | undefined {
  const [option, keyId, ...more] = words
  if (option === undefined) return undefined
  if (option === '--forget' && keyId !== undefined && more.length === 0) return keyId
  throw new ConfigError([help])
}

/** 0: everything opens with the first key. 1: not everything does. 2: nothing could be done. */
async function run(): Promise<0 | 1> {
  const lostKey = keyToForget(process.argv.slice(2))
  const { databaseUrl, encryptionKeys, auditDays } = parseKept(process.env)
  needDatabase(databaseUrl)
  const keyIds = encryptionKeys.map(({ id }) => id)
  const [keyId = ''] = keyIds
  const storage = await openStorage({ url: databaseUrl, now: Date.now })
  try {
    if (lostKey !== undefined) {
      const problem = await forgetKey(storage.keyChecks, encryptionKeys, lostKey)
      if (problem !== undefined) throw new ConfigError([problem])
      console.log(
        `${lostKey} is forgotten. What it sealed is left as it is: people are asked to connect again.`,
      )
      console.log('Should the key be found, put it behind the others in ENCRYPTION_KEYS, and it opens again.')
      return 0
    }
    const wrong = sameNameProblems(await storage.keyChecks.all(), encryptionKeys)
    if (wrong.length > 0) throw new ConfigError(wrong)
    const room = {
      rows: storage.sealedRows,
      vault: createVault(encryptionKeys),
      fingerprints: createFingerprints(encryptionKeys),
      keyId,
    }
    const rotated = await rotate(room, (purpose, anew) => console.log(`… ${anew} ${names[purpose]}`))
    await dropUnused(storage.keyChecks, encryptionKeys)
    const older = await olderKeys({ uses: storage.keyUses, keyIds, auditDays }, rotated)
    for (const line of reportOf(keyId, rotated, older)) console.log(line)
    return rotated.every(({ lost, left }) => left === 0 && Object.keys(lost).length === 0) ? 0 : 1
  } finally {
    await storage.close()
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof ConfigError ? error.problems.join('\n') : error)
  process.exitCode = 2
}
