// Acts that somebody was told of, looked up by whoever goes on from there: theirs alone.
import { UserError } from '../errors.ts'
import type { SendOutcome } from '../send/outcome.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { tooOldWords } from './render/ways-on.ts'
import type { ActRoom } from './room.ts'

/** What somebody wanted, and what became of it. */
interface ToldAct {
  readonly write: AlertWrite
  readonly outcome: SendOutcome
}

/** Somebody’s own, once it has its end. @param id - Of the wish; anybody could send another. */
export async function findToldAct(
  { send }: Pick<ActRoom, 'send'>,
  { workspaceId, userId }: SlackUser,
  id: string,
): Promise<ToldAct | undefined> {
  const kept = await send.wishes.find(workspaceId, id)
  const [only] = kept?.sends ?? []
  if (kept?.sender.userId !== userId || only === undefined || only.write.kind === 'add-user') return undefined
  const { write, outcome } = only
  return outcome === undefined ? undefined : { write: asAlertWrite(write), outcome }
}

/** @throws UserError where it is forgotten. */
export async function toldOrGone(room: ActRoom, { asker }: From, id: string): Promise<ToldAct> {
  const told = await findToldAct(room, asker, id)
  if (told === undefined) throw new UserError(tooOldWords.verdict)
  return told
}
