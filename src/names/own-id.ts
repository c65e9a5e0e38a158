// Identity of somebody in Slack at the service: matched by the address that both show, or chosen. It fills in forms and picks
// words, and proves nothing.
import type { House } from '../house.ts'
import { type ContainerPerson, isSameAddress } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/person.ts'
import { personShown } from './containers.ts'
import { peopleOf } from './names.ts'

/** Who somebody is at the service. */
export interface OwnId {
  /** At the service. */
  readonly userId: number
  /** By an address that both show; else they chose it. */
  readonly isMatched: boolean
}

export type WhoAmI =
  | { readonly kind: 'known'; readonly userId: number }
  /** Nobody can tell: they choose. None where the container's people can't be read. */
  | { readonly kind: 'choose'; readonly people: readonly ContainerPerson[] }

/** A link as its person can see it. */
export interface ShownLink {
  /** Raw, as their own present token has shown it. */
  readonly name: string | undefined
  readonly userId: number
}

/** To whoever it isn't known of, where no form can ask them. Raw. */
export const whoUnknown =
  'I don’t know who you are in monitoring. Press Assign to me on an alert’s card: it asks you once.'

/** Who this person is at the service, where that is known. Asks nobody. */
export async function ownIdOf({ storage }: House, person: SlackUser): Promise<number | undefined> {
  return (await storage.ownIds.find(person))?.userId
}

/** The link of this person, for them alone; undefined where there is none, or no names are shown. Asks nobody. */
export async function linkShown(house: House, person: SlackUser): Promise<ShownLink | undefined> {
  const userId = house.config.hasAllOperations ? await ownIdOf(house, person) : undefined
  return userId === undefined ? undefined : { userId, name: personShown(house, person, userId)?.name }
}

/**
 * Who this Slack person is at the service: as it is known, else the one among a container's people who shows the address
 * that they have in Slack.
 * @throws MonitorError where they have to connect again, or the service gives no answer at the moment.
 */
export async function whoAmI(
  house: House,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<WhoAmI> {
  const userId = await ownIdOf(house, person)
  if (userId !== undefined) return { kind: 'known', userId }
  const found = await peopleOf(house, person, token, containerId)
  if (found.kind !== 'listed') return { kind: 'choose', people: [] }
  const identity = await house.slack.people.whoIs(person.userId)
  const own = onlyWithAddress(found.people, identity?.email)
  if (own === undefined) return { kind: 'choose', people: found.people }
  await house.storage.ownIds.keep(person, { userId: own.id, isMatched: true })
  return { kind: 'known', userId: own.id }
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
