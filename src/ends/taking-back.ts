// Takes access back at its time, with the token of whoever gave it: by a request like any other, of the kind `take-back`.
// The access has ended once a read shows that nothing of it is left; until then it is tried again, after longer and longer
// pauses. An end is the document that says what is taken back, from whom and when.
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

/** A process that has held an end for longer than this is taken for dead. */
const leaseMs = 90_000

/**
 * Takes ends that fall due: no other process takes them until the lease is over, even if this one dies. Ends of one giver
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
    // One job for each end, as the poller counts ends. The first job looks at all of them, and the others wait for it.
    return ends.map(() => lookOnce)
  })
}

/** The giver, whose account takes the access back. */
function giverOf({ workspaceId, giverId }: TimedAccess): SlackUser {
  return { workspaceId, userId: giverId }
}

/** A text that is equal for ends of one giver. */
const nameOfGiver = (end: TimedAccess) => personKey(giverOf(end))

/** Id of the request that a try sends: one for each try, whichever process makes it. */
const tryOf = ({ id, endsAt, tries }: End) => `${id}:end ${endsAt} ${tries}`

/** Takes back access whose time has come, and warns people of the other ends. @param ends - Of one giver. */
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

      // Before its time, people are told once that nobody’s account will take the access back.
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
  /** Id of the request: of tries with an equal id, only the first is made. */
  readonly idOf: (end: End) => string
  /** The place where the sender pressed, and hears the outcome; missing if nobody pressed, as the time has come. */
  readonly place?: Place
  /** True to remove the person by their number, with all that they have there, though no list shows them. */
  readonly isUnlisted?: boolean
}

/**
 * Tries once to take back the access of each end, with this person’s token, and tells people of all together. If nothing
 * proves that the access is gone, its end stays, and is tried again at its time.
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
 * Begins the request that takes back the access of one end. Undefined if nothing begins: another caller takes it back;
 * another take-back from the same person is under way; or other ends hold all of that access, and this end is deleted.
 */
async function begin(
  house: House,
  known: End,
  reader: Account,
  { idOf, isUnlisted }: Try,
): Promise<Request | undefined> {
  const { storage } = house
  // 1. From here on nobody else takes the access back, and nobody makes it last.
  const taken = await storage.ends.change(known, takingStep)
  if (taken === undefined) return undefined

  // 2. The person’s number, by which their other ends are found.
  const end = await identified(house, taken, reader)
  const { containerId, whom, authProvider } = end

  // 3. Only then, the part of the access that no other end holds.
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
    // Absence from a list proves something only if the giver’s token reads it: another token’s list may show less.
    absenceProves: due.absenceProves && sender.userId === end.giverId,
    isWhole: due.isWhole || isUnlisted,
    isUnlisted,
  } as const

  // 4. Each write replaces all flags that somebody has: of two take-backs from one person, the second waits.
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

/** Other ends of the same person that still run, the soonest first. */
async function othersOf(house: House, end: End): Promise<readonly End[]> {
  const now = house.now()
  const all = await endsOf(house, end.workspaceId, end.containerId, whoseEnd(end))
  // Ends whose time has come as well don’t count: each takes back all that it gave, and the second finds it gone.
  return all.filter((one) => one.id !== end.id && one.endsAt > now)
}

/** Access that an end takes: of what it gave, all that no other running end still holds. Undefined if nothing is left. */
function dueOf(end: End, others: readonly End[]) {
  const held = others.flatMap(({ flags }) => flags)
  const takes = end.flags.filter((flag) => !held.includes(flag))
  const member = end.member && !others.some((one) => one.member) ? false : undefined
  const isWhole = !end.wasThere && others.length === 0
  // A person whom the grant brought onto the container is removed even if it gave no flag.
  const isMereEntry = isWhole && end.flags.length === 0
  if (takes.length === 0 && member === undefined && !isMereEntry) return undefined

  // A list without the person proves nothing once their membership is taken: a list of members then lacks them anyway.
  const staysMember = end.whom.there?.member === true && (member === undefined || isWhole)
  const absenceProves = staysMember || end.isRemoved === true
  return { takes, member, isWhole, absenceProves }
}

/** Finds the number of somebody known by an address alone: two take-backs from one person are known by the number. */
async function identified(house: House, end: End, { token }: Account): Promise<End> {
  const { whom, authProvider, containerId } = end
  if (whom.there !== undefined) return end

  const list = await readPeople(house, token, containerId)
  const them = typeof list === 'string' ? undefined : personIn(list, { ...whom, authProvider })
  const there = them && asShown(them)
  const shown = there && (await house.storage.ends.change(end, shownStep(there)))
  return shown ?? end
}

/**
 * Take-backs are sent as grants are (`takes` says what goes). But the end is kept until a read proves that the access is
 * gone, and the person hears by `showAndCompose`, not by `tellPerson`.
 */
export const endKind: Kind = {
  ...grantKind,
  tellPerson: () => {},
  /** Deletes the end once a read shows that the access is gone. Else it is due again: after Remove now, at its old time. */
  async storeWhatFollows({ storage }, { id, sender, taking, sends: [only] }) {
    if (only === undefined || taking === undefined) return

    const { outcome, there, isRemoval } = only
    await storage.ends.change(taking, (end, now) => {
      if (outcome?.kind === 'done') return 'gone'

      // Only a removal with the giver’s token counts: another token’s list says nothing about the giver’s list.
      const isGivers = sender.userId === end.giverId
      const isRemoved = isGivers && isRemoval && outcome?.kind === 'uncertain'
      const known: End = {
        ...end,
        takenUntil: undefined,
        // An earlier removal proves nothing once this try’s list has shown the person: somebody may have added them again.
        isRemoved: there === undefined ? end.isRemoved : isRemoved,
        whom: { ...end.whom, there: there ?? end.whom.there },
      }

      // A try that somebody asked for by Remove now has another id (`endNow`), and isn’t counted.
      return tryOf(end) === id ? triedStep(whyNot(only))(known, now) : known
    })
  },
  toldWith: ({ id, taking }) => (taking ? nameOfGiver(taking) : id),
  showAndCompose: (house, _, together) => showAndComposeEnds(house, together),
}

/** The reason why no read has proved that the access is gone. */
function whyNot({ outcome }: Send): WhyNot {
  if (outcome?.kind === 'not-done') return outcome.code
  const isUnlisted = outcome?.kind === 'uncertain' && outcome.cause === 'not-listed'
  return isUnlisted ? 'not-listed' : 'uncertain'
}
