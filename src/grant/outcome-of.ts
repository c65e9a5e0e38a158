// Waits for what became of a grant that somebody else sends.
import type { Grant, GrantOutcome, Grants } from './grants.ts'

const pauseMs = 200

/**
 * Waits for whoever sends it; when they have died, the store's judgement is the outcome.
 * @returns Undefined for a grant that was not sent, or was forgotten meanwhile with its whole workspace.
 */
export type OutcomeOf = (grant: Grant) => Promise<GrantOutcome | undefined>

export function createOutcomeOf(room: {
  readonly grants: Grants
  readonly wait: (ms: number) => Promise<void>
}): OutcomeOf {
  const { grants, wait } = room
  return async (grant) => {
    let current: Grant | undefined = grant
    while (current?.state === 'sending') {
      await wait(pauseMs)
      await grants.lapse()
      current = await grants.find(grant.asker.workspaceId, grant.id)
    }
    return current?.outcome
  }
}
