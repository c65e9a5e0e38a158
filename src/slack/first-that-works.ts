// Ways of sending, tried in turn until one works.
import { isSlackFailure, refusalOf, waitAskedFor } from './refusals.ts'

/** Where Slack asks to wait, the next way would be asked to wait as well. And what it cannot read stays unreadable. */
export function nextMayWork(error: unknown): boolean {
  return isSlackFailure(error) && waitAskedFor(error) === undefined && refusalOf(error) !== 'invalid_blocks'
}

/** A way of sending. @param why - Why the way before it did not work. */
export type Way<T> = (why: unknown) => Promise<T>

/** Runs ways in turn until one works. */
export async function firstThatWorks<T>(
  ways: readonly Way<T>[],
  mayGoOn: (error: unknown) => boolean = nextMayWork,
): Promise<T> {
  let why: unknown
  for (const [index, way] of ways.entries()) {
    try {
      return await way(why)
    } catch (error) {
      if (index === ways.length - 1 || !mayGoOn(error)) throw error
      why = error
    }
  }
  throw new TypeError('no way was given')
}
