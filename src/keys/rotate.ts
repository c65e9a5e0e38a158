// Rotation of keys: seals people's tokens anew with the first one of ENCRYPTION_KEYS. Each stands alone, so that it may be
// stopped anywhere and begun again, and a bot may work on the same ones meanwhile. What else is sealed is over in a day.
import type { SealBinding, Sealed, Vault } from '../account/vault.ts'

/** A bot that was started with older keys seals with them while this goes on. */
const mostPasses = 5
const toldEvery = 100

type Owner = Omit<SealBinding, 'purpose'>

export interface SealedTokens {
  /** All that another key than this one has sealed. */
  sealedByOthers(keyId: string): Promise<readonly { readonly owner: Owner; readonly token: Sealed }[]>
  /** Puts the new in place of the old. False, and nothing done, when it has changed or gone meanwhile. */
  reseal(owner: Owner, previous: Sealed, anew: Sealed): Promise<boolean>
}

export interface Rotated {
  /** Sealed anew by this run. */
  readonly anew: number
  /** No key opens these; by the key they name. */
  readonly lost: ReadonlyMap<string, number>
  /** Sealed by an older key again and again: a bot with older keys is running. */
  readonly left: number
}

/**
 * @param keyId - Of the key with which the vault seals.
 * @param onBatch - Told how many are done.
 */
export async function rotate(
  tokens: SealedTokens,
  vault: Vault,
  keyId: string,
  onBatch: (anew: number) => void,
): Promise<Rotated> {
  let anew = 0
  for (let pass = 1; ; pass += 1) {
    const lost = new Map<string, number>()
    let found = 0
    for (const { owner, token } of await tokens.sealedByOthers(keyId)) {
      const opened = vault.open(token, { purpose: 'token', ...owner })
      if (opened === undefined) {
        const [id = 'damaged'] = /^[\w-]{1,40}(?=\.)/.exec(token) ?? []
        lost.set(id, (lost.get(id) ?? 0) + 1)
        continue
      }
      found += 1
      // The bot may have changed or forgotten it meanwhile.
      if (!(await tokens.reseal(owner, token, vault.seal(opened, { purpose: 'token', ...owner })))) continue
      anew += 1
      if (anew % toldEvery === 0) onBatch(anew)
    }
    if (found === 0 || pass === mostPasses) return { anew, lost, left: found }
  }
}
