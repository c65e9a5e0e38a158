// Claims on what may happen once, however often Slack delivers it and whichever process gets it.
import type { House } from '../../house.ts'
import type { SlackUser } from '../ids.ts'
import type { Posted } from '../outbound/message.ts'

type Written = Pick<Posted, 'channelId' | 'ts'> & Pick<SlackUser, 'workspaceId'>

const saidMs = 10 * 60_000
const claimOf = ({ workspaceId, channelId, ts }: Written) =>
  [workspaceId, `to bot ${channelId} ${ts}`] as const

/** Notes that a message was written to the bot, which answers it. Never rejects: it is a favour to previews. */
export async function noteSaid({ storage: { once } }: House, written: Written): Promise<void> {
  await once.claim(...claimOf(written), saidMs).catch(() => undefined)
}

/** Whether a message was written to the bot. Slack tells of its links and of its mention at about the same time. */
export async function wasSaid({ storage: { once } }: House, written: Written): Promise<boolean> {
  if (!(await once.claim(...claimOf(written), saidMs))) return true
  await once.release(...claimOf(written))
  return false
}

/** Thrown where a listener must not go on: the same request came once more. Told to nobody. */
export class Replayed extends Error {
  override readonly name = 'Replayed'
}

/** Ten minutes after it was signed, nobody is taken for Slack with it any more. */
export const replayMs = 60 * 60_000

/**
 * Claims a request. Slack sends what people do once; whoever sends it again has caught its bytes, or a proxy did.
 * @param id - Slack gives each press, command and submission a trigger of its own.
 * @throws Replayed when it was claimed before, in whichever process.
 */
export async function refuseIfReplayed({ storage }: House, workspaceId: string, id: string): Promise<void> {
  if (!(await storage.once.claim(workspaceId, `request ${id}`, replayMs))) throw new Replayed()
}
