// `npm run rotate-keys`: seals tokens anew with the first key of ENCRYPTION_KEYS, while the bot runs. May be stopped at
// any moment and run again. `-- --forget <id>` goes on without a key that is lost.
import { createVault, type Sealed } from '../account/vault.ts'
import { UserError } from '../errors.ts'
import { forgetKey } from '../keys/key-checks.ts'
import type { Storage } from '../storage/storage.ts'
import { type Print, runHere, terminalCommand } from './command.ts'
import { type DatabaseSettings, onDatabase } from './on-database.ts'

const help =
  'npm run rotate-keys takes no options, or -- --forget k1 with the id of a key that is lost for good.'

/** Ends with 0: everything opens with the first key. 1: not everything does. 2: nothing could be done. */
export const runRotateKeys = terminalCommand(2, async ([option, lostKey, ...more], env, print) => {
  const isKnown = option === '--forget' && lostKey !== undefined && more.length === 0
  if (option !== undefined && !isKnown) throw new UserError(help)
  return onDatabase<number>(env, (storage, kept) =>
    lostKey === undefined ? rotateAll(storage, kept, print) : forget(storage, kept, lostKey, print),
  )
})

async function forget(
  { keyChecks }: Storage,
  { encryptionKeys }: DatabaseSettings,
  lostKey: string,
  print: Print,
) {
  const problem = await forgetKey(keyChecks, encryptionKeys, lostKey)
  if (problem !== undefined) throw new UserError(problem)
  print.lines([
    `Bellhop now goes on without ${lostKey}. Nothing was deleted. People whose tokens it encrypted will be asked to connect again.`,
    'If you find the key, add it at the end of ENCRYPTION_KEYS, and it works again.',
  ])
  return 0
}

async function rotateAll(storage: Storage, kept: DatabaseSettings, print: Print): Promise<0 | 1> {
  const { accounts, scrub } = storage
  const { encryptionKeys: keys, auditDays } = kept
  const [keyId = '', ...older] = keys.map(({ id }) => id)
  const vault = createVault(keys)

  let anew = 0
  for (const { token, ...owner } of await accounts.sealedByOthers(keyId)) {
    const binding = { purpose: 'token', ...owner } as const
    const opened = vault.open(token, binding)
    if (opened === undefined) continue
    // The bot may have changed or forgotten the token meanwhile: then nothing is written.
    if (await accounts.reseal(owner, token, vault.seal(opened, binding))) anew += 1
  }

  const left = await accounts.sealedByOthers(keyId)
  await scrub()
  const keep =
    auditDays === 0 ? 'for good (AUDIT_DAYS is 0)' : `for ${auditDays} more days (AUDIT_DAYS)`

  const lines = [`People’s tokens: ${anew} encrypted again with ${keyId}`]
  if (left.length > 0) lines.push(leftWith(left))
  for (const id of older)
    lines.push(
      `${id}: encrypts no tokens any more, but verifies audit records. Leave it in ENCRYPTION_KEYS ${keep}.`,
    )

  print.lines(lines)

  return left.length > 0 ? 1 : 0
}

function leftWith(left: readonly { readonly token: Sealed }[]): string {
  const keyIds = new Set(left.map(({ token }) => /^[\w-]{1,40}(?=\.)/.exec(token)?.[0] ?? 'no key'))
  return `Still encrypted with ${[...keyIds].join(', ')}: ${left.length}. Add what is missing again at the end of ENCRYPTION_KEYS, restart any Bellhop that has other keys, and run this again; otherwise their owners have to connect again.`
}

if (import.meta.main) await runHere(runRotateKeys)
