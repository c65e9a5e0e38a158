// Waiting as long as Slack asks to, within reason.
import { classify } from './refusals.ts'

/** Sends, and sends again after the time that Slack asks to wait. @param longestSeconds - A longer wait is thrown. */
export type Patiently = <T>(send: () => Promise<T>, longestSeconds?: number) => Promise<T>

const longestWaitSeconds = 60
const attempts = 3

/** @param onRetry - Told of each send but the first. */
export function createPatience(wait: (ms: number) => Promise<void>, onRetry?: () => void): Patiently {
  return async (send, longestSeconds = longestWaitSeconds) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send()
      } catch (error) {
        const seconds = classify(error).waitSeconds
        if (seconds === undefined || seconds > longestSeconds || attempt === attempts) throw error
        await wait(seconds * 1000)
        onRetry?.()
      }
    }
  }
}
