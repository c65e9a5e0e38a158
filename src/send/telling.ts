// Tells people of requests: at once where the last step was made or, should that fail, late from any process.
import type { House } from '../house.ts'
import { withId } from '../log/log.ts'
import { orRefusal } from '../slack/client.ts'
import { nowhere } from '../slack/outbound/delivery.ts'
import { every, type Repeated } from '../work/retry.ts'
import { leaseMs, renewing } from '../work/under-way.ts'
import { heardStep, holdStep, type Request, type RequestKey, takeStep } from './request.ts'
import { kindOf, type Notice, type ToldWhen } from './send.ts'

/** Requests that are told of late at the same time: the rest waits for the next turn. */
const mostAtOnce = 50
/** Pause before a failed telling is tried again. */
const againMs = 60_000

/**
 * Sends a request or tells of it while others stay away: Slack and the service may take long. Failed work is released
 * at once, for the background job; finished work stays held until its time is over. @throws What `work` throws.
 */
export async function holding<T>(
  { storage: { requests } }: House,
  key: RequestKey,
  work: () => Promise<T>,
): Promise<T> {
  const holdOn = async () => void (await requests.change(key, holdStep(leaseMs)))
  await holdOn()
  try {
    return await renewing(holdOn, work)
  } catch (error) {
    // Should that fail too, the hold runs out by itself.
    await requests.change(key, holdStep(0)).catch(() => undefined)
    throw error
  }
}

/**
 * Tells everybody who hasn’t heard of the last step, at least once; counts it once. @throws Where some hear it later.
 */
export async function tell(
  house: House,
  request: Request,
  news: readonly Notice[],
  told: ToldWhen,
) {
  const left = news.filter(({ userId }) => !request.told?.includes(userId))
  for (const one of left) {
    await tellOne(house, one)
    // The last is noted with the end of the telling.
    if (one !== left.at(-1)) await noteHeard(house, request, one.userId)
  }
  if (await noteHeard(house, request)) kindOf(house, request).count(request, told)
}

/**
 * Tells one person. Gives up where nobody waits and Slack refuses it for good, as for somebody who has left.
 * @throws Where it may be told later, and to somebody who waits.
 */
export async function tellOne(
  { slack, log }: House,
  { userId, place, message, replaces = false }: Notice,
) {
  const telling = slack.privately(place ?? nowhere({ userId }), message, { replaces })
  const refusal = await (place === undefined ? orRefusal(telling) : telling)
  if (refusal)
    log.warn({ err: refusal, user: userId }, 'Slack refuses to tell somebody of their request')
}

/** True once it is stored that they have heard. Never rejects. @param userId - Default: everybody who had to. */
async function noteHeard(
  { storage, log }: House,
  request: Request,
  userId?: string,
): Promise<boolean> {
  try {
    return (await storage.requests.change(request, heardStep(request, userId))) !== undefined
  } catch (error) {
    const what = 'could not store that an outcome was reported; reporting it once more'
    log.failedJob('error', { err: error }, what)
    return false
  }
}

/** Background job: ends what dead processes were sending, expires requests, and tells people late. */
export function lookAfterRequests(house: House, everyMs = 5_000): Repeated {
  return every(everyMs, async () => {
    try {
      const taken = await house.storage.requests.takeDue(takeStep, mostAtOnce)
      // Each by itself: Slack may let one wait for minutes, or refuse it.
      await Promise.all(taken.map((request) => withId(() => tellLate(house, request))))
    } catch (error) {
      house.log.failedJob(
        'error',
        { err: error },
        'requests could not be looked after; trying again',
      )
    }
  })
}

async function tellLate(house: House, taken: Request): Promise<void> {
  const known = { user: taken.sender.userId, workspace: taken.workspaceId, request: taken.id }
  try {
    await holding(house, taken, async () => {
      const kind = kindOf(house, taken)
      // Nobody has recorded what was under way when its sender died, nor the last send of that one.
      for (const send of taken.sends) {
        const { outcome } = send
        if (outcome && outcome.kind !== 'not-sent')
          await kind.record(house, taken, send, { outcome })
      }
      await kind.follow?.(house, taken)
      await tell(house, taken, await kind.news(house, taken), 'late')
      if (taken.state === 'ended') house.log.info(known, 'an outcome was reported late')
    })
  } catch (error) {
    house.log.failedJob(
      'warn',
      { err: error, ...known },
      'what became of a request could not be reported; trying again',
    )
    await house.storage.requests.change(taken, holdStep(againMs))
  }
}
