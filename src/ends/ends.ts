// Ends access at its time, with the token of whoever gave it: a request like any other, of the kind `take-back`. It has
// ended once a read shows that nothing of it is left; until then it is tried again, after longer and longer pauses.
import { canExtend } from '../grant/lasting.ts'
import { asShown, personIn, readPeople } from '../grant/people.ts'
import { endMenu } from '../grant/render/ends.ts'
import { grantKind } from '../grant/write.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { learnName, type Reader } from '../names/names.ts'
import {
  dueOf,
  type End,
  refOfContainer,
  shownStep,
  storeEnds,
  takingStep,
  triedStep,
  type WhyNot,
  waitingStep,
  warnAgainStep,
  warnedStep,
} from '../send/ends.ts'
import { asAccess, type SendOutcome } from '../send/outcome.ts'
import { givenBy, type Send, type Standing } from '../send/request.ts'
import { insertBegun, type Kind, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import { orRefusal, SlackError } from '../slack/client.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import { renderSoon, renderSoonTheirs } from './render.ts'
import { newsOfEnd, settleLetGo, slackIdOf, standingAt, tellOrphan, tellStuck } from './telling.ts'

/** What falls due is taken by one process; one that dies has it until its lease is over. */
export const takeEnds: TakeDue = async (house, most) => {
  const { poller, storage } = house
  const due = await storage.ends.takeDue(
    (end, now) => takenBy(end, poller.owner, poller.leaseMs, now),
    most,
  )
  return due.map((end) => () => look(house, end))
}

/** One for each try, whichever process makes it. */
const tryOf = ({ id, endsAt, tries }: End) => `${id}:end ${endsAt} ${tries}`

async function look(house: House, end: End): Promise<void> {
  const { storage, tokens, log } = house
  try {
    const giver = { workspaceId: end.workspaceId, userId: end.giverId }
    const token = await tokens.find(giver)
    const isOver = house.now() >= end.endsAt
    if (token === undefined && !isOver) return await tellOrphan(house, end)
    if (token === undefined) {
      const tried = await storage.ends.change(end, triedStep('refused'))
      return tried && (await tellStuck(house, tried))
    }
    const reader = { asker: giver, token }
    if (!isOver) return await warn(house, end, reader)
    const tried = await takeBack(house, end, reader, { id: tryOf(end) })
    if (tried === undefined) await storage.ends.change(end, waitingStep)
  } catch (error) {
    log.failedJob('error', { err: error, end: end.id }, 'access could not be ended; trying again')
  }
}

/**
 * Tells whoever has it, and whoever gave it, that it ends: twice after a crash, never not at all. Where Slack is away, they
 * are told a minute later, until it ends.
 */
async function warn(house: House, end: End, giver: Reader): Promise<void> {
  const { storage, log } = house
  const heard = new Set(end.warned)
  const standing: Standing[] = []
  const telling = tellSoon(house, end, giver, heard, standing)
  const isTold = await telling.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof SlackError)) throw error
      log.warn({ err: error, end: end.id }, 'people could not be told that access ends soon')
      return false
    },
  )
  await storage.ends.change(end, (one, now) => {
    // Somebody may have extended it at once.
    if (one.endsAt !== end.endsAt) return undefined
    const kept = { ...one, standing: [...one.standing, ...standing] }
    return isTold ? warnedStep(kept) : warnAgainStep([...heard])(kept, now)
  })
}

/** @throws SlackError where somebody hears it later. @param heard - Grows, as `standing` does. */
async function tellSoon(
  house: House,
  end: End,
  giver: Reader,
  heard: Set<string>,
  standing: Standing[],
): Promise<void> {
  const { slack, config } = house
  const { workspaceId, whom, giverId, askerId, containerId } = end

  async function tellOnce(userId: string, isOfOne: boolean, message: Message): Promise<void> {
    if (heard.has(userId)) return
    // Slack refuses for good to tell somebody who has left.
    const posted = await orRefusal(slack.post(userId, message))
    heard.add(userId)
    if (isOfOne && 'ts' in posted) standing.push(standingAt(posted, userId))
  }

  await learnName(house, giver, containerId)
  const people = await siblingsOf(house, end)
  const giverName = (await slack.people.nameOf(giverId)) ?? 'the giver'
  // One message for all who got it by one request.
  for (const userId of people[0]?.id === end.id ? new Set([giverId, askerId]) : []) {
    const whose = userId === giverId ? 'your' : `${giverName}’s`
    const container = containerInWords(house, { workspaceId, userId }, containerId)
    const menu = endMenu(end.id, canExtend(config, end, userId))
    const isOfOne = people.length === 1
    await tellOnce(userId, isOfOne, renderSoon(people, container, whose, menu, config.roles))
  }
  const theirs = await slackIdOf(house, whom)
  if (theirs === undefined) return
  const container = containerInWords(house, giver.asker, containerId)
  await tellOnce(theirs, true, renderSoonTheirs(end, container, config.roles))
}

/** Ends of all who got it by the same request, and that end when this one does, itself among them. */
async function siblingsOf({ storage }: House, end: End): Promise<readonly End[]> {
  const { workspaceId, containerId } = end
  const all = await storage.ends.list({ workspaceId, ref: refOfContainer(containerId) })
  return all
    .filter((one) => givenBy(one.id) === givenBy(end.id) && one.endsAt === end.endsAt)
    .toSorted((one, other) => one.id.localeCompare(other.id))
}

interface Try {
  /** Equal for whatever must be tried once. */
  readonly id: string
  /** Where its sender pressed, and hears of it. */
  readonly place?: Place
  /** Removes them by their number, though no list shows them: all that they have there. */
  readonly isUnlisted?: boolean
}

/**
 * Tries once, with this person’s token. Where nothing proves that it is gone, the end is due again.
 * @returns Undefined where nothing was tried: somebody else does, or other ends hold all of it, and this one is gone.
 */
export async function takeBack(
  house: House,
  known: End,
  reader: Reader,
  { id, place, isUnlisted }: Try,
): Promise<SendOutcome | undefined> {
  const { storage } = house
  const taken = await storage.ends.change(known, takingStep)
  if (taken === undefined) return undefined
  const end = await identified(house, taken, reader)
  const { containerId, whom, authProvider, about, standing } = end
  const due = await dueOf(house, end)
  if (due === undefined) return void (await storage.ends.change(end, () => 'gone'))
  await learnName(house, reader, containerId)
  const { asker: sender, token } = reader
  const write = {
    ...due,
    kind: 'take-back',
    endId: end.id,
    email: whom.email,
    slackId: whom.slackId,
    there: whom.there,
    containerId,
    authProvider,
    permissions: [],
    // What the giver’s token showed says nothing of what another one lists.
    absenceProves: due.absenceProves && sender.userId === end.giverId,
    isWhole: due.isWhole || isUnlisted,
    isUnlisted,
  } as const
  // Whole lists are written: of two take-backs of one person, the second waits.
  const who = whom.there?.userId ?? whom.email.toLowerCase()
  const claim = `take-back ${containerId} ${who}`
  const begun = await insertBegun(house, { id, claim, sender, about, writes: [write], standing })
  if (begun === undefined) {
    await storage.ends.change(end, (one) => ({ ...one, takenUntil: undefined }))
    return undefined
  }
  return holding(house, begun, async () => {
    const { request, isToTell } = await sendBegun(house, token, begun)
    if (isToTell) await tell(house, request, await newsOfEnd(house, request, place), 'at_once')
    return request.sends[0]?.outcome
  })
}

/** Looks for somebody known by an address alone: two ends of one person wait for each other by their number. */
async function identified(house: House, end: End, { token }: Reader): Promise<End> {
  const { whom, authProvider, containerId } = end
  if (whom.there !== undefined) return end
  const list = await readPeople(house, token, containerId)
  const them = typeof list === 'string' ? undefined : personIn(list, { ...whom, authProvider })
  const there = them && asShown(them)
  const shown = there && (await house.storage.ends.change(end, shownStep(there)))
  return shown ?? end
}

/** A kind of write that gives or takes access: ends follow from it. */
export function withEnds(kind: Kind): Kind {
  return {
    ...kind,
    async follow(house, request) {
      const gone = await storeEnds(house, request)
      if (gone.length === 0) return
      void house.slack.work
        .run(() => settleLetGo(house, request, gone))
        .catch((err: unknown) =>
          house.log.failedJob('warn', { err }, 'what stands about access could not be redrawn'),
        )
    },
  }
}

export const endKind: Kind = {
  ...grantKind,
  tellPerson: () => {},
  /** The end goes once a read has shown it; else it is due again, but for a try of somebody who was in a hurry. */
  async follow({ storage }, { workspaceId, id, sender, sends: [only] }) {
    if (only === undefined) return
    const { write, outcome, there, isRemoval } = only
    const { endId = '' } = asAccess(write)
    await storage.ends.change({ workspaceId, id: endId }, (end, now) => {
      if (outcome?.kind === 'done') return 'gone'
      const isGivers = sender.userId === end.giverId
      // What another token listed, or no longer lists, says nothing of the giver’s.
      const isRemoved = isGivers && isRemoval && outcome?.kind === 'uncertain'
      const learned: End = {
        ...end,
        takenUntil: undefined,
        isRemoved: isRemoved || end.isRemoved,
        whom: { ...end.whom, there: there ?? end.whom.there },
      }
      return tryOf(end) === id ? triedStep(whyNot(only))(learned, now) : learned
    })
  },
  news: (house, request) => newsOfEnd(house, request),
}

function whyNot({ outcome }: Send): WhyNot {
  if (outcome?.kind === 'not-done') return outcome.code
  return outcome?.kind === 'uncertain' && outcome.cause === 'not-listed'
    ? 'not-listed'
    : 'uncertain'
}
