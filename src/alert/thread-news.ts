// News in a card's thread: actions, and how the alert got worse or better, each told once. Whoever tells holds the card's
// turn: the reply is posted, then what it told is kept. A reply that Slack did not confirm is told again.
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { isDirectId } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { type Card, type Change, type Ending, type Reply, standingOf } from './cards.ts'
import { isVisible, renderNews } from './render/history.ts'
import { endingMark, standingTold, toldWith, untold, withStanding } from './told.ts'

/** What a thread is to know. */
export interface ToTell {
  /** Undefined when it could not be read. */
  readonly alert: Alert | undefined
  readonly ending?: Ending | undefined
}

/** Undefined when the thread has it all. */
function newsFor({ told }: Card, { alert, ending }: ToTell): Reply | undefined {
  const change = changeOf(told, alert)
  const actions = untold(alert?.actions ?? [], told)
  const isTold = ending === undefined || told.includes(endingMark(ending))
  if (actions.length === 0 && isTold && !isVisible(change)) return undefined
  return {
    actions,
    older: (alert?.actions.length ?? 0) - actions.length,
    ending: isTold ? undefined : ending,
    change,
  }
}

/**
 * Tells what the thread does not know yet, in one reply.
 * @param card - As it is kept, with the names that its thread may be shown.
 * @throws What Slack said; then it is untold as before.
 */
export async function tellThread(
  house: House,
  card: Card,
  toTell: ToTell,
  post: (message: Message) => Promise<void>,
): Promise<void> {
  const { workspaceId, id, version, told, posted, title, names } = card
  const reply = newsFor(card, toTell)
  if (reply !== undefined) {
    const about = posted?.threadTs === undefined ? undefined : title
    const mention = await toMention(house, card, reply.change)
    await post(renderNews(house.config, id, { ...reply, names, about, mention }))
  }
  const { alert } = toTell
  const kept = reply ? toldWith(told, reply) : alert && withStanding(told, standingOf(alert))
  if (kept === undefined || kept.join() === told.join()) return
  await house.storage.cards.replaceTold(workspaceId, id, version, kept)
}

/** Whoever watches, where the alert got worse, opened again or closed. In their direct message the reply is enough. */
async function toMention(
  { storage }: House,
  { workspaceId, id, posted }: Card,
  change: Change | undefined,
): Promise<readonly string[]> {
  if (change === undefined || (posted !== undefined && isDirectId(posted.channelId))) return []
  const { from, to } = change
  if (typeof from === 'number' && typeof to === 'number' && to > from) return []
  const watchers = await storage.watches.watchersOf(workspaceId, id)
  return watchers.map(({ userId }) => userId)
}

const longestMessage = 200

/** Undefined when the alert stands as its thread was told. */
function changeOf(told: readonly string[], alert: Alert | undefined): Change | undefined {
  const from = standingTold(told)
  if (alert === undefined || from === undefined) return undefined
  const to = standingOf(alert)
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim(), longestMessage)
  return from === to ? undefined : { from, to, severity: alert.lastSeverity, message }
}
