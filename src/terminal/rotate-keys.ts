// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs, and says which
// older key may go. May be stopped at any moment and run again. `-- --forget <id>` goes on without a key that is lost.
import { createFingerprints } from '../account/fingerprint.ts'
import { createVault } from '../account/vault.ts'
import { type Environment, parseApprovalTtlHours, parseKept } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { dropUnused, forgetKey, sameNameProblems } from '../keys/key-checks.ts'
import { olderKeys } from '../keys/needs.ts'
import { names, reportOf } from '../keys/report.ts'
import { rotate } from '../keys/rotate.ts'
import { needDatabase, openStorage } from '../storage/storage.ts'
import { runHere } from './command.ts'
import type { Print } from './print.ts'

/** Somebody may be making a copy, and reads all the while. */
const scrubbedWithinMs = 60_000
const stillInLog =
  'The old data is still in the log of the database file (-wal), because another program has been reading the file for a minute. A running Bellhop empties the log within the hour.'

const help =
  'npm run rotate-keys takes no options, or -- --forget k1 with the id of a key that is lost for good.'

/** Undefined seals everything anew. @throws ConfigError for any other words. */
function keyToForget(words: readonly string[]): string | undefined {
  const [option, keyId, ...more] = words
  if (option === undefined) return undefined
  if (option === '--forget' && keyId !== undefined && more.length === 0) return keyId
  throw new ConfigError([help])
}

/** @returns 0: everything opens with the first key. 1: not everything does. 2: nothing could be done. */
export async function runRotateKeys(
  words: readonly string[],
  env: Environment,
  print: Print,
): Promise<0 | 1 | 2> {
  try {
    return await run(words, env, print)
  } catch (error) {
    print.error(error)
    return 2
  }
}

async function run(words: readonly string[], env: Environment, print: Print): Promise<0 | 1> {
  const lostKey = keyToForget(words)
  const { databaseUrl, encryptionKeys, auditDays } = parseKept(env)
  const approvalTtlHours = parseApprovalTtlHours(env)
  needDatabase(databaseUrl)
  const keyIds = encryptionKeys.map(({ id }) => id)
  const [keyId = ''] = keyIds
  const storage = await openStorage({ url: databaseUrl, now: Date.now })
  try {
    if (lostKey !== undefined) {
      const problem = await forgetKey(storage.keyChecks, encryptionKeys, lostKey)
      if (problem !== undefined) throw new ConfigError([problem])
      print.lines([
        `Bellhop now goes on without ${lostKey}. Nothing was deleted. People whose tokens it encrypted will be asked to connect again.`,
        `For ${2 * approvalTtlHours} hours after that, nobody can approve requests by or for them: Bellhop can’t compare their earlier tokens.`,
        'If you find the key, add it at the end of ENCRYPTION_KEYS, and it works again.',
      ])
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
    const rotated = await rotate(room, (purpose, anew) => print.lines([`… ${anew} ${names[purpose]}`]))
    await dropUnused(storage.keyChecks, encryptionKeys)
    const older = await olderKeys({ uses: storage.keyUses, keyIds, auditDays, approvalTtlHours }, rotated)
    const isGone = await storage.scrub(scrubbedWithinMs)
    print.lines([...reportOf(keyId, rotated, older), ...(isGone ? [] : [stillInLog])])
    return rotated.every(({ lost, left }) => left === 0 && Object.keys(lost).length === 0) ? 0 : 1
  } finally {
    await storage.close()
  }
}

if (import.meta.main) await runHere(runRotateKeys)
