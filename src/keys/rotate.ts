// Rotation of keys: seals everything anew with the first one of ENCRYPTION_KEYS. Each row stands alone, so that it may be stopped anywhere and begun again, and a bot may work on the same
// rows meanwhile.
import type { SealBinding, Sealed, Vault } from '../account/vault.ts'

/** Purposes that are sealed anew with another key: all but the check of a key itself. */
export type Purpose = Exclude<SealBinding['purpose'], 'key-check'>

export interface SealedRow {
  /** Values of its key, in order; handed back as they came. */
  readonly place: readonly string[]
  readonly boundTo: SealBinding & { readonly purpose: Purpose }
  readonly sealed: Sealed
}

/**
 * Sealed data in the database, row by row. A port: storage fills it. Where nothing is sealed, as in the mark of a
 * token that is being tried, there is no row.
 */
export interface SealedRows {
  /** All there are. */
  readonly purposes: readonly Purpose[]
  count(purpose: Purpose): Promise<number>
  /**
   * Rows that were sealed by another key than this one, by their place.
   * @param page.after - The place of the last one that was read; undefined begins.
   */
  sealedByOtherKeys(
    purpose: Purpose,
    keyId: string,
    page: { readonly after: readonly string[] | undefined; readonly most: number },
  ): Promise<readonly SealedRow[]>
  /** Puts the new in place of the old. False, and nothing done, when the row has changed or gone meanwhile. */
  replace(row: SealedRow, anew: Sealed): Promise<boolean>
}

const rowsAtOnce = 100

/** All rows that another key than this one has sealed. */
async function* rowsOfOtherKeys(
  rows: SealedRows,
  purpose: Purpose,
  keyId: string,
): AsyncGenerator<SealedRow> {
  let after: readonly string[] | undefined
  for (;;) {
    const page = await rows.sealedByOtherKeys(purpose, keyId, { after, most: rowsAtOnce })
    yield* page
    after = page.at(-1)?.place
    if (page.length < rowsAtOnce) return
  }
}

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
 * @param onBatch - Told how many of a purpose are done.
 */
export async function rotate(
  {
    rows,
    vault,
    keyId,
  }: {
    readonly rows: SealedRows
    readonly vault: Vault
    /** Of the key with which the vault seals. */
    readonly keyId: string
  },
  onBatch: (purpose: Purpose, anew: number) => void,
): Promise<readonly Rotated[]> {
  function sealAnew({ sealed, boundTo }: SealedRow): Sealed | undefined {
    const opened = vault.open(sealed, boundTo)
    return opened && vault.seal(opened.text, boundTo)
  }

  async function rotateAll(purpose: Purpose): Promise<Rotated> {
    let anew = 0
    for (let pass = 1; ; pass += 1) {
      const lost: Record<string, number> = {}
      let found = 0
      for await (const row of rowsOfOtherKeys(rows, purpose, keyId)) {
        const made = sealAnew(row)
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
