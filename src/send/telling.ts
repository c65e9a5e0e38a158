// Tells people how their requests came out: at once, by the process that made the last step; if that fails, late, by any
// process.
import type { House } from '../house.ts'
import { withId } from '../log/log.ts'
import { orRefusal } from '../slack/client.ts'
import { every, type Repeated } from '../work/retry.ts'
import { leaseMs, renewing } from '../work/under-way.ts'
import { heardStep, holdStep, type Request, type RequestKey, takeStep } from './request.ts'
import { type Notice, rowFor, type ToldWhen } from './send.ts'

/** Most requests that are told of late at the same time: others wait for the next turn. */
const mostAtOnce = 50
/** Pause before a failed telling is tried again. */
const againMs = 60_000

/** Most requests that one message tells of: a page. */
const mostTogether = 20

/** A list of at least one. */
export type Some<T> = readonly [T, ...T[]]

/** Groups values that have an equal key, into lists of at most `most` values. */
export function batchesBy<T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  most = mostTogether,
): readonly Some<T>[] {
  return [...Map.groupBy(all, keyOf).values()].flatMap((alike) =>
    alike.flatMap((first, at) =>
      at % most === 0 ? [[first, ...alike.slice(at + 1, at + most)] as const] : [],
    ),
  )
}

/**
 * Runs work on requests (sending them, telling of them) while other processes stay away: Slack and the service may take
 * long. If the work fails, the requests are released at once, for the background job; else they stay held until the hold
 * runs out. @throws What `work` throws.
 */
export async function holding<T>(
  { storage: { requests } }: House,
  keys: readonly RequestKey[],
  work: () => Promise<T>,
): Promise<T> {
  const hold = (ms: number) => Promise.all(keys.map((key) => requests.change(key, holdStep(ms))))
  await hold(leaseMs)
  try {
    return await renewing(() => hold(leaseMs), work)
  } catch (error) {
    // Should the release fail too, the hold runs out by itself.
    await hold(0).catch(() => undefined)
    throw error
  }
}

/**
 * Sends these notices to those who haven’t heard of the last step yet; after a crash, perhaps twice. Counts the step once.
 * @param requests - One, or several that are told of together.
 * @throws If somebody couldn’t be told: they hear it later.
 */
export async function tell(
  house: House,
  requests: readonly Request[],
  notices: readonly Notice[],
  told: ToldWhen,
) {
  const left = notices.filter(
    ({ userId, of = requests }) => !of.every((one) => one.told?.includes(userId)),
  )
  for (const one of left) {
    await tellOne(house, one)
    // The last person is noted below, together with the end of the telling.
    if (one !== left.at(-1)) await noteHeard(house, one.of ?? requests, one.userId)
  }
  for (const one of await noteHeard(house, requests)) rowFor(house, one).count(one, told)
}

/**
 * Tells one person. Without a `place`, nobody waits for the message: it is given up if Slack refuses it for good, as for
 * somebody who has left.
 * @throws If Slack may take the message later; with a `place`, at any refusal.
 */
export async function tellOne(
  { slack, log }: House,
  { userId, place, message, replaces = false }: Notice,
) {
  const telling = slack.privately(place ?? { userId, isDirect: false }, message, { replaces })
  const refusal = await (place === undefined ? orRefusal(telling) : telling)
  if (refusal)
    log.warn({ err: refusal, user: userId }, 'Slack refuses to tell somebody of their request')
}

/**
 * Stores that somebody has heard. Never rejects.
 * @param userId - Default: everybody who had to hear.
 * @returns The requests that this has changed.
 */
async function noteHeard(
  { storage, log }: House,
  requests: readonly Request[],
  userId?: string,
): Promise<readonly Request[]> {
  try {
    const noted = requests.map((one) => storage.requests.change(one, heardStep(one, userId)))
    return (await Promise.all(noted)).filter((one) => one !== undefined)
  } catch (error) {
    const what = 'could not store that an outcome was reported; reporting it once more'
    log.failedJob('error', { err: error }, what)
    return []
  }
}

/** Background job: ends what dead processes were sending, expires requests, and tells people late. */
export function lookAfterRequests(house: House, everyMs = 5_000): Repeated {
  return every(everyMs, async () => {
    try {
      const taken = await house.storage.requests.takeDue(takeStep, mostAtOnce)
      const groups = batchesBy(taken, (one) => rowFor(house, one).toldWith?.(one) ?? one.id)
      // Each group by itself: Slack may keep one waiting for minutes, or refuse it.
      await Promise.all(groups.map((requests) => withId(() => tellLate(house, requests))))
    } catch (error) {
      house.log.failedJob(
        'error',
        { err: error },
        'requests could not be looked after; trying again',
      )
    }
  })
}

/** Tells people of requests whose process has died or failed; tries again after a minute if that fails. */
async function tellLate(house: House, taken: Some<Request>): Promise<void> {
  const [first] = taken
  const known = { user: first.sender.userId, workspace: first.workspaceId, request: first.id }
  const kind = rowFor(house, first)
  try {
    await holding(house, taken, async () => {
      for (const one of taken) {
        // A process that died may not have recorded the sends under way, nor the last send that it settled.
        for (const send of one.sends) {
          const { outcome } = send
          if (outcome && outcome.kind !== 'not-sent')
            await kind.record(house, one, send, { outcome })
        }
        await kind.storeWhatFollows?.(house, one)
      }
      await tell(house, taken, await kind.showAndCompose(house, first, taken), 'late')
      if (first.concludedAt !== undefined) house.log.info(known, 'an outcome was reported late')
    })
  } catch (error) {
    house.log.failedJob(
      'warn',
      { err: error, ...known },
      'what became of a request could not be reported; trying again',
    )
    for (const one of taken) await house.storage.requests.change(one, holdStep(againMs))
  }
}
