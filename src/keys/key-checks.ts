// Checks whether ENCRYPTION_KEYS are the keys of this database. The database keeps a known text, sealed with each key that
// was ever the first, and every start opens these. Without such a check, a start with wrong keys would go unnoticed: people
// would be asked to connect again, one after the other, and the tokens that the right key sealed would be overwritten.
import { createVault, type EncryptionKey, type SealBinding } from '../account/vault.ts'
import type { House } from '../house.ts'

type KeyChecks = House['storage']['keyChecks']
/** A key’s check: `sealed` is the known text, sealed with the key. */
type KeptCheck = Awaited<ReturnType<KeyChecks['all']>>[number]

const known = 'Bellhop'
const boundTo: SealBinding = { purpose: 'key-check', workspaceId: '', userId: '' }

/**
 * Problems with the keys; none when all is well. A key that seals nothing any more may be missing.
 * @param keys - Those of ENCRYPTION_KEYS, in their order.
 */
export function keyProblems(
  checks: readonly KeptCheck[],
  keys: readonly EncryptionKey[],
): readonly string[] {
  const vault = createVault(keys)
  const isHere = (keyId: string) => keys.some(({ id }) => id === keyId)
  return checks
    .filter(({ sealed }) => vault.open(sealed, boundTo) !== known)
    .filter(({ keyId, isUsed }) => isHere(keyId) || isUsed)
    .map(({ keyId }) => problemWith(keyId, isHere(keyId)))
}

function problemWith(keyId: string, isHere: boolean): string {
  const wrong = isHere
    ? `isn’t the one that encrypted this database’s tokens. Restore the earlier ${keyId}`
    : `is missing, and this database has tokens encrypted with it. Add ${keyId} again at the end`
  const lost = isHere ? 'give the new one another id and run' : 'run'
  return (
    `ENCRYPTION_KEYS: the key ${keyId} ${wrong}, or correct DATABASE_URL if this is another installation’s ` +
    `database. If the key is lost for good, ${lost} \`npm run rotate-keys -- --forget ${keyId}\`: people then have to connect again.`
  )
}

/**
 * Finds problems as `keyProblems` does, at a start. If there are none, adds a check for the first key, unless it has one.
 * Several processes may do this at once.
 */
export async function matchKeys(keyChecks: KeyChecks, keys: readonly EncryptionKey[]) {
  const [first] = keys
  const found = await keyChecks.all()
  const problems = keyProblems(found, keys)
  if (first === undefined || problems.length > 0 || found.some(({ keyId }) => keyId === first.id))
    return problems
  await keyChecks.add(checkOf(first))
  // Read again: another process may have added a check first, made with another key under the same id.
  return keyProblems(await keyChecks.all(), keys)
}

/**
 * Lets Bellhop start without a lost key: what the key has sealed stays as it is, and opens again if the key is found.
 * @returns Why this can’t be done, in a sentence; undefined when it is done.
 */
export async function forgetKey(
  keyChecks: KeyChecks,
  keys: readonly EncryptionKey[],
  keyId: string,
) {
  if (keys.some(({ id }) => id === keyId)) {
    return `${keyId} is in ENCRYPTION_KEYS. Remove it first. If that is a new key with the same id, give it another id.`
  }
  if (!(await keyChecks.remove(keyId))) {
    const ids = (await keyChecks.all()).map((one) => one.keyId)
    return `The database doesn’t know this key. It knows ${ids.join(', ') || 'none'}.`
  }
  const [first] = keys
  if (first !== undefined) await keyChecks.add(checkOf(first))
  return undefined
}

function checkOf(key: EncryptionKey) {
  return { keyId: key.id, sealed: createVault([key]).seal(known, boundTo) }
}
