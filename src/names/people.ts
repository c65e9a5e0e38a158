// People of a container, as one person's token sees them.
import type { ContainerPeople } from '../monitor/containers.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { NamesRoom } from './room.ts'

/** People of a container, for a form. @throws MonitorError as `Monitor.usersOf`. */
export async function peopleOf(
  { monitor }: NamesRoom,
  _owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  return monitor.usersOf(token, containerId)
}
