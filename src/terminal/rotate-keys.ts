// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs. May be stopped at
// any moment and run again. `-- --forget <id>` goes on without a key that is lost.
import { createVault } from '../account/vault.ts'
import { type Environment, parseKept } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { forgetKey, sameNameProblems } from '../keys/key-checks.ts'
import { rotate } from '../keys/rotate.ts'
import { needDatabase, openStorage } from '../storage/storage.ts'
import { type Print, runHere } from './command.ts'

/** Somebody may be making a copy, and reads all the while. */
const scrubbedWithinMs = 60_000

const help =
  'npm run rotate-keys takes no options, or -- --forget k1 with the id of a key that is lost for good.'
const stillInLog =
  'The old data is still in the log of the database file (-wal), because another program has been reading the file for a minute. A running Bellhop empties the log within the hour.'
const stillSealing =
  'In the meantime, another Bellhop with other ENCRYPTION_KEYS encrypted some with an older key. Restart that Bellhop with these keys, then run this again.'

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
  const [option, lostKey, ...more] = words
  const isKnown = option === '--forget' && lostKey !== undefined && more.length === 0
  if (option !== undefined && !isKnown) throw new ConfigError([help])
  const { databaseUrl, encryptionKeys, auditDays } = parseKept(env)
  needDatabase(databaseUrl)
  const [keyId = '', ...older] = encryptionKeys.map(({ id }) => id)
  const { accounts, keyChecks, scrub, close } = await openStorage({ url: databaseUrl, now: Date.now })
  try {
    if (lostKey !== undefined) {
      const problem = await forgetKey(keyChecks, encryptionKeys, lostKey)
      if (problem !== undefined) throw new ConfigError([problem])
      print.lines([
        `Bellhop now goes on without ${lostKey}. Nothing was deleted. People whose tokens it encrypted will be asked to connect again.`,
        'If you find the key, add it at the end of ENCRYPTION_KEYS, and it works again.',
      ])
      return 0
    }
    const wrong = sameNameProblems(await keyChecks.all(), encryptionKeys)
    if (wrong.length > 0) throw new ConfigError(wrong)
    const { anew, lost, left } = await rotate(accounts, createVault(encryptionKeys), keyId, (some) =>
      print.lines([`… ${some}`]),
    )
    const isGone = await scrub(scrubbedWithinMs)
    print.lines([
      `People’s tokens: ${anew} encrypted again with ${keyId}`,
      ...(left > 0 ? [stillSealing] : []),
      ...Array.from(lost, ([id, count]) => missed(id, count)),
      ...older.map(
        (id) => `${id}: encrypts no tokens any more, but verifies audit records. ${keepFor(auditDays)}`,
      ),
      ...(isGone ? [] : [stillInLog]),
    ])
    return left === 0 && lost.size === 0 ? 0 : 1
  } finally {
    await close()
  }
}

function missed(keyId: string, count: number): string {
  return `${keyId}: ${count} can be decrypted only with it. If it’s missing, add it again at the end of ENCRYPTION_KEYS and run this again; otherwise their owners have to connect again.`
}

function keepFor(auditDays: number): string {
  return auditDays === 0
    ? 'Leave it in ENCRYPTION_KEYS for good (AUDIT_DAYS is 0).'
    : `Leave it in ENCRYPTION_KEYS for ${auditDays} more days (AUDIT_DAYS).`
}

if (import.meta.main) await runHere(runRotateKeys)
