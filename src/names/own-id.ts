// Who somebody in Slack is at the service: matched by the address that both show, or chosen. It fills in forms and picks
// words, and proves nothing.
import { MonitorError } from '../errors.ts'
import type { ContainerPerson } from '../monitor/client.ts'
import { isSameAddress } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { nameShown } from './naming.ts'
import { peopleOf } from './people.ts'
import type { NamesRoom } from './room.ts'

export type WhoAmI =
  | { readonly kind: 'known'; readonly userId: number }
  /** Nobody can tell: they choose. */
  | { readonly kind: 'choose'; readonly people: readonly ContainerPerson[] }
  /** The container's people can't be read. */
  | { readonly kind: 'unknown' }

/** A link as its person can see it. */
export interface ShownLink {
  /** Raw, as their own present token has shown it. */
  readonly name: string | undefined
  readonly userId: number
}

/** The link of this person, for them alone; undefined where there is none. Asks nobody. */
export async function linkShown(room: NamesRoom, person: SlackUser): Promise<ShownLink | undefined> {
  const own = await room.ownIds.find(person)
  return own && { userId: own.userId, name: nameShown(room, person, own.userId) }
}

/**
 * Who this Slack person is at the service: as it is known, else the one among a container's people who shows the address
 * that they have in Slack.
 * @throws MonitorError where they have to connect again, or the service gives no answer at the moment.
 */
export async function whoAmI(
  room: NamesRoom,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<WhoAmI> {
  const known = await room.ownIds.find(person)
  if (known !== undefined) return { kind: 'known', userId: known.userId }
  const people = await listed(room, person, token, containerId)
  if (people === undefined) return { kind: 'unknown' }
  const identity = await room.people.in(person.workspaceId).identityOf(person.userId)
  const own = onlyWithAddress(people, identity?.email)
  if (own === undefined) return { kind: 'choose', people }
  await room.ownIds.keep(person, { userId: own.id, isMatched: true })
  return { kind: 'known', userId: own.id }
}

/** Undefined where the service shows none. */
async function listed(
  room: NamesRoom,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<readonly ContainerPerson[] | undefined> {
  try {
    const found = await peopleOf(room, person, token, containerId)
    return found.kind === 'listed' ? found.people : undefined
  } catch (error) {
    const isAnswer =
      error instanceof MonitorError && (error.code === 'forbidden' || error.code === 'malformed')
    if (!isAnswer) throw error
    return undefined
  }
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
