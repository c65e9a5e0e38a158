// Facts about the one whom an alert has, or was to have, for the verdict on an assignment, or on a closing that another
// owner held back: read with its sender's own token, for them alone.
import { ago } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import { doubtOwnId, ownIdKnown, ownIdOfToken, proveOwnId } from '../../names/own-id.ts'
import { peopleOf, seenBy } from '../../names/people.ts'
import type { SendOutcome } from '../../send/outcome.ts'
import type { AlertWrite } from '../../send/writes.ts'
import type { Person } from '../../slack/ids.ts'
import { inTime } from '../../work/under-way.ts'
import type { AssignFacts } from '../render/assign-words.ts'
import type { ActRoom } from '../room.ts'
import { containerFor } from './candidates.ts'
import { personName } from './modal.ts'

/** What is known of an assignment once it was sent, or held back. */
export interface Assigned {
  /** As the sender's token showed it last. */
  readonly alert: Alert | undefined
  /** Who made it, at the service, where that is known. */
  readonly actorId: number | undefined
}

/** Undefined for what is about no owner. Never rejects for what the service does. */
export async function assignFacts(
  room: ActRoom,
  { workspaceId, userId }: Person,
  token: string,
  write: AlertWrite,
  outcome: SendOutcome,
  { alert, actorId }: Assigned,
): Promise<AssignFacts | undefined> {
  const isHeldBack = outcome.kind === 'not-done' && outcome.code === 'changed'
  if (write.kind === 'comment' || (write.kind === 'close' && !isHeldBack)) return undefined
  const asker = { workspaceId, userId }
  const before = await ownIdKnown(room.names, asker)
  const isTheirs = outcome.kind === 'done' && (outcome.on === 'seen' || outcome.on === 'unsaid')
  const wantedId = write.kind === 'assign' ? write.ownerId : undefined
  const wasForSelf = before !== undefined && before.userId === wantedId
  // If the wanted owner took the alert at the same moment, the service may have recorded only that. It then proves
  // nothing about the sender.
  const isOwnAction = actorId !== wantedId || wasForSelf || holdsWords(alert, actorId)
  const proven = await ownIdOfToken(room.names, asker, await room.account.tokens.since(asker))
  const isNews = isTheirs && actorId !== undefined && isOwnAction && proven !== actorId
  const proved = isNews ? await proveOwnId(room.names, asker, actorId) : undefined
  const isRefused = outcome.kind === 'not-done' && outcome.code === 'not-found'
  const own = isNews ? await ownIdKnown(room.names, asker) : before
  const isDoubted = isRefused && wasForSelf && (await doubtOwnId(room.names, asker))
  const isUnproven = wasForSelf && own?.isProven === false && isTaken(outcome)
  const about = isHeldBack ? alert?.ownerId : wantedId
  const isOwn = about != null && about === own?.userId
  // A token without READ shows no name, and who has proven who they are needs none.
  const isNamed = !isOwn || isDoubted || (isUnproven && outcome.kind === 'done')
  const owner = about == null || !isNamed ? undefined : await ownerOf(room, asker, token, write, about)
  return {
    isForSelf: own !== undefined && own.userId === wantedId,
    isOwn,
    name: owner && personName(owner),
    isMuted: !isOwn && (owner?.mute ?? false),
    taking:
      isHeldBack && alert !== undefined ? takingIn(alert, Math.floor(room.alert.now() / 1000)) : undefined,
    identity: isDoubted
      ? 'asked-again'
      : ((proved && identityBy(proved, wasForSelf)) ?? (isUnproven ? 'unproven' : undefined)),
  }
}

/** They have the alert, as far as can be told. */
function isTaken(outcome: SendOutcome): boolean {
  return outcome.kind === 'done'
    ? outcome.on !== 'by-another'
    : outcome.kind === 'uncertain' && outcome.doubt === 'not-readable'
}

function identityBy(proved: 'linked' | 'corrected' | 'taken', wasForSelf: boolean): AssignFacts['identity'] {
  switch (proved) {
    case 'linked':
      return undefined
    case 'corrected':
      return wasForSelf ? 'mistaken' : 'corrected'
    case 'taken':
      return 'taken'
    default:
      return proved satisfies never
  }
}

/** Whoever took it said something by that, which an actor is known by. */
function holdsWords(alert: Alert | undefined, actorId: number | undefined): boolean {
  const last = alert?.actions.findLast(
    ({ kind, data }) => kind === 'Assign' && data?.userId === actorId && data?.ownerId === actorId,
  )
  return typeof last?.data?.message === 'string' && last.data.message.trim() !== ''
}

/** A verdict does not wait longer for a name. */
const nameMs = 2_000

async function ownerOf(
  room: ActRoom,
  asker: { readonly workspaceId: string; readonly userId: string },
  token: string,
  write: AlertWrite,
  id: number,
) {
  const reading = async () => {
    const found = await containerFor(room, asker, token, write)
    // Somebody has the same name wherever this token has shown it.
    const seen = found === undefined ? await seenBy(room.names, asker) : undefined
    const [elsewhere] = [...(seen?.containers ?? [])].find(([, { people }]) => people.has(id)) ?? []
    const containerId = found ?? elsewhere
    if (containerId === undefined) return undefined
    const listed = await peopleOf(room.names, asker, token, containerId)
    return listed.kind === 'listed' ? listed.people.find((one) => one.id === id) : undefined
  }
  try {
    return await inTime(reading(), nameMs)
  } catch (error) {
    room.alert.log.debug({ err: error }, 'nobody could tell the name of an owner')
    return undefined
  }
}

/** How its owner came to have it, and how long ago: by the last action that gave it to them. */
function takingIn({ ownerId, actions }: Alert, asOf: number): AssignFacts['taking'] {
  const last = actions.findLast(({ kind, data }) => kind === 'Assign' && data?.ownerId === ownerId)
  if (last === undefined) return undefined
  return { isByOwner: last.data?.userId === ownerId, ago: ago(last.timestamp, asOf) }
}
