// Containers of alerts as one person's token shows them: which one it is, looked for among those they used last,
// and what it is called.
import { MonitorError } from '../errors.ts'
import { isSameKey } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { type SeenByToken, withLast } from './memory.ts'
import { containerNamed } from './names.ts'
import { againMs, isWithin, lacksName, learn, nameIn, rememberKept, seenBy, seenIn } from './people.ts'
import type { NamesRoom } from './room.ts'

/** The part of an alert's web link that names its container; digits. */
export interface FromLink {
  readonly container?: string | undefined
}

/** Lists of open alerts may be long, so that an alert is looked for in no more. */
const mostSearched = 5
/** So many can be found by what somebody types. */
const mostNamed = 100

/**
 * The alert's container, where somebody's token has shown it. Asks nobody.
 * @param ks - As the service writes it.
 */
export async function containerKnown(
  room: NamesRoom,
  owner: SlackUser,
  ks: string,
  link: FromLink | undefined,
): Promise<number | undefined> {
  if (link?.container !== undefined) return Number(link.container)
  const seen = room.memory.of(owner) ?? (await seenBy(room, owner))
  if (seen === undefined) return undefined
  const known = seen.alerts.get(ks)
  if (known !== undefined) return known.containerId
  const { unplaced, used, mark } = seen
  const now = room.now()
  if (isWithin(againMs, unplaced.get(ks) ?? 0, now) || isNowhere(used, now)) return undefined
  // With the names of that container, which is what comes next.
  const kept = await room.containerNames.ofAlert(owner, ks)
  if (kept === undefined) {
    room.memory.change(owner, mark, (all) => ({ unplaced: withLast(all.unplaced, ks, now) }))
    return undefined
  }
  const { containerId } = kept
  room.memory.change(owner, mark, ({ alerts }) => ({
    alerts: withLast(alerts, ks, { containerId, isKept: true }),
  }))
  if (!seen.containers.has(containerId)) rememberKept(room, owner, mark, kept)
  return containerId
}

/**
 * Whether the container of an alert could be found, as far as is known: not that of an alert without a link, for somebody
 * who has used no container, as of the last ten minutes. Asks nobody.
 */
export function isFindable(
  { memory, now }: NamesRoom,
  owner: SlackUser,
  ks: string,
  link: FromLink | undefined,
): boolean {
  const seen = memory.of(owner)
  if (link?.container !== undefined || seen === undefined || seen.alerts.has(ks)) return true
  return seen.holder?.kind === 'container' || !isNowhere(seen.used, now())
}

/** Whoever has used no container has seen no alert in one. */
function isNowhere(used: SeenByToken['used'], now: number): boolean {
  return used?.containers.length === 0 && isWithin(againMs, used.at, now)
}

/**
 * The alert's container: by a link, by what this person's token has shown, else by the open alerts of the few containers
 * that they used last, where finding it is proof. Not looked for again in the same ones within ten minutes. Never throws
 * for the service.
 * @param how.isBeside - Nobody waits for it: a list that was read in the last ten minutes is not read for it.
 */
export async function containerOfAlert(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  ks: string,
  link: FromLink | undefined,
  { isBeside = false }: { readonly isBeside?: boolean } = {},
): Promise<number | undefined> {
  room.memory.used(owner, token)
  const known = await containerKnown(room, owner, ks, link)
  const found = known ?? (await search(room, owner, token, ks, isBeside))
  if (found !== undefined) await noteContainer(room, owner, ks, found)
  return found
}

async function search(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  ks: string,
  isBeside: boolean,
): Promise<number | undefined> {
  const { memory, now } = room
  const { mark, searches, listed } = memory.used(owner, token)
  const isToRead = (id: number) => !isBeside || !isWithin(againMs, listed.get(id) ?? 0, now())
  const containers = (await lastUsed(room, owner)).filter(isToRead)
  const name = JSON.stringify([ks, containers])
  if (isWithin(againMs, searches.get(name) ?? 0, now())) return undefined
  for (const containerId of containers) {
    const open = await openKeys(room, token, containerId)
    if (open === 'no-answer') return undefined
    memory.change(owner, mark, (seen) => ({
      alerts: new Map([...seen.alerts, ...open.map((one) => [one, { containerId, isKept: false }] as const)]),
      listed: withLast(seen.listed, containerId, now()),
    }))
    if (open.some((one) => isSameKey(one, ks))) return containerId
  }
  memory.change(owner, mark, (seen) => ({ searches: withLast(seen.searches, name, now()) }))
  return undefined
}

/** Of a container that this token doesn't show: none. `no-answer`: others wouldn't answer either. */
async function openKeys(
  { monitor }: NamesRoom,
  token: string,
  containerId: number,
): Promise<readonly string[] | 'no-answer'> {
  try {
    const open = await monitor.openAlertsIn(token, containerId)
    if (open.kind === 'off') return 'no-answer'
    return open.kind === 'listed' ? open.alerts.map(({ ks }) => ks) : []
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return error.code === 'forbidden' || error.code === 'malformed' ? [] : 'no-answer'
  }
}

/** Containers that somebody used last, those of alerts first, as of the last ten minutes. Asks nobody. */
export async function lastUsed(room: NamesRoom, owner: SlackUser): Promise<readonly number[]> {
  const { memory, now } = room
  const seen = memory.of(owner)
  // Its token shows no other.
  if (seen?.holder?.kind === 'container') return [seen.holder.id]
  if (seen?.used !== undefined && isWithin(againMs, seen.used.at, now())) return seen.used.containers
  const at = now()
  const containers = await readLastUsed(room, owner)
  if (seen !== undefined) memory.change(owner, seen.mark, () => ({ used: { containers, at } }))
  return containers
}

async function readLastUsed(
  { containerNames, otherContainers }: NamesRoom,
  owner: SlackUser,
): Promise<readonly number[]> {
  const used = await Promise.all([
    containerNames.lastOfAlerts(owner, mostSearched),
    otherContainers(owner, mostSearched),
    containerNames.named(owner, mostSearched).then((rows) => rows.map(({ containerId }) => containerId)),
  ])
  return [...new Set(used.flat())].slice(0, mostSearched)
}

/** Somebody saw this alert in this container: in a list, by a link. @param ks - As the service writes it. */
export async function noteContainer(
  { memory, containerNames }: NamesRoom,
  owner: SlackUser,
  ks: string,
  containerId: number,
): Promise<void> {
  const seen = memory.of(owner)
  const known = seen?.alerts.get(ks)
  if (known?.isKept && known.containerId === containerId) return
  await containerNames.noteAlert(owner, ks, containerId)
  if (seen === undefined) return
  memory.change(owner, seen.mark, ({ alerts }) => ({
    alerts: withLast(alerts, ks, { containerId, isKept: true }),
    used: undefined,
  }))
}

/** Containers whose names this owner's token has shown, the last first. Asks nobody. */
export async function containersOf(
  room: NamesRoom,
  owner: SlackUser,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  if (room.basic) return []
  const seen = await seenBy(room, owner)
  if (seen === undefined) return []
  const kept = await room.containerNames.named(owner, mostNamed)
  return kept.flatMap((one) => {
    const name = nameIn(room, owner, seen.mark, one)
    return name === undefined || name.trim() === '' ? [] : [{ id: one.containerId, name }]
  })
}

/** Containers that somebody has used or seen, the likeliest first, with the names that are known. Asks nobody. */
export async function containersToSuggest(
  room: NamesRoom,
  owner: SlackUser,
  most: number,
): Promise<readonly { readonly id: number; readonly name: string | undefined }[]> {
  const [used, named] = await Promise.all([room.otherContainers(owner, most), containersOf(room, owner)])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  const ids = [...new Set([...used, ...names.keys()])].slice(0, most)
  return ids.map((id) => ({ id, name: names.get(id) }))
}

/** A container's name as this owner's token has shown it. Asks nobody. */
export async function containerName(
  room: NamesRoom,
  owner: SlackUser,
  containerId: number,
): Promise<string | undefined> {
  if (room.basic) return undefined
  const seen = await seenBy(room, owner)
  const { name } = (seen && (await seenIn(room, owner, seen, containerId))) ?? {}
  return name === undefined || name.trim() === '' ? undefined : name
}

/** “Customer 1 (12)”, where this owner's token has shown the name; undefined elsewhere. Asks nobody. Raw. */
export async function containerInWords(
  room: NamesRoom,
  owner: SlackUser,
  containerId: number,
): Promise<string | undefined> {
  return containerNamed({ id: containerId, name: await containerName(room, owner, containerId) })
}

/** A container's name, read where it isn't known: once in ten minutes. Never throws for the service. */
export async function learnContainerName(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<string | undefined> {
  if (room.basic) return undefined
  const seen = await seenIn(room, owner, room.memory.used(owner, token), containerId)
  if (lacksName(seen, room.now())) await learn(room, owner, token, containerId, 'name')
  return containerName(room, owner, containerId)
}
