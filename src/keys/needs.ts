// Older keys: which of them are still needed, for what, and for how long.
import type { Rotated } from './rotate.ts'

/** What keys are needed for beside opening what is sealed. A port: storage answers it. */
export interface KeyUses {
  /** Chained records of the audit trail, by the key that verifies them. */
  auditRecords(): Promise<
    readonly {
      readonly keyId: string
      readonly count: number
      /** When the newest was written, in milliseconds since 1970. */
      readonly newest: number
    }[]
  >
  /** The key that sealed the trail's checkpoint; undefined when there is none. */
  checkpointKey(): Promise<string | undefined>
  /** Fingerprints of tokens that people gave up, by the key that made them. */
  pastTokens(): Promise<
    readonly {
      readonly keyId: string
      readonly count: number
      /** When the last of them was given up, in milliseconds since 1970. */
      readonly newest: number
    }[]
  >
  /** Open requests for approval that froze fingerprints of tokens. */
  openRequests(): Promise<
    readonly {
      /** Of those fingerprints. */
      readonly keyIds: readonly string[]
      /** When the request expires, in milliseconds since 1970. */
      readonly until: number
    }[]
  >
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

export interface Need {
  readonly what: 'sealed' | 'audit-records' | 'audit-checkpoint' | 'requests' | 'past-tokens'
  readonly count: number
  /** Milliseconds since 1970; undefined: not known, or for ever. */
  readonly until: number | undefined
}

export interface OlderKey {
  readonly id: string
  readonly isInSettings: boolean
  /** None: it may go. */
  readonly needs: readonly Need[]
}

/**
 * @param room.keyIds - Of ENCRYPTION_KEYS, the first one first.
 * @param room.auditDays - How long records are kept; 0 keeps them for ever.
 * @param room.approvalTtlHours - How long a request for approval stays open.
 * @returns All but the first, in order, and then those that something was made with and that are in the settings no more.
 */
export async function olderKeys(
  room: {
    readonly uses: KeyUses
    readonly keyIds: readonly string[]
    readonly auditDays: number
    readonly approvalTtlHours: number
  },
  rotated: readonly Rotated[],
): Promise<readonly OlderKey[]> {
  const { uses, keyIds, auditDays, approvalTtlHours } = room
  const records = await uses.auditRecords()
  const checkpoint = await uses.checkpointKey()
  const requests = await uses.openRequests()
  const past = await uses.pastTokens()

  function needsOf(id: string): readonly Need[] {
    const sealed = rotated.reduce((sum, { lost }) => sum + (lost[id] ?? 0), 0)
    const chained = records.find(({ keyId }) => keyId === id)
    const givenUp = past.find(({ keyId }) => keyId === id)
    const frozen = requests.filter(({ keyIds }) => keyIds.includes(id))
    const needs: readonly Need[] = [
      { what: 'sealed', count: sealed, until: undefined },
      {
        what: 'audit-records',
        count: chained?.count ?? 0,
        until: auditDays === 0 ? undefined : (chained?.newest ?? 0) + auditDays * dayMs,
      },
      { what: 'audit-checkpoint', count: checkpoint === id ? 1 : 0, until: undefined },
      { what: 'requests', count: frozen.length, until: Math.max(...frozen.map(({ until }) => until)) },
      {
        what: 'past-tokens',
        count: givenUp?.count ?? 0,
        // A request of the last moment that names it, to its end.
        until: (givenUp?.newest ?? 0) + 2 * approvalTtlHours * hourMs,
      },
    ]
    return needs.filter(({ count }) => count > 0)
  }

  const [first, ...older] = keyIds
  const used = [
    ...rotated.flatMap(({ lost }) => Object.keys(lost)),
    ...records.map(({ keyId }) => keyId),
    ...(checkpoint === undefined ? [] : [checkpoint]),
    ...requests.flatMap((request) => request.keyIds),
    ...past.map(({ keyId }) => keyId),
  ]
  const ids = [...new Set([...older, ...used])].filter((id) => id !== first)
  return ids.map((id) => ({ id, isInSettings: keyIds.includes(id), needs: needsOf(id) }))
}
