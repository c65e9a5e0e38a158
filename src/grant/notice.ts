// Notice to somebody who got access: a direct message, once for each send that was granted, and never for oneself. Its
// reader learns who gave it and on which container: no flags, no reason. It is found by their address alone, when one
// full member of the workspace has it.
import type { Log } from '../log/log.ts'
import type { KeptWish, Send, SendKey } from '../send/wishes.ts'
import { asAddUser } from '../send/writes.ts'
import type { PerWorkspace } from '../slack/ids.ts'
import { type Message, sayMarked } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'
import { nameInLine, type People } from '../slack/workspace/people.ts'
import type { Scopes } from '../slack/workspace/scopes.ts'

/** The store of notices. */
export interface GrantNotices {
  /**
   * Keeps that its person is about to be told. True for the one caller that says so first; false for what was not
   * granted.
   */
  take(send: SendKey): Promise<boolean>
}

/** What a notice needs of the rest of the house. */
export interface NoticeRoom {
  readonly notices: GrantNotices
  readonly people: PerWorkspace<Pick<People, 'memberWith' | 'nameOf'>>
  /** People are not found by their addresses where the bot's token may not. */
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  /** Does it as work of its own: a stop waits for it, and nobody else does. */
  readonly beside: (work: () => Promise<void>) => Promise<void>
  readonly log: Pick<Log, 'failedJob'>
}

/**
 * Tells the person of a send that was granted, beside whatever is under way. Never rejects: a notice that fails is lost,
 * as one that is sent again would be the second.
 */
export async function tellRecipient(room: NoticeRoom, wish: KeptWish, send: Send): Promise<void> {
  try {
    await room.beside(() => tell(room, wish, send))
  } catch (error) {
    room.log.failedJob('warn', { err: error }, 'somebody who got access could not be told')
  }
}

async function tell(
  { notices, people, scopes, outbound }: NoticeRoom,
  { id: wishId, sender: { workspaceId, userId: senderId }, askerId }: KeptWish,
  { n, write }: Send,
): Promise<void> {
  const { email, containerId } = asAddUser(write)
  if (!(await scopes.in(workspaceId).isOn('people'))) return
  if (!(await notices.take({ workspaceId, wishId, n }))) return
  const recipientId = await people.in(workspaceId).memberWith(email)
  if (recipientId === undefined || recipientId === senderId || recipientId === askerId) return
  const giver = await people.in(workspaceId).nameOf(senderId)
  await outbound.in(workspaceId).post(recipientId, renderNotice(giver, containerId))
}

/** @param giver - Raw; undefined where Slack does not say. */
export function renderNotice(giver: string | undefined, containerId: number): Message {
  const who = nameInLine(giver ?? '') || 'A colleague'
  const news = `${who} gave you access to container ${containerId} in monitoring.`
  return sayMarked(`${escapeText(news)} To look up its alerts in Slack, type \`/alert help\`.`)
}
