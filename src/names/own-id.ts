// Links between people in Slack and who they are at the service.
import type { ContainerPerson } from '../monitor/client.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { OwnId } from './kept.ts'
import { peopleOf } from './people.ts'
import type { NamesRoom } from './room.ts'

export type WhoAmI =
  | {
      readonly kind: 'known'
      readonly userId: number
      readonly name: string | undefined
      readonly isProven: boolean
    }
  /** Nobody can tell: they choose. */
  | { readonly kind: 'choose'; readonly people: readonly ContainerPerson[] }
  /** Their token is a container's, with no person behind it. */
  | { readonly kind: 'container-token' }
  /** The container's people can't be read. */
  | { readonly kind: 'unknown' }

/** Who this Slack person is at the service. Asks nobody. */
export async function ownIdKnown(_room: NamesRoom, _person: SlackUser): Promise<OwnId | undefined> {
  return undefined
}

/** The same, found among a container's people. @throws MonitorError `refused` alone. */
export async function whoAmI(
  room: NamesRoom,
  person: SlackUser,
  token: string,
  containerId: number,
): Promise<WhoAmI> {
  const people = await peopleOf(room, person, token, containerId)
  return people.kind === 'listed' ? { kind: 'choose', people: people.people } : { kind: 'unknown' }
}

/** Chosen from names. `taken`: another Slack person in this workspace has it, so an admin must be asked. */
export async function chooseOwnId(
  _room: NamesRoom,
  _person: SlackUser,
  _userId: number,
): Promise<'linked' | 'taken'> {
  return 'linked'
}

/** Their own Assign showed this number as who did it. `corrected`: it takes the place of another. */
export async function proveOwnId(
  _room: NamesRoom,
  _person: SlackUser,
  _userId: number,
): Promise<'linked' | 'corrected' | 'taken'> {
  return 'linked'
}

/** The Slack person behind a service user, only where the link is proven. */
export async function slackPersonOf(
  _room: NamesRoom,
  _workspaceId: string,
  _userId: number,
): Promise<SlackUser | undefined> {
  return undefined
}
