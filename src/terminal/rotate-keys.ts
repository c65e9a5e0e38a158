// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs, and says which
// older key may go. May be stopped at any moment and run again. `-- --forget <id>` goes on without a key that is lost.

import { createVault } from '../account/vault.ts'
import { type Environment, parseKept } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { dropUnused, forgetKey, sameNameProblems } from '../keys/key-checks.ts'
import { type Need, type OlderKey, olderKeys, type Purpose, type Rotated, rotate } from '../keys/rotate.ts'
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
    const older = await olderKeys({ uses: storage.keyUses, keyIds, auditDays }, rotated)
    const isGone = await storage.scrub(scrubbedWithinMs)
    print.lines([...reportOf(keyId, rotated, older), ...(isGone ? [] : [stillInLog])])
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
function reportOf(keyId: string, rotated: readonly Rotated[], older: readonly OlderKey[]): readonly string[] {
  const left = rotated.reduce((sum, one) => sum + one.left, 0)
  return [
    ...rotated.map(
      ({ purpose, anew, all }) => `${names[purpose]}: ${anew} of ${all} encrypted again with ${keyId}`,
    ),
    ...(left === 0 ? [] : [stillSealing]),
    ...older.flatMap(aboutKey),
  ]
}

const stillSealing =
  'In the meantime, another Bellhop with other ENCRYPTION_KEYS encrypted some with an older key. Restart that Bellhop with these keys, then run this again.'

function aboutKey({ id, isInSettings, needs }: OlderKey): readonly string[] {
  if (needs.length === 0)
    return [`${id}: no longer needed. Remove it from ENCRYPTION_KEYS and restart Bellhop.`]
  const head = isInSettings ? `${id}: leave it in ENCRYPTION_KEYS.` : `${id}: not in ENCRYPTION_KEYS.`
  return [head, ...needs.map((need) => `  ${sentences[need.what](need, isInSettings)}`)]
}

const sentences: Readonly<Record<Need['what'], (need: Need, isInSettings: boolean) => string>> = {
  sealed: ({ count }, isInSettings) =>
    isInSettings
      ? `${count} that name it can’t be decrypted with it: they were changed or damaged. Their owners have to connect again.`
      : `${count} can be decrypted only with it. Add it again at the end of ENCRYPTION_KEYS and run this again, or their owners have to connect again.`,
  'audit-records': ({ count, until }) =>
    until === undefined
      ? `It verifies ${count} audit records, which Bellhop keeps for good (AUDIT_DAYS is 0).`
      : `It verifies ${count} audit records. Bellhop deletes the newest of them on ${day(until)} (AUDIT_DAYS).`,
}

/** The day after, so that it is over wherever the reader is. */
function day(ms: number): string {
  return new Date(ms + 24 * 60 * 60_000).toISOString().slice(0, 10)
}

if (import.meta.main) await runHere(runRotateKeys)
