// What keys are needed for beside opening what is sealed: the port of its store.

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
