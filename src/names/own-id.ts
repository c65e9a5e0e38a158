// Finds the number that somebody in Slack has at the service: by their address, or as they chose it. The number serves to
// fill in forms and sentences. It proves nothing about who they are.
import type { House } from '../house.ts'
import { type ContainerPerson, isSameAddress } from '../monitor/schema.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { personShown } from './containers.ts'
import { peopleOf } from './names.ts'

export interface OwnId {
  readonly userId: number
  /** True if Slack and the service show the same address; false if the person chose the number. */
  readonly isMatched: boolean
}

export type WhoIs =
  | { readonly kind: 'known'; readonly userId: number }
  /** The person has to choose. `people` is empty if the container’s people can’t be read. */
  | { readonly kind: 'choose'; readonly people: readonly ContainerPerson[] }

/** Shown where no form can ask who the person is. Raw. */
export const whoUnknown =
  'I don’t know who you are in monitoring. Press Assign to me on an alert’s card: it asks you once.'

export async function ownIdOf({ storage }: House, person: SlackUser): Promise<number | undefined> {
  return (await storage.ownIds.find(person))?.userId
}

/** A user of the service. The name is raw. */
export type ShownLink = NonNullable<Awaited<ReturnType<typeof linkShown>>>

/**
 * The user of the service whose number is stored for a person in Slack, to be shown to this person alone. Undefined if
 * no number is stored, or with MONITOR_OPERATIONS=basic. The name is as the person’s present token has shown it. Makes
 * no request to the service.
 */
export async function linkShown(house: House, person: SlackUser) {
  const userId = house.config.hasAllOperations ? await ownIdOf(house, person) : undefined
  return userId === undefined
    ? undefined
    : { userId, name: personShown(house, person, userId)?.name }
}

/**
 * Finds who somebody in Slack is at the service. A stored number is taken if an address has proved it. A number that the
 * person only chose is taken if they ask themselves, not if others ask. Without such a number, it is the one of a
 * container’s people who has their Slack address.
 * @param container - Gives the container whose people are read; called only if no number can be taken.
 * @throws MonitorError if the reader has to connect again, or the service gives no answer at the moment.
 */
export async function whoIs(
  house: House,
  reader: Account,
  container: () => Promise<number | undefined>,
  slackId = reader.owner.userId,
): Promise<WhoIs> {
  const { ownIds } = house.storage
  const { owner } = reader
  const isOwn = slackId === owner.userId
  const linked = await ownIds.find({ workspaceId: owner.workspaceId, userId: slackId })
  if (linked && (isOwn || linked.isMatched)) return { kind: 'known', userId: linked.userId }

  const containerId = await container()
  const found = containerId === undefined ? undefined : await peopleOf(house, reader, containerId)
  if (found?.kind !== 'listed') return { kind: 'choose', people: [] }

  const { people } = found
  const address = (await house.slack.people.whoIs(slackId))?.email
  const [one, ...others] = people.filter(
    ({ email }) => email && address && isSameAddress(email, address),
  )

  if (one === undefined || others.length > 0) return { kind: 'choose', people }
  if (isOwn) await ownIds.keep(owner, { userId: one.id, isMatched: true })
  return { kind: 'known', userId: one.id }
}
