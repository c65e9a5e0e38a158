// Waiting as long as Slack asks to, within reason.
import { retry } from '../../work/retry.ts'
import { classify } from './refusals.ts'

/** Sends, and sends again after the time that Slack asks to wait. @param longestSeconds - A longer wait is thrown. */
export type Patiently = <T>(send: () => Promise<T>, longestSeconds?: number) => Promise<T>

const longestWaitSeconds = 60
const attempts = 3

/** @param onRetry - Told of each send but the first. */
export function createPatience(wait: (ms: number) => Promise<void>, onRetry?: () => void): Patiently {
  return (send, longestSeconds = longestWaitSeconds) =>
    retry(send, {
      wait,
      onRetry,
      pauseAfter(error, tries) {
        const { waitSeconds } = classify(error)
        if (waitSeconds === undefined || waitSeconds > longestSeconds || tries === attempts) return undefined
        return waitSeconds * 1000
      },
    })
}
