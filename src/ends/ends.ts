// Ends access at its time, with the token of whoever gave it: a request like any other, of the kind `take-back`. It has
// ended once a read shows that nothing of it is left; until then it is tried again, after longer and longer pauses.
import { grantKind } from '../grant/write.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { learnName, type Reader } from '../names/names.ts'
import { dueOf, type End, triedStep, waitingStep, warnedStep } from '../send/ends.ts'
import type { SendOutcome } from '../send/outcome.ts'
import { givenBy } from '../send/request.ts'
import { insertBegun, type Kind, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { takenBy } from '../work/lease.ts'
import { renderSoon, renderSoonTheirs } from './render.ts'
import { memberWith, newsOfEnd, tellStuck } from './telling.ts'

/** What falls due is taken by one process; one that dies has it until its lease is over. */
export async function takeEnds(house: House): Promise<readonly (() => Promise<void>)[]> {
  const { poller, storage } = house
  const due = await storage.ends.takeDue((end, now) =>
    takenBy(end, poller.owner, poller.leaseMs, now),
  )
  return due.map((end) => () => look(house, end))
}

/** One for each try, whichever process makes it. */
const tryOf = ({ id, endsAt, tries }: End) => `${id}:end ${endsAt} ${tries}`

async function look(house: House, end: End): Promise<void> {
  const { storage, tokens, log } = house
  try {
    if (house.now() < end.endsAt) return await warn(house, end)
    const giver = { workspaceId: end.workspaceId, userId: end.giverId }
    const token = await tokens.find(giver)
    if (token === undefined) {
      const tried = await storage.ends.change(end, triedStep('refused'))
      if (tried) await tellStuck(house, tried)
    } else if ((await takeBack(house, end, { asker: giver, token }, tryOf(end))) === undefined) {
      await storage.ends.change(end, waitingStep)
    }
  } catch (error) {
    log.failedJob('error', { err: error, end: end.id }, 'access could not be ended; trying again')
  }
}

/** Tells whoever has it, and whoever gave it, that it ends: twice after a crash, never not at all. */
async function warn(house: House, end: End): Promise<void> {
  const { slack, storage, config, tokens } = house
  const { workspaceId, whom, giverId, askerId, containerId } = end
  const asker = { workspaceId, userId: giverId }
  const token = await tokens.find(asker)
  if (token !== undefined) await learnName(house, { asker, token }, containerId)
  const people = await siblingsOf(house, end)
  const giver = (await slack.people.nameOf(giverId)) ?? 'the giver'
  // One message for all who got it by one request.
  for (const userId of people[0]?.id === end.id ? new Set([giverId, askerId]) : []) {
    const whose = userId === giverId ? 'your' : `${giver}’s`
    const container = containerInWords(house, { workspaceId, userId }, containerId)
    await unlessSlackFails(slack.post(userId, renderSoon(people, container, whose, config.roles)))
  }
  const theirs = await memberWith(house, whom.email)
  if (theirs !== undefined && theirs !== giverId)
    await unlessSlackFails(
      slack.post(theirs, renderSoonTheirs(end, containerInWords(house, asker, containerId))),
    )
  // Somebody may have extended it at once.
  await storage.ends.change(end, (one) => (one.endsAt === end.endsAt ? warnedStep(one) : undefined))
}

/** Ends of all who got it by the same request, and that end when this one does, itself among them. */
async function siblingsOf({ storage }: House, end: End): Promise<readonly End[]> {
  const all = await storage.ends.list({ workspaceId: end.workspaceId })
  return all
    .filter((one) => givenBy(one.id) === givenBy(end.id) && one.endsAt === end.endsAt)
    .toSorted((one, other) => one.id.localeCompare(other.id))
}

/**
 * Tries once, with this person’s token. Where nothing proves that it is gone, the end is due again.
 * @param tryId - The same for whatever must be tried once.
 * @param isAnswered - Its sender hears the outcome where they pressed.
 * @returns Undefined where nothing was tried: somebody else does, or other ends hold all of it, and this one is gone.
 */
export async function takeBack(
  house: House,
  end: End,
  { asker: sender, token }: Reader,
  tryId: string,
  isAnswered = false,
): Promise<SendOutcome | undefined> {
  const { storage } = house
  const { containerId, whom, authProvider, about, id } = end
  const takes = await dueOf(house, end)
  if (takes === undefined) return void (await storage.ends.change(end, () => 'gone'))
  await learnName(house, { asker: sender, token }, containerId)
  const absenceCounts = end.absenceCounts && sender.userId === end.giverId
  const how = { ...whom, containerId, authProvider, permissions: [], absenceCounts }
  const writes = [{ kind: 'take-back', ...how, ...takes }] as const
  // Whole lists are written: of two take-backs of one person, the second waits.
  const claim = `take-back ${containerId} ${whom.email.toLowerCase() || whom.there?.userId}`
  const begun = await insertBegun(house, { id: tryId, claim, sender, about, writes, endOf: id })
  if (begun === undefined) return undefined
  return holding(house, begun, async () => {
    const { request, isToTell } = await sendBegun(house, token, begun)
    if (isToTell) {
      const news = await newsOfEnd(house, request)
      const left = news.filter(({ userId }) => !isAnswered || userId !== sender.userId)
      await tell(house, request, left, 'at_once')
    }
    return request.sends[0]?.outcome
  })
}

export const endKind: Kind = {
  ...grantKind,
  tellPerson: () => {},
  /** The end goes once a read has shown it; else it is due again, but for a try of somebody who was in a hurry. */
  async follow({ storage }, { workspaceId, id, endOf = '', sends: [only] }) {
    const outcome = only?.outcome
    const tried = triedStep(outcome?.kind === 'not-done' ? outcome.code : 'uncertain')
    await storage.ends.change({ workspaceId, id: endOf }, (end, now) => {
      if (outcome?.kind === 'done') return 'gone'
      return tryOf(end) === id ? tried(end, now) : undefined
    })
  },
  news: newsOfEnd,
}
