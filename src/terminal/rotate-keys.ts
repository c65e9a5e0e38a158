// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs. May be stopped at any moment and run again. `-- --forget <id>` goes on without a key that is lost.

import { createVault } from '../account/vault.ts'
import { type Environment, parseKept } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { dropUnused, forgetKey, sameNameProblems } from '../keys/key-checks.ts'
import { type Purpose, type Rotated, rotate } from '../keys/rotate.ts'
import { needDatabase, openStorage } from '../storage/storage.ts'
import { type Print, runHere } from './command.ts'

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
        'If you find the key, add it at the end of ENCRYPTION_KEYS, and it works again.',
      ])
      return 0
    }
    const wrong = sameNameProblems(await storage.keyChecks.all(), encryptionKeys)
    if (wrong.length > 0) throw new ConfigError(wrong)
    const room = {
      rows: storage.sealedRows,
      vault: createVault(encryptionKeys),
      keyId,
    }
    const rotated = await rotate(room, (purpose, anew) => print.lines([`… ${anew} ${names[purpose]}`]))
    await dropUnused(storage.keyChecks, encryptionKeys)
    const isGone = await storage.scrub(scrubbedWithinMs)
    print.lines([...reportOf(keyIds, rotated, auditDays), ...(isGone ? [] : [stillInLog])])
    return rotated.every(({ lost, left }) => left === 0 && Object.keys(lost).length === 0) ? 0 : 1
  } finally {
    await storage.close()
  }
}

/** Kinds of what is sealed. */
const names: Readonly<Record<Purpose, string>> = {
  token: 'people’s tokens',
  waiting: 'commands that wait for an account',
  'connect-link': 'links to the token page',
  'connect-prompt': 'messages with such links',
}

/** One line for each kind of what is sealed, then what stands in the way, then one for each older key. */
function reportOf(
  [keyId = '', ...older]: readonly string[],
  rotated: readonly Rotated[],
  auditDays: number,
): readonly string[] {
  const left = rotated.reduce((sum, one) => sum + one.left, 0)
  const lost = new Map<string, number>()
  for (const one of rotated)
    for (const [id, count] of Object.entries(one.lost)) lost.set(id, (lost.get(id) ?? 0) + count)
  return [
    ...rotated.map(
      ({ purpose, anew, all }) => `${names[purpose]}: ${anew} of ${all} encrypted again with ${keyId}`,
    ),
    ...(left === 0 ? [] : [stillSealing]),
    ...[...lost].map(([id, count]) => lostWords(id, count, older.includes(id))),
    ...older.map(
      (id) => `${id}: encrypts nothing any more, but verifies audit records. ${keepFor(auditDays)}`,
    ),
  ]
}

const stillSealing =
  'In the meantime, another Bellhop with other ENCRYPTION_KEYS encrypted some with an older key. Restart that Bellhop with these keys, then run this again.'

function lostWords(id: string, count: number, isInSettings: boolean): string {
  return isInSettings
    ? `${id}: ${count} that name it can’t be decrypted with it: they were changed or damaged. Their owners have to connect again.`
    : `${id}: ${count} can be decrypted only with it. Add it again at the end of ENCRYPTION_KEYS and run this again, or their owners have to connect again.`
}

function keepFor(auditDays: number): string {
  return auditDays === 0
    ? 'Leave it in ENCRYPTION_KEYS for good (AUDIT_DAYS is 0).'
    : `Leave it in ENCRYPTION_KEYS for ${auditDays} more days (AUDIT_DAYS).`
}

if (import.meta.main) await runHere(runRotateKeys)
