// Finds somebody’s number at the service from their Slack account: matched by address, or chosen by them. The number fills
// in forms and words, proving nothing.
import type { House } from '../house.ts'
import { type ContainerPerson, isSameAddress } from '../monitor/schema.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { personShown } from './containers.ts'
import { peopleOf } from './names.ts'

export interface OwnId {
  readonly userId: number
  /** True if it was matched by an address that Slack and the service both show; false if the person chose it. */
  readonly isMatched: boolean
}

export type WhoIs =
  | { readonly kind: 'known'; readonly userId: number }
  /** The person has to choose. `people` is empty if the container’s people can’t be read. */
  | { readonly kind: 'choose'; readonly people: readonly ContainerPerson[] }

/** Shown if no form can ask. Raw. */
export const whoUnknown =
  'I don’t know who you are in monitoring. Press Assign to me on an alert’s card: it asks you once.'

export async function ownIdOf({ storage }: House, person: SlackUser): Promise<number | undefined> {
  return (await storage.ownIds.find(person))?.userId
}

/** The name is raw, as their own present token has shown it. */
export type ShownLink = NonNullable<Awaited<ReturnType<typeof linkShown>>>

/**
 * Somebody’s link to a user of the service, for them alone; undefined if there is none, or with MONITOR_OPERATIONS=basic.
 * Makes no request to the service.
 */
export async function linkShown(house: House, person: SlackUser) {
  const userId = house.config.hasAllOperations ? await ownIdOf(house, person) : undefined
  return userId === undefined
    ? undefined
    : { userId, name: personShown(house, person, userId)?.name }
}

/**
 * Finds who somebody in Slack is at the service: as known (a number that they only chose counts for themselves alone), else
 * the one among a container’s people who has their Slack address.
 * @param container - Called only if nothing is known.
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
