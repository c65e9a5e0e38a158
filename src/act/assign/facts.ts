// Facts about the one whom an alert has, or was to have, for the verdict on an assignment, or on a closing that another
// owner held back: read with its sender's own token, for them alone.
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

/** A verdict does not wait longer for a name. */
const nameMs = 2_000

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
  const naming = about == null || isOwn ? undefined : ownerNamed(house, asker, token, write, about)
  const name = naming && (await inTime(naming, nameMs))
  return { isForSelf: own !== undefined && own === wantedId, isOwn, name }
}

async function ownerNamed(
  house: House,
  asker: SlackUser,
  token: string | undefined,
  { ks, cardId }: AlertWrite,
  id: number,
): Promise<string | undefined> {
  const shown = () => personShown(house, asker, id)
  try {
    if (shown() === undefined && token !== undefined) {
      const containerId = await containerFor(house, asker, token, ks, cardId)
      if (containerId !== undefined) await peopleOf(house, asker, token, containerId)
    }
  } catch (error) {
    house.log.debug({ err: error }, 'nobody could tell the name of an owner')
  }
  const owner = shown()
  return owner && personName(owner)
}
