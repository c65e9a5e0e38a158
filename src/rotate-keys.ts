// `npm run rotate-keys`: seals everything anew with the first key of ENCRYPTION_KEYS, while the bot runs, and says which
// older key may go. May be stopped at any moment and run again.
import { createFingerprints } from './account/fingerprint.ts'
import { createVault } from './account/vault.ts'
import { parseKept } from './config.ts'
import { olderKeys } from './keys/needs.ts'
import { names, reportOf } from './keys/report.ts'
import { rotate } from './keys/rotate.ts'
import { needDatabase, openStorage } from './storage/storage.ts'
import { printError, printLines } from './terminal.ts'

/** 0: everything opens with the first key. 1: not everything does. 2: nothing could be done. */
async function run(): Promise<0 | 1> {
  const { databaseUrl, encryptionKeys, auditDays } = parseKept(process.env)
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
    const rotated = await rotate(room, (purpose, anew) => printLines([`… ${anew} ${names[purpose]}`]))
    const older = await olderKeys({ uses: storage.keyUses, keyIds, auditDays }, rotated)
    printLines(reportOf(keyId, rotated, older))
    return rotated.every(({ lost, left }) => left === 0 && Object.keys(lost).length === 0) ? 0 : 1
  } finally {
    await storage.close()
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  printError(error)
  process.exitCode = 2
}
