// Tells how an end came out: in the thread of what it was for or to whoever gave it, and to the person. Access that
// nobody can take back is told where somebody can: at once, after an hour, then daily, until it is gone.
import { accessOf, called, resultsOf } from '../grant/access.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { type End, hourMs, requestOf } from '../send/ends.ts'
import { isRefusedFor, passingCodes } from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import type { Notice } from '../send/send.ts'
import { orRefusal, unlessSlackFails } from '../slack/client.ts'
import { type Message, type Posted, say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { renderEnded, renderHandBack, renderOrphan, renderStuck, whatEnds } from './render.ts'

/** How long a service that is away may keep an end before anybody is called. */
const patienceMs = 15 * 60_000

/** Notices of a take-back that has been tried. @throws Where it has to be called again. */
export async function newsOfEnd(house: House, request: Request): Promise<readonly Notice[]> {
  const { storage, slack, config } = house
  const { workspaceId, endOf = '', sender, about } = request
  const [result] = resultsOf(request)
  const access = accessOf(request)
  if (result?.outcome.kind !== 'done') {
    const isUnknown = result?.outcome.kind === 'uncertain' && result.outcome.cause === 'stopped'
    // A process died over it: the next try reads first.
    if (isUnknown || result?.outcome.kind === 'not-sent') return []
    const end = await storage.ends.find({ workspaceId, id: endOf })
    if (end !== undefined && house.now() >= end.endsAt) await tellStuck(house, end)
    return []
  }
  const container = containerInWords(house, sender, access.containerId)
  const what = whatEnds({ flags: access.takes ?? [], member: access.member === false }, config.roles)
  const isAlready = result.outcome.on === 'already'
  const requestId = requestOf(endOf)
  const left = (await storage.ends.list({ workspaceId })).filter(({ id }) => requestOf(id) === requestId)
  const isLast = left.every(({ endsAt }) => endsAt > house.now())
  const isLeft = (one: string) => left.some(({ whom }) => called(whom) === one)
  const given = await storage.requests.find({ workspaceId, id: requestId })
  const hearers = new Set([sender.userId, ...(given ? [given.sender.userId, given.askerId] : [])])
  const all =
    given === undefined
      ? []
      : resultsOf(given)
          .filter(({ outcome: { kind } }) => kind === 'done' || kind === 'uncertain')
          .map(called)
          .filter((one) => !isLeft(one))
  const message = renderEnded(all.length > 1 ? all : [called(result)], what, container, isAlready)
  const { isForAll = false, channelId, threadTs } = about ?? {}
  const inThread =
    isLast &&
    isForAll &&
    channelId !== undefined &&
    (await slack.channels.isSharedLately(channelId)) === false
      ? await orRefusal(slack.post(channelId, message, threadTs))
      : undefined
  const isPosted = inThread !== undefined && 'ts' in inThread
  const person =
    result.email === '' ? undefined : await unlessSlackFails(slack.people.memberWith(result.email))
  const theirs = say(`Your access to ${container} has ended.`)
  return [
    // One message for all who got it by one request; whoever asked, and whoever gave it, hear it too.
    ...(isPosted || !isLast ? [] : [...hearers].map((userId) => ({ userId, message }))),
    ...(person === undefined || hearers.has(person) ? [] : [{ userId: person, message: theirs }]),
  ]
}

const dayMs = 24 * hourMs

/** Says that somebody still has what should have ended, where that is news or was said long ago. */
export async function tellStuck(house: House, end: End): Promise<void> {
  const { storage, slack, config } = house
  const { workspaceId, giverId, saidAt, why, endsAt } = end
  const now = house.now()
  const isPassing =
    why === 'uncertain' ||
    isRefusedFor({ kind: 'not-done', code: why ?? 'busy' }, [...passingCodes, 'changed'])
  if (isPassing && now < endsAt + patienceMs) return
  // Once more after an hour, then daily.
  const pauseMs = end.saidTimes > 1 ? dayMs : hourMs
  if (saidAt !== undefined && now < saidAt + pauseMs) return
  const container = containerInWords(house, { workspaceId, userId: giverId }, end.containerId)
  const giver = (await slack.people.nameOf(giverId)) ?? 'the giver'
  const words = isPassing ? 'monitoring doesn’t show that it’s gone' : `${giver}’s account can’t take it back`
  const message = renderStuck(end, container, words, config.roles)
  await tellInCharge(house, end, message)
  house.log.warn({ end: end.id, why }, 'access that should have ended is still there')
  await storage.ends.change(end, (one) => ({ ...one, saidAt: now, saidTimes: one.saidTimes + 1 }))
}

/** Says at once what nobody’s account ends any more, as somebody has no account now. @returns How many that are. */
export async function accountGone(house: House, { workspaceId, userId }: SlackUser): Promise<number> {
  const orphans = await house.storage.ends.list({ workspaceId, ownerId: userId })
  const giver = orphans.length === 0 ? undefined : await house.slack.people.nameOf(userId)
  for (const end of orphans) {
    const message = renderOrphan(
      end,
      `container ${end.containerId}`,
      giver ?? 'The giver',
      house.config.roles,
    )
    await tellInCharge(house, end, message)
  }
  return orphans.length
}

/** Where somebody can do something about it: the approval channel, else the audit channel, else its giver. */
async function tellInCharge({ slack, config }: House, { giverId }: End, message: Message): Promise<void> {
  const channelId = config.approval.channelId ?? config.audit.channelId
  const posted = channelId === undefined ? undefined : await orRefusal(slack.post(channelId, message))
  if (posted === undefined || !('ts' in posted)) await unlessSlackFails(slack.post(giverId, message))
}

/** How many should have ended more than five minutes ago. */
export async function countOverdue({ storage, now }: House): Promise<number> {
  const all = await storage.ends.list({})
  return all.filter(({ endsAt }) => endsAt < now() - 5 * 60_000).length
}

/** *Hand back now*, once, in the thread of an alert that is closed and that somebody got access for. */
export async function offerHandBack(
  house: House,
  workspaceId: string,
  { channelId, ts }: Posted,
): Promise<void> {
  const { storage, slack, config } = house
  if (!config.hasAllOperations) return
  for (const end of await storage.ends.list({ workspaceId })) {
    const { about, giverId, containerId } = end
    const isHere = about?.isForAll && about.channelId === channelId && about.threadTs === ts
    if (!isHere || !(await storage.once.claim(workspaceId, `hand-back ${end.id}`))) continue
    const container = containerInWords(house, { workspaceId, userId: giverId }, containerId)
    await unlessSlackFails(slack.post(channelId, renderHandBack(end, container, config.roles), ts))
  }
}
