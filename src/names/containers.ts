// Containers of alerts as one person's token shows them: which one it is, looked for among those they used last, and what
// it is called.
import { MonitorError } from '../errors.ts'
import { isSameKey } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { containerNamed } from './names.ts'
import { againMs, isWithin, lacksName, learn } from './people.ts'
import type { NamesRoom } from './room.ts'

/** The container of an alert, as its web link names it, or its card; digits. */
export interface FromLink {
  readonly container?: string | undefined
}

/** Lists of open alerts may be long, so that an alert is looked for in no more. */
const mostSearched = 5

/**
 * The alert's container, where its link tells or somebody's token has shown it. Asks nobody.
 * @param ks - As the service writes it.
 */
export function containerKnown(
  { memory }: NamesRoom,
  owner: SlackUser,
  ks: string,
  link: FromLink | undefined,
): number | undefined {
  return link?.container === undefined ? memory.of(owner)?.alerts.get(ks) : Number(link.container)
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
  const seen = room.memory.used(owner, token)
  const known = containerKnown(room, owner, ks, link)
  const found = known ?? (await search(room, owner, token, ks, isBeside))
  if (found !== undefined) seen.alerts.set(ks, found)
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
  const seen = memory.used(owner, token)
  const containers = (await lastUsed(room, owner)).filter(
    (id) => !isBeside || !isWithin(againMs, seen.in(id).listedAt, now()),
  )
  const name = JSON.stringify([ks, containers])
  if (isWithin(againMs, seen.searches.get(name) ?? 0, now())) return undefined
  for (const containerId of containers) {
    const open = await openKeys(room, token, containerId)
    if (open === 'no-answer') return undefined
    for (const one of open) seen.alerts.set(one, containerId)
    seen.note(containerId, { listedAt: now() })
    if (open.some((one) => isSameKey(one, ks))) return containerId
  }
  seen.searches.set(name, now())
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

/** Containers that somebody used last, those of alerts first. Asks nobody. */
export async function lastUsed(
  { memory, otherContainers }: NamesRoom,
  owner: SlackUser,
): Promise<readonly number[]> {
  const ofAlerts = memory.of(owner)?.alerts.values() ?? []
  return [...new Set([...ofAlerts, ...(await otherContainers(owner, mostSearched))])].slice(0, mostSearched)
}

/** Containers that somebody has used or seen, the likeliest first, with the names that are known. Asks nobody. */
export async function containersToSuggest(
  room: NamesRoom,
  owner: SlackUser,
  most: number,
): Promise<readonly { readonly id: number; readonly name: string | undefined }[]> {
  const named = (room.memory.of(owner)?.containers() ?? []).filter(([, { name }]) => name?.trim())
  const used = await room.otherContainers(owner, most)
  const ids = [...new Set([...used, ...named.map(([id]) => id)])].slice(0, most)
  return ids.map((id) => ({ id, name: containerName(room, owner, id) }))
}

/** A container's name as this owner's token has shown it. Asks nobody. */
export function containerName(
  { basic, memory }: NamesRoom,
  owner: SlackUser,
  containerId: number,
): string | undefined {
  const name = basic ? undefined : memory.of(owner)?.in(containerId).name
  return name?.trim() === '' ? undefined : name
}

/** “Customer 1 (12)”, where this owner's token has shown the name; undefined elsewhere. Asks nobody. Raw. */
export function containerInWords(room: NamesRoom, owner: SlackUser, containerId: number): string | undefined {
  return containerNamed({ id: containerId, name: containerName(room, owner, containerId) })
}

/** A container's name, read where it isn't known: once in ten minutes. Never throws for the service. */
export async function learnContainerName(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<string | undefined> {
  if (room.basic) return undefined
  const seen = room.memory.used(owner, token).in(containerId)
  if (lacksName(seen, room.now())) await learn(room, owner, token, containerId, 'name')
  return containerName(room, owner, containerId)
}
