// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs, and says which
// older key may go. May be stopped at any moment and run again.
import { createFingerprints } from './account/fingerprint.ts'
import { createVault } from './account/vault.ts'
import { parseApprovalTtlHours, parseKept } from './config.ts'
import { ConfigError } from './errors.ts'
import { olderKeys } from './keys/needs.ts'
import { names, reportOf } from './keys/report.ts'
import { rotate } from './keys/rotate.ts'
import { needDatabase, openStorage } from './storage/storage.ts'

/** 0: everything opens with the first key. 1: not everything does. 2: nothing could be done. */
async function run(): Promise<0 | 1> {
  const { databaseUrl, encryptionKeys, auditDays } = parseKept(process.env)
  const approvalTtlHours = parseApprovalTtlHours(process.env)
  needDatabase(databaseUrl)
  const keyIds = encryptionKeys.map(({ id }) => id)
  const [keyId = ''] = keyIds
  const storage = await openStorage({ url: databaseUrl, now: Date.now })
  try {
    const room = {
      rows: storage.sealedRows,
      vault: createVault(encryptionKeys),
      fingerprints: createFingerprints(encryptionKeys),
      keyId,
    }
    const rotated = await rotate(room, (purpose, anew) => console.log(`… ${anew} ${names[purpose]}`))
    const older = await olderKeys({ uses: storage.keyUses, keyIds, auditDays, approvalTtlHours }, rotated)
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
