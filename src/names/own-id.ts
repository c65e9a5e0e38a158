// Links between people in Slack and who they are at the service: found by an address, chosen, or proven by an Assign.
import { MonitorError } from '../errors.ts'
import type { ContainerPerson } from '../monitor/client.ts'
import type { ContainerPeople } from '../monitor/containers.ts'
import { isSameAddress } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { nameShown } from './naming.ts'
import { peopleOf, seenBy, seenIn } from './people.ts'
import type { NamesRoom, OwnId } from './room.ts'

export type WhoAmI =
  | {
      readonly kind: 'known'
      readonly userId: number
      /** Raw, as their own token showed it. */
      readonly name: string | undefined
      readonly isProven: boolean
    }
  /** Nobody can tell: they choose. */
  | { readonly kind: 'choose'; readonly people: readonly ContainerPerson[] }
  /** Their token is a container's, with no person behind it. */
  | { readonly kind: 'container-token' }
  /** The container's people can't be read. */
  | { readonly kind: 'unknown' }
  /** The service gives no answer at the moment (`busy`, `unreachable`): another try may tell. */
  | { readonly kind: 'unanswered'; readonly error: MonitorError }

/** Who this Slack person is at the service. Asks nobody. */
export async function ownIdKnown({ ownIds }: NamesRoom, person: SlackUser): Promise<OwnId | undefined> {
  const own = await ownIds.find(person)
  return own?.isOverruled ? undefined : own
}

/** A link as its person can see it. */
export interface ShownLink {
  /** Raw, as their own present token has shown it. */
  readonly name: string | undefined
  readonly userId: number
  /** `overruled`: they said so, and somebody else has proven to be that user. */
  readonly standing: 'proven' | 'said' | 'overruled'
}

/** The link of this person, for them alone; undefined where there is none. Asks nobody. */
export async function linkShown(room: NamesRoom, person: SlackUser): Promise<ShownLink | undefined> {
  const own = await room.ownIds.find(person)
  if (own === undefined) return undefined
  const { userId, isProven, isOverruled } = own
  const name = await nameShown(room, person, userId)
  return { userId, name, standing: isOverruled ? 'overruled' : isProven ? 'proven' : 'said' }
}

/**
 * Who this Slack person is at the service: as it is known, else the one among a container's people who shows the address
 * that they have in Slack, which proves it.
 * @throws MonitorError `refused` alone: they have to connect again.
 */
export async function whoAmI(
  room: NamesRoom,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<WhoAmI> {
  room.memory.used(person, token)
  const known = await ownIdKnown(room, person)
  if (known !== undefined) {
    const isContainers = await isContainerToken(room, person, token)
    return isContainers ? { kind: 'container-token' } : named(room, person, containerId, known)
  }
  const choice = await whomToChoose(room, person, token, containerId)
  if (choice.kind !== 'choose') return choice
  const identity = await room.people.in(person.workspaceId).identityOf(person.userId)
  const own = onlyWithAddress(choice.people, identity?.email)
  if (own !== undefined && (await proveOwnId(room, person, own.id)) !== 'taken') {
    return {
      kind: 'known',
      userId: own.id,
      name: own.name.trim() === '' ? undefined : own.name,
      isProven: true,
    }
  }
  return choice
}

/** As whom somebody can choose themselves, whoever they are known to be. @throws MonitorError as `whoAmI`. */
export async function whomToChoose(
  room: NamesRoom,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<Exclude<WhoAmI, { readonly kind: 'known' }>> {
  const people = await listed(room, person, token, containerId)
  // Where no answer came, none would come to the next question.
  if (people.kind === 'unanswered') {
    const { code } = people.error
    return code === 'busy' || code === 'unreachable' ? people : { kind: 'unknown' }
  }
  if (await isContainerToken(room, person, token)) return { kind: 'container-token' }
  return people.kind === 'listed' ? { kind: 'choose', people: people.people } : { kind: 'unknown' }
}

/** What the service forbids is an answer, too. @throws MonitorError `refused` alone. */
async function listed(
  room: NamesRoom,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<
  ContainerPeople | { readonly kind: 'forbidden' } | Extract<WhoAmI, { readonly kind: 'unanswered' }>
> {
  try {
    return await peopleOf(room, person, token, containerId)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code === 'refused') throw error
    return error.code === 'forbidden' ? { kind: 'forbidden' } : { kind: 'unanswered', error }
  }
}

/**
 * Whether no person stands behind a token. Asked once for a token, as long as this process lives. The service may answer a
 * person's token with 401, so a token that is refused here alone is a person's.
 */
export async function isContainerToken(
  { memory, monitor }: NamesRoom,
  person: SlackUser,
  token: string,
): Promise<boolean> {
  const { mark, holder: known } = memory.used(person, token)
  if (known !== undefined) return known.kind === 'container'
  try {
    const holder = await monitor.containerOfToken(token)
    memory.change(person, mark, () => ({ holder }))
    return holder.kind === 'container'
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'refused') memory.change(person, mark, () => ({ holder: { kind: 'person' } }))
    return false
  }
}

async function named(
  room: NamesRoom,
  person: SlackUser,
  containerId: number,
  { userId, isProven }: OwnId,
): Promise<WhoAmI> {
  const seen = await seenBy(room, person)
  const container = seen && (await seenIn(room, person, seen, containerId))
  return { kind: 'known', userId, name: container?.people.get(userId), isProven }
}

/** The one person who shows this address; undefined where nobody does, or several do. */
export function onlyWithAddress(
  people: readonly ContainerPerson[],
  address: string | undefined,
): ContainerPerson | undefined {
  if (!address) return undefined
  const [one, ...others] = people.filter(({ email }) => email && isSameAddress(email, address))
  return others.length === 0 ? one : undefined
}

/**
 * Chosen from names: it only fills in forms, and what they have proven stays.
 * @returns `taken`: another Slack person in this workspace has proven to be that user.
 */
export function chooseOwnId(
  { ownIds }: NamesRoom,
  person: SlackUser,
  userId: number,
): Promise<'linked' | 'taken'> {
  return ownIds.choose(person, userId, 'chosen')
}

/** Corrected by themselves: as `chooseOwnId`, and it takes the place of another that they have proven. */
export function correctOwnId(
  { ownIds }: NamesRoom,
  person: SlackUser,
  userId: number,
): Promise<'linked' | 'taken'> {
  return ownIds.choose(person, userId, 'proven')
}

/** Their next *Assign to me* finds out who they are once more. */
export function forgetOwnId({ ownIds }: NamesRoom, person: SlackUser): Promise<void> {
  return ownIds.forget(person)
}

/**
 * Their own Assign showed this number as who did it: that is proof, and overrules whoever only chose it.
 * @returns `corrected`: they were taken for another before. `taken`: another Slack person in this workspace has proven it
 * with the token that they still have, which is put on record.
 */
export async function proveOwnId(
  { ownIds, onCollision }: NamesRoom,
  person: SlackUser,
  userId: number,
): Promise<'linked' | 'corrected' | 'taken'> {
  const proved = await ownIds.prove(person, userId)
  if (proved !== 'taken') return proved
  const holder = await ownIds.personProven(person.workspaceId, userId)
  if (holder !== undefined) await onCollision(person, holder, userId)
  return proved
}

/**
 * The service user as whom this person's token acts, where it has proven that: their former one may have been another
 * user's. Asks nobody.
 * @param since - When the token was kept; undefined where there is none.
 */
export async function ownIdOfToken(
  { ownIds }: NamesRoom,
  person: SlackUser,
  since: number | undefined,
): Promise<number | undefined> {
  return since === undefined ? undefined : ownIds.provenSince(person, since)
}

/**
 * They can't be who they chose to be: forgotten, so that they are asked again. What they have proven stays.
 * @returns Whether it was forgotten.
 */
export function doubtOwnId({ ownIds }: NamesRoom, person: SlackUser): Promise<boolean> {
  return ownIds.forgetChosen(person)
}

/** The Slack person behind a service user, only where that is proven. Asks nobody. */
export function slackPersonOf(
  { ownIds }: NamesRoom,
  workspaceId: string,
  userId: number,
): Promise<SlackUser | undefined> {
  return ownIds.personProven(workspaceId, userId)
}
