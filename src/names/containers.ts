// Containers of alerts, and their names: as one person's token showed them.
import type { SlackUser } from '../slack/ids.ts'
import type { NamesRoom } from './room.ts'

/** The part of an alert's web link that names its container; digits. */
export interface FromLink {
  readonly container?: string | undefined
}

/** The alert's container; undefined where it can't be told. Never throws for the service. */
export async function containerOfAlert(
  _room: NamesRoom,
  _owner: SlackUser,
  _token: string,
  _ks: string,
  link: FromLink | undefined,
): Promise<number | undefined> {
  return link?.container === undefined ? undefined : Number(link.container)
}

/** Somebody saw this alert in this container (a list, a link). */
export async function noteContainer(
  _room: NamesRoom,
  _owner: SlackUser,
  _ks: string,
  _containerId: number,
): Promise<void> {}

/** Containers whose names this owner's token has shown. Asks nobody. */
export async function containersOf(
  _room: NamesRoom,
  _owner: SlackUser,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  return []
}

/** A container's name as this owner's token has shown it. Asks nobody. */
export async function containerName(
  _room: NamesRoom,
  _owner: SlackUser,
  _containerId: number,
): Promise<string | undefined> {
  return undefined
}

/** A container's name, read if it isn't known: once in ten minutes. Never throws for the service. */
export async function learnContainerName(
  { monitor }: NamesRoom,
  _owner: SlackUser,
  token: string,
  containerId: number,
): Promise<string | undefined> {
  const found = await monitor.containerOf(token, containerId).catch(() => undefined)
  return found?.kind === 'found' ? found.name : undefined
}
