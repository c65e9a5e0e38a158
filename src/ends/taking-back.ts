// Ends access at its time, with the token of whoever gave it: a request like any other, of the kind `take-back`. It has
// ended once a read shows that nothing of it is left; until then it is tried again, after longer and longer pauses.
import { asShown, personIn, readPeople } from '../grant/people.ts'
import { grantKind } from '../grant/write.ts'
import type { House } from '../house.ts'
import { learnName } from '../names/names.ts'
import type { Request, Send, TimedAccess } from '../send/request.ts'
import { insertBegun, type Kind, sendBegun } from '../send/send.ts'
import { batchesBy, holding, type Some, tell } from '../send/telling.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { type Account, personKey, type SlackUser } from '../slack/person.ts'
import { takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import {
  type End,
  endsOf,
  orphanStep,
  shownStep,
  takingStep,
  triedStep,
  type WhyNot,
  waitingStep,
  whoseEnd,
} from './states.ts'
import { settleHeld, showAndComposeEnds, tellInCharge, tellStuck, warn } from './telling.ts'

/** A process that has had an end for longer is taken for dead. */
const leaseMs = 90_000

/**
 * Ends that fall due are taken by one process; one that dies has it until its lease is over. Ends of one giver are looked at
 * together, as one message tells of them.
 */
export const takeEnds: TakeDue = async (house, most) => {
  const { poller, storage } = house
  const due = await storage.ends.takeDue(
    (end, now) => takenBy(end, poller.owner, leaseMs, now),
    most,
  )

  return batchesBy(due, nameOfGiver).flatMap((ends) => {
    let looking: Promise<void> | undefined
    const lookOnce = () => (looking ??= lookAtEnds(house, ends))
    // Each counts as one that is looked at, for as long as that takes.
    return ends.map(() => lookOnce)
  })
}

/** The person whose account takes it back. */
function giverOf({ workspaceId, giverId }: TimedAccess): SlackUser {
  return { workspaceId, userId: giverId }
}

/** Equal for ends of one giver. */
const nameOfGiver = (end: TimedAccess) => personKey(giverOf(end))

/** One for each try, whichever process makes it. */
const tryOf = ({ id, endsAt, tries }: End) => `${id}:end ${endsAt} ${tries}`

/** @param ends - Of one giver. */
async function lookAtEnds(house: House, ends: Some<End>): Promise<void> {
  const { storage, tokens, log } = house
  const [first] = ends
  try {
    const now = house.now()
    const over = ends.filter(({ endsAt }) => endsAt <= now)
    const soon = ends.filter(({ endsAt }) => endsAt > now)
    const giver = giverOf(first)
    const token = await tokens.find(giver)

    if (token === undefined) {
      const tried = over.map((end) => storage.ends.change(end, triedStep('refused')))
      await tellStuck(house, await Promise.all(tried))

      // Said once, before their time.
      return await tellInCharge(house, soon, orphanStep)
    }

    const reader = { owner: giver, token }
    await takeBack(house, over, reader, { idOf: tryOf })
    await warn(house, soon, reader)
  } catch (error) {
    log.failedJob('error', { err: error, end: first.id }, 'access could not be ended; trying again')
  }
}

interface Try {
  /** Id of the request: of tries with an equal one, only the first is made. */
  readonly idOf: (end: End) => string
  /** The place where its sender pressed, and hears of it. */
  readonly place?: Place
  /** Removes them by their number, though no list shows them: all that they have there. */
  readonly isUnlisted?: boolean
}

/**
 * Tries each once, with this person’s token, and tells of all together. Where nothing proves that it is gone, the end is
 * due again.
 * @param ends - Of one giver.
 * @returns What was tried.
 */
export async function takeBack(
  house: House,
  ends: readonly End[],
  reader: Account,
  how: Try,
): Promise<readonly Request[]> {
  const beginning = await Promise.all(ends.map((end) => begin(house, end, reader, how)))
  const begun = beginning.filter((one) => one !== undefined)

  return holding(house, begun, async () => {
    const tried = await Promise.allSettled(begun.map((one) => sendBegun(house, reader.token, one)))
    const sent = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const toTell = sent.flatMap(({ request, isStillHeld }) => (isStillHeld ? [request] : []))
    const notices = await showAndComposeEnds(house, toTell, how.place)
    await tell(house, toTell, notices, 'at_once')

    for (const one of tried) if (one.status === 'rejected') throw one.reason
    return sent.map(({ request }) => request)
  })
}

/** Undefined where nothing begins: somebody else takes it back, or other ends hold all of it, and this one is gone. */
async function begin(
  house: House,
  known: End,
  reader: Account,
  { idOf, isUnlisted }: Try,
): Promise<Request | undefined> {
  const { storage } = house
  // 1. From here on nobody else takes it back, and nobody makes it last.
  const taken = await storage.ends.change(known, takingStep)
  if (taken === undefined) return undefined

  // 2. Their number, as other ends of the same person are found by it.
  const end = await identified(house, taken, reader)
  const { containerId, whom, authProvider } = end

  // 3. Only then what no other end holds.
  const others = await othersOf(house, end)
  const due = dueOf(end, others)
  if (due === undefined) {
    await storage.ends.change(end, () => 'gone')
    return void (await settleHeld(house, end, others))
  }

  await learnName(house, reader, containerId)
  const { owner: sender } = reader
  const write = {
    ...due,
    ...whom,
    kind: 'take-back',
    endId: end.id,
    containerId,
    authProvider,
    permissions: [],
    // The giver’s list says nothing of what another token lists.
    absenceProves: due.absenceProves && sender.userId === end.giverId,
    isWhole: due.isWhole || isUnlisted,
    isUnlisted,
  } as const

  // 4. Whole lists are written: of two take-backs of one person, the second waits.
  const who = whom.there?.userId ?? whom.email.toLowerCase()
  const claim = `take-back ${containerId} ${who}`
  const begun = await insertBegun(house, {
    id: idOf(known),
    claim,
    sender,
    writes: [write],
    taking: end,
  })
  if (begun === undefined) await storage.ends.change(end, waitingStep)
  return begun
}

/** Ends of the same person that still run, soonest first. */
async function othersOf(house: House, end: End): Promise<readonly End[]> {
  const now = house.now()
  const all = await endsOf(house, end.workspaceId, end.containerId, whoseEnd(end))
  // One that is due as well holds nothing: each takes all, and the second finds it gone.
  return all.filter((one) => one.id !== end.id && one.endsAt > now)
}

/** Access that an end takes: of what it gave, all that no other running end still holds. Undefined where that is nothing. */
function dueOf(end: End, others: readonly End[]) {
  const held = others.flatMap(({ flags }) => flags)
  const takes = end.flags.filter((flag) => !held.includes(flag))
  const member = end.member && !others.some((one) => one.member) ? false : undefined
  const isWhole = !end.wasThere && others.length === 0
  // An entry without a flag is still to be removed.
  const isMereEntry = isWhole && end.flags.length === 0
  if (takes.length === 0 && member === undefined && !isMereEntry) return undefined

  // Once it has taken a membership, a list of members lacks them whatever they still have.
  const staysMember = end.whom.there?.member === true && (member === undefined || isWhole)
  const absenceProves = staysMember || end.isRemoved === true
  return { takes, member, isWhole, absenceProves }
}

/** Finds the number of somebody known by an address alone: by it, two take-backs of one person wait for each other. */
async function identified(house: House, end: End, { token }: Account): Promise<End> {
  const { whom, authProvider, containerId } = end
  if (whom.there !== undefined) return end

  const list = await readPeople(house, token, containerId)
  const them = typeof list === 'string' ? undefined : personIn(list, { ...whom, authProvider })
  const there = them && asShown(them)
  const shown = there && (await house.storage.ends.change(end, shownStep(there)))
  return shown ?? end
}

/** Takes access back as any grant is written (`takes` says what of it goes); what it proves, and who hears, is its own. */
export const endKind: Kind = {
  ...grantKind,
  tellPerson: () => {},
  /** The end goes once a read has shown it; else it is due again, but for a try of somebody who was in a hurry. */
  async storeWhatFollows({ storage }, { id, sender, taking, sends: [only] }) {
    if (only === undefined || taking === undefined) return

    const { outcome, there, isRemoval } = only
    await storage.ends.change(taking, (end, now) => {
      if (outcome?.kind === 'done') return 'gone'

      // A list that another’s token shows says nothing of the giver’s.
      const isGivers = sender.userId === end.giverId
      const isRemoved = isGivers && isRemoval && outcome?.kind === 'uncertain'
      const known: End = {
        ...end,
        takenUntil: undefined,
        // A list that shows them since: somebody may have added them again.
        isRemoved: there === undefined ? end.isRemoved : isRemoved,
        whom: { ...end.whom, there: there ?? end.whom.there },
      }

      // A try of somebody in a hurry has an id of its own (`takeBack`), and doesn’t count.
      return tryOf(end) === id ? triedStep(whyNot(only))(known, now) : known
    })
  },
  toldWith: ({ id, taking }) => (taking ? nameOfGiver(taking) : id),
  showAndCompose: (house, _, together) => showAndComposeEnds(house, together),
}

/** The reason why no read has proved that it is gone. */
function whyNot({ outcome }: Send): WhyNot {
  if (outcome?.kind === 'not-done') return outcome.code
  const isUnlisted = outcome?.kind === 'uncertain' && outcome.cause === 'not-listed'
  return isUnlisted ? 'not-listed' : 'uncertain'
}
