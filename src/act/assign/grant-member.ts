// *Grant access* on the verdict that somebody is no member of the alert's container: what the form begins with.
import { MonitorError } from '../../errors.ts'
import { peopleOf } from '../../names/people.ts'
import type { From } from '../../slack/guard/requests.ts'
import { inTime } from '../../work/in-time.ts'
import { toldOrGone } from '../record.ts'
import type { ActRoom } from '../room.ts'
import { containerFor } from './candidates.ts'

/** Who is to become a member of what, as far as the presser's own token shows it. */
export interface MemberToGrant {
  readonly containerId: number | undefined
  readonly email: string | undefined
}

/** A form has to open within three seconds. */
const soonMs = 1_200

/** @param id - Of the wish. @throws UserError where it is forgotten. */
export async function memberToGrant(room: ActRoom, from: From, id: string): Promise<MemberToGrant> {
  const { workspaceId, userId } = from.asker
  const asker = { workspaceId, userId }
  const { write } = await toldOrGone(room, from, id)
  const nothing: MemberToGrant = { containerId: undefined, email: undefined }
  const token = await room.account.tokens.find(asker)
  if (write.kind !== 'assign' || token === undefined) return nothing
  const containerId = await inTime(containerFor(room, asker, token, write), soonMs)
  if (containerId === undefined) return nothing
  try {
    const people = await inTime(peopleOf(room.names, asker, token, containerId), soonMs)
    const who = people?.kind === 'listed' ? people.people.find((one) => one.id === write.ownerId) : undefined
    return { containerId, email: who?.email }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return { containerId, email: undefined }
  }
}
