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
 * Takes ends that fall due, for one process alone; if that dies, it keeps them until the lease is over. Ends of one giver
 * are looked at together, as one message tells of them.
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
    // The poller counts each end by itself, for as long as all of them are looked at.
    return ends.map(() => lookOnce)
  })
}

/** The person whose account takes it back. */
function giverOf({ workspaceId, giverId }: TimedAccess): SlackUser {
  return { workspaceId, userId: giverId }
}

/** Equal for ends of one giver. */
const nameOfGiver = (end: TimedAccess) => personKey(giverOf(end))

/** Id of the request that a try sends: one for each try, whichever process makes it. */
const tryOf = ({ id, endsAt, tries }: End) => `${id}:end ${endsAt} ${tries}`

/** Takes back those whose time has come, and warns of the others. @param ends - Of one giver. */
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

      // Before their time, it is said once that nobody’s account ends them.
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
 * Tries once to take back each, with this person’s token, and tells of all together. An end is due again where nothing
 * proves that its access is gone.
 * @param ends - Of one giver.
 * @returns The requests that were sent.
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

/**
 * Begins the request that takes one back. Undefined where nothing begins: somebody else takes it back, another take-back
 * from this person is under way, or other ends hold all of it, and this one is gone.
 */
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
    // Known of lists that the giver’s token reads: another’s may show less.
    absenceProves: due.absenceProves && sender.userId === end.giverId,
    isWhole: due.isWhole || isUnlisted,
    isUnlisted,
  } as const

  // 4. Each write replaces all that somebody has: of two take-backs from one person, the second waits.
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

  // Absence proves nothing once a membership is taken: a list of members then lacks them, whatever they still have.
  const staysMember = end.whom.there?.member === true && (member === undefined || isWhole)
  const absenceProves = staysMember || end.isRemoved === true
  return { takes, member, isWhole, absenceProves }
}

/** Finds the number of somebody known by an address alone: by it, the second of two take-backs from one person waits. */
async function identified(house: House, end: End, { token }: Account): Promise<End> {
  const { whom, authProvider, containerId } = end
  if (whom.there !== undefined) return end

  const list = await readPeople(house, token, containerId)
  const them = typeof list === 'string' ? undefined : personIn(list, { ...whom, authProvider })
  const there = them && asShown(them)
  const shown = there && (await house.storage.ends.change(end, shownStep(there)))
  return shown ?? end
}

/** Writes take-backs as any grant is written (`takes` says what goes); what proves them, and who hears, differs. */
export const endKind: Kind = {
  ...grantKind,
  tellPerson: () => {},
  /** Drops the end once a read shows that the access is gone. Else it is due again, unless the try was somebody’s “now”. */
  async storeWhatFollows({ storage }, { id, sender, taking, sends: [only] }) {
    if (only === undefined || taking === undefined) return

    const { outcome, there, isRemoval } = only
    await storage.ends.change(taking, (end, now) => {
      if (outcome?.kind === 'done') return 'gone'

      // Only a removal with the giver’s token counts: a list that another’s token shows says nothing of theirs.
      const isGivers = sender.userId === end.giverId
      const isRemoved = isGivers && isRemoval && outcome?.kind === 'uncertain'
      const known: End = {
        ...end,
        takenUntil: undefined,
        // Set anew where a list has shown them since: somebody may have added them again.
        isRemoved: there === undefined ? end.isRemoved : isRemoved,
        whom: { ...end.whom, there: there ?? end.whom.there },
      }

      // A try of somebody’s “now” has an id of its own (`endNow`), and doesn’t count.
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
