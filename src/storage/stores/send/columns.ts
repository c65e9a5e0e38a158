// Columns of a send that hold JSON: what is written, what was known before, and what became of it. Bellhop alone writes
// these rows, so what stands in them is what was written.
import type { Settled } from '../../../send/outcome.ts'
import type { NotedBefore, PeopleLook } from '../../../send/proof.ts'
import { readWrite, type Write } from '../../../send/writes.ts'
import type { SendsTable } from '../../tables.ts'

/** The column `outcome`: the same text for equal outcomes, by which it is found. */
export function outcomeColumn(outcome: Settled): string {
  const { kind, ...rest } = outcome
  return JSON.stringify({ kind, ...rest })
}

/** Reads the columns `kind` and `write`. @throws where another version kept a kind that this one does not know. */
export function writeIn({ kind, write }: Pick<SendsTable, 'kind' | 'write'>): Write {
  return readWrite(kind, JSON.parse(write))
}

export function settledIn(outcome: string | null): Settled | undefined {
  return outcome === null ? undefined : JSON.parse(outcome)
}

export function lookIn(look: string | null): PeopleLook | undefined {
  return look === null ? undefined : JSON.parse(look)
}

export function lookColumn(look: PeopleLook | undefined): string | null {
  return look === undefined ? null : JSON.stringify(look)
}

export function beforeIn(before: string): NotedBefore {
  return JSON.parse(before)
}
