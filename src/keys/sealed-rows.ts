// What is sealed in the database, row by row, for whoever seals it anew: the port of its store.
import type { Fingerprint } from '../account/fingerprint.ts'
import type { SealBinding, Sealed } from '../account/vault.ts'

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

/** Where nothing is sealed, as in the mark of a token that is being tried, there is no row. */
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
