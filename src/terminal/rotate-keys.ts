// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs. May be stopped at
// any moment and run again. `-- --forget <id>` goes on without a key that is lost.
import { createVault } from '../account/vault.ts'
import { type Environment, parseKept } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import { dropUnused, forgetKey, sameNameProblems } from '../keys/key-checks.ts'
import { type Purpose, type Rotated, rotate } from '../keys/rotate.ts'
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

/** Kinds of what is sealed. */
const names: Readonly<Record<Purpose, string>> = {
  token: 'people’s tokens',
  waiting: 'commands that wait for an account',
  'connect-link': 'links to the token page',
  'connect-prompt': 'messages with such links',
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
  const [option, lostKey, ...more] = words
  const isKnown = option === '--forget' && lostKey !== undefined && more.length === 0
  if (option !== undefined && !isKnown) throw new ConfigError([help])
  const { databaseUrl, encryptionKeys, auditDays } = parseKept(env)
  needDatabase(databaseUrl)
  const [keyId = '', ...older] = encryptionKeys.map(({ id }) => id)
  const { keyChecks, sealedRows, scrub, close } = await openStorage({ url: databaseUrl, now: Date.now })
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
    const rotated = await rotate(
      { rows: sealedRows, vault: createVault(encryptionKeys), keyId },
      (purpose, anew) => print.lines([`… ${anew} ${names[purpose]}`]),
    )
    await dropUnused(keyChecks, encryptionKeys)
    const isGone = await scrub(scrubbedWithinMs)
    const problems = problemsOf(rotated)
    print.lines([
      ...rotated.map(
        ({ purpose, anew, all }) => `${names[purpose]}: ${anew} of ${all} encrypted again with ${keyId}`,
      ),
      ...problems,
      ...older.map(
        (id) => `${id}: encrypts nothing any more, but verifies audit records. ${keepFor(auditDays)}`,
      ),
      ...(isGone ? [] : [stillInLog]),
    ])
    return problems.length === 0 ? 0 : 1
  } finally {
    await close()
  }
}

/** Sentences about what stands in the way, one for each key that is missed. */
function problemsOf(rotated: readonly Rotated[]): readonly string[] {
  const lost = new Map<string, number>()
  for (const [id, count] of rotated.flatMap((one) => Object.entries(one.lost)))
    lost.set(id, (lost.get(id) ?? 0) + count)
  return [
    ...(rotated.some(({ left }) => left > 0) ? [stillSealing] : []),
    ...Array.from(
      lost,
      ([id, count]) =>
        `${id}: ${count} can be decrypted only with it. If it’s missing, add it again at the end of ENCRYPTION_KEYS and run this again; otherwise their owners have to connect again.`,
    ),
  ]
}

function keepFor(auditDays: number): string {
  return auditDays === 0
    ? 'Leave it in ENCRYPTION_KEYS for good (AUDIT_DAYS is 0).'
    : `Leave it in ENCRYPTION_KEYS for ${auditDays} more days (AUDIT_DAYS).`
}

if (import.meta.main) await runHere(runRotateKeys)
