// Names for an alert: what its reader's token has shown before, and what is missing, learned once the alert is shown.
import type { House } from '../house.ts'
import type { Alert, ContainerPerson } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import {
  containerKnown,
  containerName,
  containerOfAlert,
  learnContainerName,
  type SaidContainer,
} from './containers.ts'
import { type Names, noNames, peopleMentioned } from './names.ts'
import { learn } from './people.ts'

/** Names for an alert from what this owner's token has shown before; of people, those that the alert mentions. Asks nobody. */
export function namesKnown(
  house: House,
  owner: SlackUser,
  alert: Alert,
  said: SaidContainer | undefined,
): Names {
  const seen = house.names.of(owner)
  if (!house.config.canAct || seen === undefined) return noNames
  const id = containerKnown(house, owner, alert.ks, said)
  const named = peopleMentioned(alert).flatMap((userId) => {
    const name = personShown(house, owner, userId)?.name.trim()
    return name ? [[String(userId), name] as const] : []
  })
  return {
    people: Object.fromEntries(named),
    container: id === undefined ? undefined : { id, name: containerName(house, owner, id) },
  }
}

/**
 * Somebody of the service, as this owner's present token has shown them: with the same number and name in every container.
 * Asks nobody.
 */
export function personShown(house: House, owner: SlackUser, userId: number): ContainerPerson | undefined {
  const seen = house.config.canAct ? (house.names.of(owner)?.containers() ?? []) : []
  const found = seen.flatMap(([, { people }]) => people.find(({ id }) => id === userId) ?? [])
  return found.find(({ name }) => name.trim() !== '') ?? found[0]
}

/**
 * Reads what is missing of an alert's names with the owner's token: its people and its container's name at most once in
 * ten minutes each, and, where its container isn't known, the open alerts of a few. Never throws for the service.
 * @returns The names as known then.
 */
export async function learnNames(
  house: House,
  owner: SlackUser,
  token: string,
  alert: Alert,
  said: SaidContainer | undefined,
): Promise<Names> {
  if (!house.config.canAct) return noNames
  const { ks, closedTimestamp } = alert
  // Only open alerts are in a list.
  const isToFind = closedTimestamp === null || containerKnown(house, owner, ks, said) !== undefined
  const beside = { isBeside: true }
  const id = isToFind ? await containerOfAlert(house, owner, token, ks, said, beside) : undefined
  if (id !== undefined) {
    const { people } = house.names.used(owner, token).in(id)
    const lacksPeople = peopleMentioned(alert).some((userId) => !people.some((one) => one.id === userId))
    await Promise.all([
      lacksPeople && learn(house, owner, token, id, 'people'),
      learnContainerName(house, owner, token, id),
    ])
  }
  return namesKnown(house, owner, alert, said)
}
