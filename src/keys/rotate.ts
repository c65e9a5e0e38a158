// Seals everything anew with the first key. Each row stands alone, so that it may be stopped anywhere and begun again,
// and a bot may work on the same rows meanwhile.
import type { Fingerprint, Fingerprints, SealBinding, Sealed, Vault } from '../account/vault.ts'

/** What checks a key is never sealed anew with another. */
export type Purpose = Exclude<SealBinding['purpose'], 'key-check'>

export interface SealedRow {
  /** Values of its key, in order; handed back as they came. */
  readonly place: readonly string[]
  readonly boundTo: SealBinding & { readonly purpose: Purpose }
  readonly sealed: Sealed
  /** Of what is sealed, where one is kept beside it. */
  readonly fingerprint: Fingerprint | undefined
}

/**
 * What is sealed in the database, row by row. A port: storage fills it. Where nothing is sealed, as in the mark of a
 * token that is being tried, there is no row.
 */
export interface SealedRows {
  /** All there are. */
  readonly purposes: readonly Purpose[]
  count(purpose: Purpose): Promise<number>
  /**
   * Rows that were sealed, or whose fingerprint was made, by another key than this one, by their place.
   * @param page.after - The place of the last one that was read; undefined begins.
   */
  notBy(
    purpose: Purpose,
    keyId: string,
    page: { readonly after: readonly string[] | undefined; readonly most: number },
  ): Promise<readonly SealedRow[]>
  /** Puts the new in place of the old. False, and nothing done, when the row has changed or gone meanwhile. */
  replace(row: SealedRow, made: Pick<SealedRow, 'sealed' | 'fingerprint'>): Promise<boolean>
}

/** Read from the service again where no key opens them: nobody misses those. */
const readAgain: readonly Purpose[] = ['container-name', 'people-names']

const rowsAtOnce = 100
/** A bot that was started with older keys seals with them while this goes on. */
const mostPasses = 5

export interface Rotated {
  readonly purpose: Purpose
  /** Sealed anew by this run. */
  readonly anew: number
  /** Everything of this purpose, as it is now. */
  readonly all: number
  /** No key opens these, and somebody misses them; by the key they name. */
  readonly lost: Readonly<Record<string, number>>
  /** Sealed by an older key again and again: a bot with older keys is running. */
  readonly left: number
}

/**
 * @param room.keyId - Of the key that seals; `vault` and `fingerprints` use it.
 * @param onBatch - Told how many of a purpose are done.
 */
export async function rotate(
  room: {
    readonly rows: SealedRows
    readonly vault: Vault
    readonly fingerprints: Fingerprints
    readonly keyId: string
  },
  onBatch: (purpose: Purpose, anew: number) => void,
): Promise<readonly Rotated[]> {
  const { rows, vault, fingerprints, keyId } = room

  function sealAnew({ sealed, boundTo, fingerprint }: SealedRow) {
    const opened = vault.open(sealed, boundTo)
    if (opened === undefined) return undefined
    return {
      sealed: opened.isStale ? vault.seal(opened.text, boundTo) : sealed,
      fingerprint: fingerprint === undefined ? undefined : fingerprints.of(opened.text),
    }
  }

  async function* stale(purpose: Purpose): AsyncGenerator<SealedRow> {
    let after: readonly string[] | undefined
    for (;;) {
      const page = await rows.notBy(purpose, keyId, { after, most: rowsAtOnce })
      yield* page
      after = page.at(-1)?.place
      if (page.length < rowsAtOnce) return
    }
  }

  async function rotateAll(purpose: Purpose): Promise<Rotated> {
    let anew = 0
    for (let pass = 1; ; pass += 1) {
      const lost: Record<string, number> = {}
      let found = 0
      for await (const row of stale(purpose)) {
        const made = sealAnew(row)
        if (made === undefined && readAgain.includes(purpose)) continue
        if (made === undefined) {
          const [id = 'damaged'] = /^[\w-]{1,40}(?=\.)/.exec(row.sealed) ?? []
          lost[id] = (lost[id] ?? 0) + 1
          continue
        }
        found += 1
        if (!(await rows.replace(row, made))) continue
        anew += 1
        if (anew % rowsAtOnce === 0) onBatch(purpose, anew)
      }
      if (found === 0 || pass === mostPasses) {
        return { purpose, anew, all: await rows.count(purpose), lost, left: found }
      }
    }
  }

  const done: Rotated[] = []
  for (const purpose of rows.purposes) done.push(await rotateAll(purpose))
  return done
}
