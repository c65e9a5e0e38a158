// Tells how an end came out: in the thread of what it was for or to whoever gave it, and to the person. Access that
// nobody can take back is told where somebody can: at once, after an hour, then daily, until it is gone.
import { accessOf, called, isGranted, resultsOf } from '../grant/access.ts'
import { containerOf, whatEnds } from '../grant/access-name.ts'
import { canExtend } from '../grant/lasting.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { type End, endsIn, hourMs, orphanStep, refOfContainer, type WhyNot } from '../send/ends.ts'
import { isAccess, passingCodes, type Write } from '../send/outcome.ts'
import { givenBy, type Request, refOfEnds, type Standing } from '../send/request.ts'
import type { Notice } from '../send/send.ts'
import type { Whom } from '../send/whom.ts'
import { orRefusal, unlessSlackFails } from '../slack/client.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { poked } from '../work/lease.ts'
import {
  renderEnded,
  renderEndedTheirs,
  renderGone,
  renderHandBack,
  renderKept,
  renderKeptTheirs,
  renderSettled,
  renderStuck,
  renderUnlisted,
} from './render.ts'

/** How long a service that is away may keep an end before anybody is called. */
const patienceMs = 15 * 60_000

/**
 * Notices of a take-back that has been tried.
 * @param pressedAt - Where its sender pressed, and hears of it; others in a direct message.
 * @throws Where it has to be called again.
 */
export async function newsOfEnd(
  house: House,
  request: Request,
  pressedAt?: Place,
): Promise<readonly Notice[]> {
  const { storage } = house
  const { workspaceId } = request
  const { endId = '' } = accessOf(request)
  const [result] = resultsOf(request)
  if (result?.outcome.kind !== 'done') {
    const end = await storage.ends.find({ workspaceId, id: endId })
    if (end !== undefined && house.now() >= end.endsAt) await tellStuck(house, end)
    // The others that ended at that time have waited for this one to be tried, once.
    return end?.tries === 1 ? (await newsForAll(house, request)).news : []
  }
  const theirs = await unlessSlackFails(slackIdOf(house, result))
  const { news, hearers, toTheirs } = await newsForAll(house, request, pressedAt)
  if (theirs === undefined || hearers.has(theirs)) return news
  return [...news, { userId: theirs, message: toTheirs }]
}

/**
 * One message for all who got it by one request, once each has been tried: to whoever asked for it, and whoever gave it.
 * Each reads the name that their own token has shown; thread and person that of whoever gave it; others the number.
 */
async function newsForAll(house: House, request: Request, pressedAt?: Place) {
  const { storage, config } = house
  const { workspaceId, sender, about, standing = [] } = request
  const { containerId, takes = [], member, endId = '' } = accessOf(request)
  const given = await storage.requests.find({ workspaceId, id: givenBy(endId) })
  const tried = await storage.requests.list({ workspaceId, ref: refOfEnds(endId) })
  // In the order of the warning, whichever was taken back first.
  const done = tried
    .filter((one) => resultsOf(one).every(isGranted))
    .toSorted((one, other) => one.id.localeCompare(other.id))
  const gone = done.flatMap((one) => resultsOf(one))
  const all = await storage.ends.list({ workspaceId, ref: refOfContainer(containerId) })
  const isWaiting = ({ id, endsAt, tries }: End) =>
    givenBy(id) === givenBy(endId) && endsAt <= house.now() && tries === 0
  // The later one tells, of two that are done at the same moment.
  const isOvertaken = done.some((one) => isLater(one, request))
  const isLast = gone.length > 0 && !all.some(isWaiting) && !isOvertaken
  const giver = given?.sender ?? sender
  const what = whatEnds({ flags: takes, member: member === false }, config.roles)
  const names = [...new Set(gone.map(called))]
  const isAlready = gone.every(({ outcome }) => outcome.kind === 'done' && outcome.on === 'already')
  const saying = (container = containerOf({ containerId })) =>
    renderEnded(names, what, container, isAlready)
  const nameFor = (reader: SlackUser) => containerInWords(house, reader, containerId)
  // 1. What stands, as an edit that Slack refuses is made once more, and a message that was posted would come twice.
  if (resultsOf(request).every(isGranted))
    await settleStanding(house, standing, (userId) => (userId ? renderSettled() : saying()))
  // 2. Wherever all read it.
  const { isForAll = false, channelId, threadTs } = about ?? {}
  const place = isForAll ? channelId : undefined
  const inThread = saying(nameFor(giver))
  const isPosted = isLast && (await postAmongUs(house, place, inThread, threadTs))
  const card = given?.approval?.card
  if (isLast && card) await postAmongUs(house, card.channelId, saying(), card.ts)
  // 3. Each of those who gave it or asked for it, as news that nobody misses.
  const hearers = new Set([sender.userId, giver.userId, given?.askerId ?? giver.userId])
  const told = isLast && !isPosted ? hearers : new Set(pressedAt ? [sender.userId] : [])
  const news = Array.from(told, (userId) => ({
    userId,
    place: userId === sender.userId ? pressedAt : undefined,
    message: saying(nameFor({ workspaceId, userId })),
  }))
  return { news, hearers, toTheirs: renderEndedTheirs(what, nameFor(giver)) }
}

function isLater(one: Request, other: Request): boolean {
  const [at, otherAt] = [one.endedAt ?? 0, other.endedAt ?? 0]
  return at > otherAt || (at === otherAt && one.id > other.id)
}

/** Where a message about access stands. @param readerId - Its one reader, if it has one. */
export function standingAt({ channelId, ts }: Posted, readerId?: string): Standing {
  return { channelId, ts, readerId }
}

/** Replaces what is no longer true. @throws SlackError where that has to be tried again. */
async function settleStanding(
  { slack }: House,
  standing: readonly Standing[],
  message: (readerId: string | undefined) => Message,
): Promise<void> {
  for (const one of standing) await orRefusal(slack.update(one, message(one.readerId)))
}

/**
 * Says that access lasts longer wherever something stands that says otherwise: before, in the thread of what it was for,
 * and in that of the card on which it was approved. Best effort: `/grant due` has the time.
 * @param endsAt - Undefined: for good.
 * @returns True where whoever pressed there reads it.
 */
export async function tellMoved(
  house: House,
  end: End,
  endsAt: number | undefined,
  pressedAt?: Place,
): Promise<boolean> {
  const { storage, config } = house
  const { workspaceId, id, containerId, giverId, about, standing, whom } = end
  const giver = { workspaceId, userId: giverId }
  const nameFor = (reader: SlackUser) => containerInWords(house, reader, containerId)
  const saying = (container: string) => renderKept(end, endsAt, container, config.roles)
  const telling = async () => {
    const theirs = await slackIdOf(house, whom)
    await settleStanding(house, standing, (userId) => {
      if (userId === undefined) return saying(containerOf(end))
      if (userId === theirs) return renderKeptTheirs(end, endsAt, nameFor(giver), config.roles)
      const container = nameFor({ workspaceId, userId })
      return renderKept(end, endsAt, container, config.roles, canExtend(config, end, userId))
    })
    const place = about?.isForAll ? about : undefined
    const inThread = saying(nameFor(giver))
    const isInThread = await postAmongUs(house, place?.channelId, inThread, place?.threadTs)
    const card = (await storage.requests.find({ workspaceId, id: givenBy(id) }))?.approval?.card
    if (card) await postAmongUs(house, card.channelId, saying(containerOf(end)), card.ts)
    const isRedrawn = standing.some(({ ts }) => ts === pressedAt?.pressedTs)
    const isThere = place !== undefined && place.channelId === pressedAt?.channelId
    return isRedrawn || (isInThread !== undefined && isThere)
  }
  return (await unlessSlackFails(telling())) ?? false
}

/** What stands of ends that a write has let go: it took what they gave, or gave it for longer. */
export async function settleLetGo(
  house: House,
  { workspaceId, endsAt, sends }: Request,
  gone: readonly End[],
): Promise<void> {
  const { roles } = house.config
  for (const end of gone) {
    const isGiven = sends.some(({ write }) => write.kind === 'add-user' || givesIn(write, end))
    await settleStanding(house, end.standing, (userId) => {
      const container = userId
        ? containerInWords(house, { workspaceId, userId }, end.containerId)
        : containerOf(end)
      if (isGiven) return renderKept(end, endsAt, container, roles)
      return renderEnded([called(end.whom)], whatEnds(end, roles), container, false)
    })
  }
}

/** True where a change gives again what an end would have taken. */
function givesIn(write: Write, { flags }: End): boolean {
  if (!isAccess(write)) return false
  return flags.some((flag) => write.permissions.includes(flag) || write.keeps?.includes(flag))
}

/** *It’s gone*, where it stood and to whoever gave it. @throws SlackError where it has to be pressed again. */
export async function tellGone(
  house: House,
  end: End,
  { workspaceId, userId }: SlackUser,
  by: string,
): Promise<void> {
  const { giverId, containerId, standing } = end
  const message = (readerId = giverId) => {
    const container = containerInWords(house, { workspaceId, userId: readerId }, containerId)
    return renderGone(end, container, by, house.config.roles)
  }
  const forAll = renderGone(end, containerOf(end), by, house.config.roles)
  await settleStanding(house, standing, (readerId) => (readerId ? message(readerId) : forAll))
  if (giverId !== userId) await orRefusal(house.slack.post(giverId, message()))
}

/** Undefined where there is no such channel, another organisation may read it, or Slack refuses the message. */
async function postAmongUs(
  { slack }: House,
  channelId: string | undefined,
  message: Message,
  threadTs?: string,
): Promise<Posted | undefined> {
  if (channelId === undefined) return undefined
  if ((await slack.channels.outsiders(channelId)) !== 'none') return undefined
  const posted = await orRefusal(slack.post(channelId, message, threadTs))
  return 'ts' in posted ? posted : undefined
}

/** The person in Slack who has it: named by their id, else found by their address. @throws SlackError */
export async function slackIdOf(
  { slack }: House,
  { slackId, email }: Pick<Whom, 'slackId' | 'email'>,
): Promise<string | undefined> {
  if (slackId !== undefined || email === '') return slackId
  return slack.people.memberWith(email)
}

/** Reasons that may pass by themselves: told of only where they last. */
const passing: readonly WhyNot[] = ['uncertain', 'changed', ...passingCodes]

/** Says that somebody still has what should have ended, where that is news or was said long ago. */
export async function tellStuck(house: House, end: End): Promise<void> {
  const { sayAgainAt, why = 'busy', endsAt } = end
  const now = house.now()
  const isPassing = passing.includes(why)
  if (isPassing && now < endsAt + patienceMs) return
  if (now < (sayAgainAt ?? 0)) return
  house.log.warn({ end: end.id, why }, 'access that should have ended is still there')
  const posted = await tellInCharge(house, end, isPassing ? undefined : 'can’t take it back')
  // Nobody has heard: said once more at the next try.
  if (posted === undefined) return
  // Once more after an hour, then daily.
  const next = now + (sayAgainAt === undefined ? hourMs : 24 * hourMs)
  await house.storage.ends.change(end, (one) => ({
    ...one,
    sayAgainAt: next,
    standing: [...one.standing, posted].slice(-mostStanding),
  }))
}

/** Older messages are left as they are: it is said daily. */
const mostStanding = 10

/** Marks what nobody’s account ends any more, as somebody has none now. @returns How many that are. */
export async function accountGone(
  house: House,
  { workspaceId, userId }: SlackUser,
): Promise<number> {
  const { storage, poller } = house
  const orphans = await storage.ends.list({ workspaceId, ownerId: userId })
  for (const end of orphans) await storage.ends.change(end, poked)
  if (orphans.length > 0) poller.wake()
  return orphans.length
}

/** Says once, before its time, that the account that gave it is gone: in a minute where Slack doesn’t take it. */
export async function tellOrphan(house: House, end: End): Promise<void> {
  const posted = await tellInCharge(house, end, 'is gone')
  await house.storage.ends.change(end, orphanStep(posted))
}

/**
 * Where somebody can do something about it: the approval channel, else the audit channel, else its giver.
 * @param account - What the giver’s account is or can’t; undefined where nobody knows what keeps it.
 * @returns Where it stands; undefined where nobody heard it.
 */
async function tellInCharge(
  house: House,
  end: End,
  account: string | undefined,
): Promise<Standing | undefined> {
  const { slack, config } = house
  // Nobody asked for a name that their token has shown to be shown there.
  const container = containerOf(end)
  const giver = (await slack.people.nameOf(end.giverId)) ?? 'the giver'
  const message = (whose: string) => {
    if (end.why === 'not-listed') return renderUnlisted(end, container, whose, config.roles)
    const why = account ? `${whose} account ${account}` : 'monitoring doesn’t show that it’s gone'
    return renderStuck(end, container, why, house.now() >= end.endsAt, config.roles)
  }
  for (const channelId of [config.approval.channelId, config.audit.channelId]) {
    const posted = await unlessSlackFails(postAmongUs(house, channelId, message(`${giver}’s`)))
    if (posted) return standingAt(posted)
  }
  const told = await unlessSlackFails(slack.post(end.giverId, message('your')))
  return told && standingAt(told, end.giverId)
}

/** How many should have ended more than five minutes ago. */
export async function countOverdue({ storage, now }: House): Promise<number> {
  // An end that is over is tried again within the hour.
  const tried = await storage.ends.listDue(now() + hourMs)
  return tried.filter(({ endsAt }) => endsAt < now() - 5 * 60_000).length
}

/** *Hand back now*, once, in the thread of an alert that is closed and that somebody got access for. */
export async function offerHandBack(house: House, workspaceId: string, { channelId, ts }: Posted) {
  const { storage, config } = house
  if (!config.hasAllOperations) return
  const list = endsIn.thread({ channelId, threadTs: ts })
  for (const end of await storage.ends.inList(list, workspaceId)) {
    const { giverId, containerId } = end
    if (!(await storage.once.claim(workspaceId, `hand-back ${end.id}`))) continue
    const container = containerInWords(house, { workspaceId, userId: giverId }, containerId)
    const offer = renderHandBack(end, container, config.roles)
    const posted = await postAmongUs(house, channelId, offer, ts)
    const standing = posted ? [standingAt(posted)] : []
    await storage.ends.change(end, (one) => ({
      ...one,
      standing: [...one.standing, ...standing],
    }))
  }
}
