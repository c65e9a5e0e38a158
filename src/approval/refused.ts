// What Slack refuses for good is owed no more: asked again, it would refuse again.
import type { Log } from '../log/log.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Approval } from './approvals.ts'

/** Certainly not posted, and neither time nor the operator will mend it. */
export function isFinal(error: unknown): boolean {
  const failure = classify(error)
  switch (failure.kind) {
    case 'busy':
    case 'unsure':
    case 'defect':
      return false
    // A token of the bot's that is refused is mended by the operator; somebody who has left does not come back.
    case 'token':
      return failure.lost.person
    case 'place':
    case 'gone':
    case 'scope':
    case 'input':
    case 'other':
      return true
    default:
      return failure satisfies never
  }
}

/** Sends, and gives up what is refused for good. Throws where it may be tried again. */
export type UnlessRefused = (approval: Approval, send: () => Promise<unknown>) => Promise<void>

export function createUnlessRefused(log: Log): UnlessRefused {
  return async ({ id }, send) => {
    try {
      await send()
    } catch (error) {
      if (!isFinal(error)) throw error
      log.warn({ err: error, approval: id }, 'Slack refuses to tell something about a request for approval')
    }
  }
}
