// Columns of a send that hold JSON: what is written, what was known before, and what became of it.
import { z } from 'zod'
import { doubts, grounds, notDoneCodes, type SendOutcome, type Settled } from '../../../send/outcome.ts'
import { type NotedBefore, type PeopleLook, sights } from '../../../send/proof.ts'
import { readWrite, type Write } from '../../../send/writes.ts'
import type { SendsTable } from '../../tables.ts'

/** `done` and `not-done` have the names in columns that they had when granting was the only kind of write. */
const settledSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('granted'), on: z.enum(grounds).optional() }),
    z.object({ kind: z.literal('not-granted'), code: z.enum(notDoneCodes) }),
    z.object({ kind: z.literal('uncertain'), doubt: z.enum(doubts) }),
  ])
  .transform((outcome): Settled => {
    if (outcome.kind === 'granted') return { kind: 'done', ...(outcome.on && { on: outcome.on }) }
    return outcome.kind === 'not-granted' ? { ...outcome, kind: 'not-done' } : outcome
  })

/** Writes what `settledSchema` reads. */
function settledToKeep(outcome: SendOutcome): object {
  if (outcome.kind === 'done') return { ...outcome, kind: 'granted' }
  return outcome.kind === 'not-done' ? { ...outcome, kind: 'not-granted' } : outcome
}

/** Writes the column `outcome`. */
export function outcomeColumn(outcome: Settled): string {
  return JSON.stringify(settledToKeep(outcome))
}

/** Reads the columns `kind` and `write`. @throws where another version kept a kind that this one does not know. */
export function writeIn({ kind, write }: Pick<SendsTable, 'kind' | 'write'>): Write {
  return readWrite(kind, JSON.parse(write))
}

/** Reads the column `outcome`. */
export function settledIn(outcome: string | null): Settled | undefined {
  return outcome === null ? undefined : settledSchema.parse(JSON.parse(outcome))
}

const lookSchema: z.ZodType<PeopleLook> = z.object({ saw: z.enum(sights), at: z.number() })

/** Reads the column `look`. */
export function lookIn(look: string | null): PeopleLook | undefined {
  return look === null ? undefined : lookSchema.parse(JSON.parse(look))
}

/** Writes it. */
export function lookColumn(look: PeopleLook | undefined): string | null {
  return look === undefined ? null : JSON.stringify(look)
}

const beforeSchema: z.ZodType<NotedBefore> = z.union([
  z.literal('unreadable'),
  z.object({
    ownerId: z.number().int().nullable(),
    isClosed: z.boolean(),
    alike: z.number().int(),
    ofKind: z.number().int(),
  }),
])

/** Reads the column `before`. */
export function beforeIn(before: string): NotedBefore {
  return beforeSchema.parse(JSON.parse(before))
}
