// Tells how an end came out: in the thread of what it was for or to whoever gave it, and to the person. Access that
// nobody can take back is told where somebody can: at once, after an hour, then daily, until it is gone.
import { accessOf, called, isGranted, resultsOf } from '../grant/access.ts'
import { containerOf } from '../grant/words.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { type End, hourMs } from '../send/ends.ts'
import { passingCodes } from '../send/outcome.ts'
import { givenBy, type Request, refOfEnds } from '../send/request.ts'
import type { Notice } from '../send/send.ts'
import { orRefusal, unlessSlackFails } from '../slack/client.ts'
import { type Message, type Posted, say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { renderEnded, renderHandBack, renderStuck, whatEnds } from './render.ts'

/** How long a service that is away may keep an end before anybody is called. */
const patienceMs = 15 * 60_000

/** Notices of a take-back that has been tried. @throws Where it has to be called again. */
export async function newsOfEnd(house: House, request: Request): Promise<readonly Notice[]> {
  const { storage, config } = house
  const { workspaceId, endOf = '', sender, about } = request
  const [result] = resultsOf(request)
  if (result?.outcome.kind !== 'done') {
    const end = await storage.ends.find({ workspaceId, id: endOf })
    if (end !== undefined && house.now() >= end.endsAt) await tellStuck(house, end)
    return []
  }
  const { containerId, takes = [], member } = accessOf(request)
  const given = await storage.requests.find({ workspaceId, id: givenBy(endOf) })
  const tried = await storage.requests.list({ workspaceId, ref: refOfEnds(endOf) })
  const gone = tried.flatMap((one) => resultsOf(one)).filter(isGranted)
  const what = whatEnds({ flags: takes, member: member === false }, config.roles)
  const isAlready = result.outcome.on === 'already'
  // Each reads the name that their own token has shown; thread and person that of whoever gave it.
  const nameFor = (reader: SlackUser) => containerInWords(house, reader, containerId)
  const message = (reader: SlackUser) =>
    renderEnded([...new Set(gone.map(called))], what, nameFor(reader), isAlready)
  const giver = given?.sender ?? sender
  // One message for all who got it by one request; whoever asked for it, and whoever gave it, hear it too.
  const all = await storage.ends.list({ workspaceId })
  const isLast = all.every(
    ({ id, endsAt }) => givenBy(id) !== givenBy(endOf) || endsAt > house.now(),
  )
  const { isForAll = false, channelId, threadTs } = about ?? {}
  const isPosted =
    isLast && isForAll && (await postAmongUs(house, channelId, message(giver), threadTs))
  const hearers = new Set([sender.userId, giver.userId, given?.askerId ?? giver.userId])
  const heard = isLast && !isPosted ? [...hearers] : []
  const told = heard.map((userId) => ({ userId, message: message({ workspaceId, userId }) }))
  const theirs = await memberWith(house, result.email)
  if (theirs === undefined || hearers.has(theirs)) return told
  return [...told, { userId: theirs, message: say(`Your access to ${nameFor(giver)} has ended.`) }]
}

/** False where there is no such channel, another organisation may read it, or Slack refuses the message. */
async function postAmongUs(
  { slack }: House,
  channelId: string | undefined,
  message: Message,
  threadTs?: string,
): Promise<boolean> {
  if (channelId === undefined || (await slack.channels.outsiders(channelId)) !== 'none')
    return false
  return 'ts' in (await orRefusal(slack.post(channelId, message, threadTs)))
}

/** The person in Slack who has this address; undefined where nobody can tell. */
export async function memberWith({ slack }: House, email: string): Promise<string | undefined> {
  return email === '' ? undefined : unlessSlackFails(slack.people.memberWith(email))
}

/** Says that somebody still has what should have ended, where that is news or was said long ago. */
export async function tellStuck(house: House, end: End): Promise<void> {
  const { sayAgainAt, why = 'busy', endsAt } = end
  const now = house.now()
  // Told of only where it lasts: a service that is away, or a read that shows nothing new.
  const isPassing = why === 'uncertain' || why === 'changed' || passingCodes.includes(why)
  if (isPassing && now < endsAt + patienceMs) return
  if (now < (sayAgainAt ?? 0)) return
  await tellInCharge(house, end, isPassing ? undefined : 'can’t take it back')
  house.log.warn({ end: end.id, why }, 'access that should have ended is still there')
  // Once more after an hour, then daily.
  const next = now + (sayAgainAt === undefined ? hourMs : 24 * hourMs)
  await house.storage.ends.change(end, (one) => ({ ...one, sayAgainAt: next }))
}

/** Says at once what nobody’s account ends any more, as somebody has no account now. @returns How many that are. */
export async function accountGone(
  house: House,
  { workspaceId, userId }: SlackUser,
): Promise<number> {
  const orphans = await house.storage.ends.list({ workspaceId, ownerId: userId })
  for (const end of orphans) await tellInCharge(house, end, 'is gone')
  return orphans.length
}

/**
 * Where somebody can do something about it: the approval channel, else the audit channel, else its giver.
 * @param account - What the giver’s account is or can’t; undefined where nobody knows what keeps it.
 */
async function tellInCharge(house: House, end: End, account: string | undefined): Promise<void> {
  const { slack, config } = house
  // Nobody asked for a name that their token has shown to be shown there.
  const container = containerOf(end)
  const giver = (await slack.people.nameOf(end.giverId)) ?? 'the giver'
  const why = account ? `${giver}’s account ${account}` : 'monitoring doesn’t show that it’s gone'
  const message = renderStuck(end, container, why, house.now() >= end.endsAt, config.roles)
  for (const channelId of [config.approval.channelId, config.audit.channelId])
    if (await postAmongUs(house, channelId, message)) return
  await unlessSlackFails(slack.post(end.giverId, message))
}

/** How many should have ended more than five minutes ago. */
export async function countOverdue({ storage, now }: House): Promise<number> {
  const all = await storage.ends.list({})
  return all.filter(({ endsAt }) => endsAt < now() - 5 * 60_000).length
}

/** *Hand back now*, once, in the thread of an alert that is closed and that somebody got access for. */
export async function offerHandBack(house: House, workspaceId: string, { channelId, ts }: Posted) {
  const { storage, config } = house
  if (!config.hasAllOperations) return
  for (const end of await storage.ends.list({ workspaceId })) {
    const { about, giverId, containerId } = end
    const isHere = about?.isForAll && about.channelId === channelId && about.threadTs === ts
    if (!isHere || !(await storage.once.claim(workspaceId, `hand-back ${end.id}`))) continue
    const container = containerInWords(house, { workspaceId, userId: giverId }, containerId)
    await postAmongUs(house, channelId, renderHandBack(end, container, config.roles), ts)
  }
}
