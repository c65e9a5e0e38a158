// Tells people of requests: by whoever made the last step or, should that one fail or die, late, by whichever process
// lives.
import type { House } from '../house.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import type { Message } from '../slack/outbound/message.ts'
import { leaseMs, renewing, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { kindOf, recordAll } from './kinds.ts'
import { type Audience, heard, hold, type Request, type RequestKey, take } from './request.ts'

const lateMs = 5_000
/** Before telling that failed is tried again. */
const againMs = 60_000

/** Works on a request while nobody else does: Slack and the service may take long. */
export function holding<T>(
  { storage: { requests } }: House,
  key: RequestKey,
  work: () => Promise<T>,
): Promise<T> {
  return renewing(async () => void (await requests.change(key, hold(leaseMs))), work)
}

/** As `holding`. What fails is left to those who tell late. @throws What `tell` has thrown. */
export function telling<T>(house: House, key: RequestKey, tell: () => Promise<T>): Promise<T> {
  const { requests } = house.storage
  return holding(house, key, async () => {
    await requests.change(key, hold(leaseMs))
    try {
      return await tell()
    } catch (error) {
      // Should that fail too, they find it when this process has had its time.
      await requests.change(key, hold(0)).catch(() => undefined)
      throw error
    }
  })
}

/** Keeps that somebody has heard of the last step. True for the one caller that says so first. Never rejects. */
export async function noteHeard(
  { storage, log }: House,
  request: RequestKey & Pick<Request, 'version'>,
  whom: Audience = 'asker',
): Promise<boolean> {
  try {
    return (await storage.requests.change(request, heard(request, whom))) !== undefined
  } catch (error) {
    log.failedJob(
      'error',
      { err: error },
      'could not store that an outcome was reported; reporting it once more',
    )
    return false
  }
}

/** Tells one person directly; nobody where Slack says that they are gone. @throws Where it may be tried later. */
export async function postLate({ slack }: House, userId: string, message: Message): Promise<void> {
  try {
    await slack.post(userId, message)
  } catch (error) {
    if (!(error instanceof SlackError) || !error.isPersonLost) throw error
  }
}

/** Background job: ends what dead processes were sending, expires requests, and tells late whoever could not be told at once. */
export function lookAfterRequests(house: House, everyMs = lateMs): Repeated {
  const { log } = house
  const { requests } = house.storage
  return every(everyMs, async () => {
    try {
      await tellEach(
        await requests.takeDue(take),
        (request) => tellLate(house, request),
        async (request) => void (await requests.change(request, hold(leaseMs))),
      )
    } catch (error) {
      log.failedJob('error', { err: error }, 'requests could not be looked after; trying again')
    }
  })
}

async function tellLate(house: House, taken: Request): Promise<void> {
  const { requests } = house.storage
  // Its sender may have come back with what it knows.
  const request = (await requests.find(taken)) ?? taken
  try {
    // Nobody has recorded what was under way when its sender died, nor what that one sent last.
    await recordAll(house, request)
    await kindOf(house, request).tellLate(house, request)
    const known = { user: request.sender.userId, workspace: request.workspaceId, request: request.id }
    if (request.state === 'ended') house.log.info(known, 'an outcome was reported late')
  } catch (error) {
    // The others are told all the same.
    house.log.failedJob(
      'warn',
      { err: error, user: request.sender.userId, request: request.id },
      'what became of a request could not be reported; trying again',
    )
    await requests.change(request, hold(againMs))
  }
}
