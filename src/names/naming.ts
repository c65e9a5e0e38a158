// Names for an alert: what its reader's token has shown before, and what is missing, learned once the alert is shown.
import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { containerKnown, containerOfAlert, type FromLink, isFindable, lastUsed } from './containers.ts'
import { nothingSeen, type SeenByToken, type SeenContainer } from './memory.ts'
import { areSameNames, type Names, noNames, peopleMentioned } from './names.ts'
import { lacksName, lacksPerson, learn, seenBy, seenIn } from './people.ts'
import type { NamesRoom } from './room.ts'

/**
 * Names for an alert from what this owner's token has shown before; asks nobody, and the database at most once. Of
 * people, those that the alert mentions.
 */
export async function namesKnown(
  room: NamesRoom,
  owner: SlackUser,
  alert: Alert,
  link: FromLink | undefined,
): Promise<Names> {
  if (room.basic) return noNames
  const id = await containerKnown(room, owner, alert.ks, link)
  const seen = room.memory.of(owner) ?? (await seenBy(room, owner))
  if (seen === undefined) return noNames
  const container = id === undefined ? nothingSeen : await seenIn(room, owner, seen, id)
  const others = room.memory.of(owner)?.containers ?? seen.containers
  const named = peopleMentioned(alert).flatMap((userId) => {
    const name = container.people.get(userId) ?? nameElsewhere(others, userId)
    return name === undefined ? [] : [[String(userId), name] as const]
  })
  const isThere = id !== undefined && !container.isNowhere
  const name = container.name?.trim() !== '' ? container.name : undefined
  return { people: Object.fromEntries(named), container: isThere ? { id, name } : undefined }
}

/** Somebody's name, as this owner's present token has shown it of the containers that they used last. Asks nobody. Raw. */
export async function nameShown(
  room: NamesRoom,
  owner: SlackUser,
  userId: number,
): Promise<string | undefined> {
  if (room.basic) return undefined
  const seen = await seenBy(room, owner)
  if (seen === undefined) return undefined
  const name = nameElsewhere(seen.containers, userId)
  if (name !== undefined) return name
  for (const containerId of await lastUsed(room, owner)) await seenIn(room, owner, seen, containerId)
  return nameElsewhere(room.memory.of(owner)?.containers ?? seen.containers, userId)
}

/** A user of the service has the same number and name in every container. */
function nameElsewhere(containers: ReadonlyMap<number, SeenContainer>, userId: number): string | undefined {
  return [...containers.values()].findLast(({ people }) => people.has(userId))?.people.get(userId)
}

/**
 * False where `learnNames` would come to what `namesKnown` has, and ask nobody: then it need not be begun. Measured: 50
 * promises, 2 timers and 1 frame of AsyncLocalStorage for each card.
 */
export function mayLearn(
  room: NamesRoom,
  owner: SlackUser,
  { ks }: Alert,
  link: FromLink | undefined,
): boolean {
  if (room.basic) return false
  return isFindable(room, owner, ks, link)
}

/**
 * Reads what is missing of an alert's names with the owner's token: its people and its container's name at most once in
 * ten minutes each, and, where its container isn't known, the open alerts of a few. Never throws for the service.
 * @returns The names as known then; `isNews` says whether they were others when this began.
 */
export async function learnNames(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  alert: Alert,
  link: FromLink | undefined,
): Promise<{ readonly names: Names; readonly isNews: boolean }> {
  if (room.basic) {
    return { names: noNames, isNews: false }
  }
  const seen = room.memory.used(owner, token)
  const before = await namesKnown(room, owner, alert, link)
  // Only open alerts are in a list.
  const isToFind = before.container !== undefined || alert.closedTimestamp === null
  const beside = { isBeside: true }
  const id = isToFind ? await containerOfAlert(room, owner, token, alert.ks, link, beside) : undefined
  if (id === undefined) await recallPeople(room, owner, seen, alert)
  else await learnOf(room, owner, token, id, alert)
  const names = await namesKnown(room, owner, alert, link)
  return { names, isNews: !areSameNames(before, names) }
}

async function learnOf(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
  alert: Alert,
): Promise<void> {
  const { memory, now } = room
  const container = await seenIn(room, owner, memory.used(owner, token), containerId)
  const lacksPeople = peopleMentioned(alert).some((userId) => lacksPerson(container, userId, now()))
  await Promise.all([
    lacksPeople && learn(room, owner, token, containerId, 'people'),
    lacksName(container, now()) && learn(room, owner, token, containerId, 'name'),
  ])
}

/** Where nobody knows the alert's container, its people may be known of others. Asks nobody. */
async function recallPeople(
  room: NamesRoom,
  owner: SlackUser,
  seen: SeenByToken,
  alert: Alert,
): Promise<void> {
  if (peopleMentioned(alert).length === 0) return
  for (const containerId of await lastUsed(room, owner)) await seenIn(room, owner, seen, containerId)
}
