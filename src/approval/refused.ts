// What Slack refuses for good is owed no more: asked again, it would refuse again.
import type { Log } from '../log/log.ts'
import {
  isCertainlyNotPosted,
  isSlackFailure,
  isUnreachable,
  tokenRefusalOf,
  waitAskedFor,
} from '../slack/client/refusals.ts'
import type { Approval } from './approvals.ts'

/** Certainly not posted, and neither time nor the operator will mend it. */
export function isFinal(error: unknown): boolean {
  if (!isSlackFailure(error) || !isCertainlyNotPosted(error)) return false
  if (waitAskedFor(error) !== undefined) return false
  // A token of the bot's that is refused is mended by the operator; somebody who has left does not come back.
  return tokenRefusalOf(error) === undefined || isUnreachable(error)
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
