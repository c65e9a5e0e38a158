// Facts about the one whom an alert has, or was to have, for the verdict on an assignment, or on a closing that another
// owner held back: read with its sender's own token, for them alone.
import { ago } from '../../alert/render/state.ts'
import type { House } from '../../house.ts'
import type { Alert } from '../../monitor/schema.ts'
import { personShown } from '../../names/naming.ts'
import { ownIdOf } from '../../names/own-id.ts'
import { peopleOf } from '../../names/people.ts'
import type { SendOutcome } from '../../send/outcome.ts'
import type { AlertWrite } from '../../send/writes.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { inTime } from '../../work/under-way.ts'
import type { AssignFacts } from '../render/assign-words.ts'
import { containerFor } from './candidates.ts'
import { personName } from './modal.ts'

/**
 * Undefined for what is about no owner. Never rejects for what the service does.
 * @param token - Undefined where nobody waits: what is known will do.
 * @param alert - As the sender's token showed it last.
 */
export async function assignFacts(
  house: House,
  { workspaceId, userId }: SlackUser,
  token: string | undefined,
  write: AlertWrite,
  outcome: SendOutcome,
  alert: Alert | undefined,
): Promise<AssignFacts | undefined> {
  const isHeldBack = outcome.kind === 'not-done' && outcome.code === 'changed'
  if (write.kind === 'comment' || (write.kind === 'close' && !isHeldBack)) return undefined
  const asker = { workspaceId, userId }
  const own = await ownIdOf(house, asker)
  const wantedId = write.kind === 'assign' ? write.ownerId : undefined
  const about = isHeldBack ? alert?.ownerId : wantedId
  const isOwn = about != null && about === own
  const owner = about == null || isOwn ? undefined : await ownerOf(house, asker, token, write, about)
  return {
    isForSelf: own !== undefined && own === wantedId,
    isOwn,
    name: owner && personName(owner),
    isMuted: owner?.mute ?? false,
    taking: isHeldBack && alert !== undefined ? takingIn(alert, Math.floor(house.now() / 1000)) : undefined,
  }
}

/** A verdict does not wait longer for a name. */
const nameMs = 2_000

async function ownerOf(
  house: House,
  asker: SlackUser,
  token: string | undefined,
  write: AlertWrite,
  id: number,
) {
  const reading = async () => {
    const seen = personShown(house, asker, id)
    if (seen !== undefined || token === undefined) return seen
    const containerId = await containerFor(house, asker, token, write)
    if (containerId !== undefined) await peopleOf(house, asker, token, containerId)
    return personShown(house, asker, id)
  }
  try {
    return await inTime(reading(), nameMs)
  } catch (error) {
    house.log.debug({ err: error }, 'nobody could tell the name of an owner')
    return undefined
  }
}

/** How its owner came to have it, and how long ago: by the last action that gave it to them. */
function takingIn({ ownerId, actions }: Alert, asOf: number): AssignFacts['taking'] {
  const last = actions.findLast(({ kind, data }) => kind === 'Assign' && data?.ownerId === ownerId)
  if (last === undefined) return undefined
  return { isByOwner: last.data?.userId === ownerId, ago: ago(last.timestamp, asOf) }
}
