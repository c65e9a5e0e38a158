// Containers in words, for features that name one beside its number, and know no more of names.
import type { SlackUser } from '../slack/ids.ts'
import { containerName } from './containers.ts'
import type { NamesRoom } from './room.ts'
import { containerNamed } from './words.ts'

/** “Customer 1 (12)”, where this owner's token has shown the name; undefined elsewhere. Asks nobody. Raw. */
export async function containerInWords(
  room: NamesRoom,
  owner: SlackUser,
  containerId: number,
): Promise<string | undefined> {
  return containerNamed({ id: containerId, name: await containerName(room, owner, containerId) })
}
