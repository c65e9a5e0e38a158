// Ends access at its time, with the token of whoever gave it: a request like any other, of the kind `take-back`. It has
// ended once a read shows that nothing of it is left; until then it is tried again, after longer and longer pauses.

import { grantKind } from '../grant/write.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { learn } from '../names/names.ts'
import { dueOf, type End, requestOf, triedStep, waitingStep, warnedStep } from '../send/ends.ts'
import type { SendOutcome } from '../send/outcome.ts'
import { beginStep, createRequest, type NewRequest, type Request } from '../send/request.ts'
import { type Kind, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import { unlessSlackFails } from '../slack/client.ts'
import type { SlackUser } from '../slack/person.ts'
import { takenBy } from '../work/lease.ts'
import { inTime } from '../work/under-way.ts'
import { renderSoon, renderSoonTheirs } from './render.ts'
import { newsOfEnd, tellStuck } from './telling.ts'

/** What falls due is taken by one process; one that dies has it until its lease is over. */
export async function takeEnds(house: House): Promise<readonly (() => Promise<void>)[]> {
  const { poller, storage } = house
  const due = await storage.ends.takeDue((end, now) => takenBy(end, poller.owner, poller.leaseMs, now))
  return due.map((end) => () => look(house, end))
}

/** How long it waits for the container’s name. */
const nameMs = 500

async function look(house: House, end: End): Promise<void> {
  try {
    if (house.now() < end.endsAt) return await warn(house, end)
    const giver = { workspaceId: end.workspaceId, userId: end.giverId }
    // One for each try, whichever process makes it.
    await takeBack(house, end, giver, `${end.id}:end ${end.endsAt} ${end.tries}`)
  } catch (error) {
    house.log.failedJob('error', { err: error, end: end.id }, 'access could not be ended; trying again')
  }
}

/** Tells whoever has it, and whoever gave it, that it ends: twice after a crash, never not at all. */
async function warn(house: House, end: End): Promise<void> {
  const { slack, storage, config } = house
  const { workspaceId, whom, giverId, askerId, containerId } = end
  const asker = { workspaceId, userId: giverId }
  const token = await house.tokens.find(asker)
  if (token !== undefined) await inTime(learn(house, { asker, token }, containerId, 'name'), nameMs)
  const container = containerInWords(house, asker, containerId)
  const theirs = await personOf(house, end)
  const people = await siblingsOf(house, end)
  const giver = (await slack.people.nameOf(giverId)) ?? 'the giver'
  // One message for all who got it by one request.
  for (const userId of people[0]?.id === end.id ? new Set([giverId, askerId]) : []) {
    const whose = userId === giverId ? 'your' : `${giver}’s`
    await unlessSlackFails(slack.post(userId, renderSoon(people, container, whose, config.roles)))
  }
  if (theirs !== undefined && theirs !== giverId)
    await unlessSlackFails(slack.post(theirs, renderSoonTheirs(end, container)))
  house.log.debug({ end: end.id, isKnown: whom.email !== '' }, 'people heard that access ends')
  await storage.ends.change(end, warnedStep)
}

/** Ends of all who got it by the same request, and that end when this one does, itself among them. */
async function siblingsOf({ storage }: House, end: End): Promise<readonly End[]> {
  const all = await storage.ends.list({ workspaceId: end.workspaceId })
  return all
    .filter((one) => requestOf(one.id) === requestOf(end.id) && one.endsAt === end.endsAt)
    .toSorted((one, other) => one.id.localeCompare(other.id))
}

/** The person in Slack who has the access; undefined where nobody can tell. */
async function personOf({ slack }: House, { whom }: Pick<End, 'whom'>): Promise<string | undefined> {
  return whom.email === '' ? undefined : unlessSlackFails(slack.people.memberWith(whom.email))
}

/**
 * Tries once, with this person’s token. Where nothing proves that it is gone, the end is due again.
 * @param tryId - The same for whatever must be tried once.
 * @returns Undefined where nothing was tried.
 */
export async function takeBack(
  house: House,
  end: End,
  sender: SlackUser,
  tryId: string,
): Promise<SendOutcome | undefined> {
  const { storage, tokens } = house
  const token = await tokens.find(sender)
  const { takes, member, isWhole } = await dueOf(house, end)
  if (token !== undefined)
    await inTime(learn(house, { asker: sender, token }, end.containerId, 'name'), nameMs)
  // Other ends still hold all of it.
  if (takes.length === 0 && member === undefined) {
    await storage.ends.change(end, () => 'gone')
    return undefined
  }
  if (token === undefined) {
    const tried = await storage.ends.change(end, triedStep('refused'))
    if (tried) await tellStuck(house, tried)
    return undefined
  }
  const { containerId, whom, authProvider, about, id } = end
  const write = {
    kind: 'take-back',
    containerId,
    ...whom,
    authProvider,
    permissions: [],
    takes,
    member,
    isWhole,
    absenceCounts: end.absenceCounts && sender.userId === end.giverId,
  } as const
  const wanted = {
    id: tryId,
    ...{ sender, about, writes: [write], endOf: id },
  }
  const begun = await beginAtOnce(house, wanted)
  if (begun === undefined) {
    await storage.ends.change(end, (one, now) => (now < one.endsAt ? undefined : waitingStep(one, now)))
    return undefined
  }
  return holding(house, begun, async () => {
    const { request, isToTell } = await sendBegun(house, token, begun)
    if (isToTell) await tell(house, request, await newsOfEnd(house, request), 'at_once')
    return request.sends[0]?.outcome
  })
}

/** Undefined where a process has begun it before, and tells the outcome. */
async function beginAtOnce({ storage }: House, wanted: NewRequest): Promise<Request | undefined> {
  let begun: Request | undefined
  const isKept = await storage.requests.insert((now) => {
    const request = createRequest(wanted, now)
    begun = beginStep({ sender: wanted.sender, passes: () => true })(request, now)
    return begun ?? request
  })
  return isKept ? begun : undefined
}

export const endKind: Kind = {
  ...grantKind,
  tellPerson: () => {},
  /** The end goes once a read has shown it; else it is due again. */
  async follow({ storage }, { workspaceId, endOf = '', sends: [only] }) {
    const outcome = only?.outcome
    const key = { workspaceId, id: endOf }
    if (outcome?.kind === 'done') return void (await storage.ends.change(key, () => 'gone'))
    const tried = triedStep(outcome?.kind === 'not-done' ? outcome.code : 'uncertain')
    // Before its time somebody has tried to remove it, which changes nothing of the end.
    await storage.ends.change(key, (end, now) => (now < end.endsAt ? undefined : tried(end, now)))
  },
  news: newsOfEnd,
}
