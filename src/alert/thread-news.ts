// Brings what happened into a card's thread: each action once and in order, whoever tells it, whatever crashes; and so how
// the alert got worse or better since it was last told.
//
// Slack has no way to post only once. So a reply is noted in the card before it is sent, and the note is taken away
// when it has arrived. A note that is left behind is a reply in doubt: it is looked for before it is sent again.
import { randomUUID } from 'node:crypto'
import type { Alert } from '../monitor/schema.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Mark } from '../slack/outbound/outbound.ts'
import { NotSent } from '../slack/outbound/pace.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { type Card, type Change, type Ending, type NotedReply, type Reply, standingOf } from './cards.ts'
import { isVisible, renderNews } from './render/history.ts'
import type { AlertRoom } from './room.ts'
import {
  actionMark,
  endingMark,
  marksOf,
  mostInReply,
  standingTold,
  toldWith,
  untold,
  withStanding,
} from './told.ts'

/** Longer than Slack's client waits for an answer, so that a reply in doubt is not still being sent. */
const replyMs = 30_000

/** How a reply gets into the thread. */
export interface Way {
  /** One attempt, at once: what waits longer than a note lasts would be sent twice. @throws NotSent */
  post(message: Message, mark: Mark): Promise<void>
  /** @param since - When it was first tried, in milliseconds since 1970. */
  seek(markId: string, since: number): Promise<'there' | 'missing' | 'unreadable'>
}

export type NewsOutcome =
  /** The thread has everything, or the card is not kept any more. */
  | { readonly kind: 'all' }
  /** Another reply is on its way, noted by somebody else, or the thread was told meanwhile how the alert stands. */
  | { readonly kind: 'later' }
  /** Slack did not say whether it took the reply; the note stays. */
  | { readonly kind: 'doubtful'; readonly message: Message; readonly reply: Reply; readonly error: unknown }

/** What telling a thread needs of the room. */
type NewsRoom = Pick<AlertRoom, 'cards' | 'settings' | 'now'>

/** What a thread is to know. */
export interface ToTell {
  /** Undefined when it could not be read. */
  readonly alert: Alert | undefined
  readonly ending?: Ending | undefined
  /** Nothing of the alert but that it was closed since. */
  readonly isClosingAlone?: boolean
}

/** False when the thread has it all, so that nobody needs to wait for a turn to tell it. */
export function isNews({ now }: NewsRoom, card: Card, toTell: ToTell): boolean {
  return (
    card.reply !== undefined || replyFor(card, toTell, now()) !== undefined || hasMoved(card, toTell.alert)
  )
}

/**
 * Tells what the thread does not know yet, in one reply.
 * @param card - With the names that its thread may be shown.
 * @throws What Slack said, when the reply was certainly not posted: then it is untold as before.
 */
export async function tellThread(room: NewsRoom, card: Card, toTell: ToTell, way: Way): Promise<NewsOutcome> {
  const { alert } = toTell
  for (let current: Card | undefined = card; current !== undefined; ) {
    if (current.reply !== undefined) {
      if (!current.reply.isInDoubt) return { kind: 'later' }
      const resolved = await resolveDoubt(room, current, current.reply, way)
      if (resolved.kind !== 'look-again') return resolved
    } else {
      const reply = replyFor(current, toTell, room.now())
      if (reply !== undefined) {
        const told = toldWith(current.told, alert?.actions ?? [], reply)
        if (await note(room, current, told, reply)) return send(room, current, reply, way)
      } else {
        if (alert === undefined || !hasMoved(current, alert)) return { kind: 'all' }
        // Nobody would see a difference: it is closed, which the thread was told by its action.
        const telling = { told: withStanding(current.told, standingOf(alert)), reply: undefined }
        if (await room.cards.replaceTold(card.workspaceId, card.id, current.version, telling))
          return { kind: 'all' }
      }
    }
    const found = await room.cards.find(card.workspaceId, card.id)
    // The stored card has all its names, and some may not be shown there.
    current = found && { ...found, names: card.names }
    // The thread was told another state since, and nobody knows which of the two is newer.
    if (current && standingTold(current.told) !== standingTold(card.told)) return { kind: 'later' }
  }
  return { kind: 'all' }
}

/** The card has changed: what its thread is to be told is worked out from the card as it is now. */
const lookAgain = { kind: 'look-again' } as const

/** Finds out whether a reply in doubt stands in the thread, and sends it where it does not. */
async function resolveDoubt(
  room: NewsRoom,
  card: Card,
  noted: NotedReply,
  way: Way,
): Promise<Exclude<NewsOutcome, { kind: 'all' }> | typeof lookAgain> {
  const { isInDoubt: _, ...reply } = noted
  const { id, since } = reply
  // Noted anew, so that nobody else resolves it at the same time.
  if (!(await note(room, card, card.told, reply))) return lookAgain
  const found = await way.seek(id, since)
  if (found === 'there') {
    await settleReply(room, card, reply)
    return lookAgain
  }
  const sent = await send(room, card, reply, way, found === 'unreadable')
  return sent.kind === 'all' ? lookAgain : sent
}

/** Notes a reply in the card before it is sent. @returns False when somebody else has changed the card meanwhile. */
function note(
  { cards }: NewsRoom,
  { workspaceId, id, version }: Card,
  told: readonly string[],
  reply: Reply,
): Promise<boolean> {
  return cards.replaceTold(workspaceId, id, version, { told, reply }, replyMs)
}

async function send(
  room: NewsRoom,
  card: Card,
  reply: Reply,
  way: Way,
  mayStandTwice = false,
): Promise<NewsOutcome> {
  const { title, posted, names } = card
  const about = posted?.threadTs === undefined ? undefined : title
  const message = renderNews(room.settings, card.id, { ...reply, names, mayStandTwice, about })
  try {
    await way.post(message, { id: reply.id, actions: reply.actions.map(actionMark) })
  } catch (error) {
    if (!(error instanceof NotSent) && classify(error).mayBeDone)
      return { kind: 'doubtful', message, reply, error }
    await giveBack(room, card, reply)
    throw error
  }
  await settleReply(room, card, reply)
  return { kind: 'all' }
}

/** Takes a note away: its reply counts as told. */
export function settleReply(room: NewsRoom, card: Card, reply: Reply): Promise<void> {
  return dropNote(room, card, reply, (told) => told)
}

/** Takes a note away, and what its reply would have told is untold. */
function giveBack(room: NewsRoom, card: Card, reply: Reply): Promise<void> {
  return dropNote(room, card, reply, (before) => {
    const told = [...before]
    for (const mark of marksOf(reply)) {
      const index = told.lastIndexOf(mark)
      if (index >= 0) told.splice(index, 1)
    }
    return reply.change === undefined ? told : withStanding(told, reply.change.from)
  })
}

/** Takes the note away, as long as it is still this one. @param told - What is told then. */
async function dropNote(
  { cards }: NewsRoom,
  { workspaceId, id }: Card,
  reply: Reply,
  told: (before: readonly string[]) => readonly string[],
): Promise<void> {
  for (;;) {
    const current = await cards.find(workspaceId, id)
    if (current?.reply?.id !== reply.id) return
    const telling = { told: told(current.told), reply: undefined }
    if (await cards.replaceTold(workspaceId, id, current.version, telling)) return
  }
}

/** Undefined when the thread has it all. */
function replyFor(card: Card, { alert, ending, isClosingAlone }: ToTell, since: number): Reply | undefined {
  const { told } = card
  const moved = changeOf(card, alert)
  const change = isClosingAlone ? closedSince(moved, alert) : moved
  const actions = isClosingAlone ? [] : (alert?.actions ?? [])
  const news = untold(actions, told)
  const isTold = ending === undefined || told.includes(endingMark(ending))
  if (news.length === 0 && isTold && !isVisible(change)) return undefined
  const newest = news.slice(-mostInReply)
  return {
    id: randomUUID(),
    actions: newest,
    more: news.length > newest.length ? news.length - newest.length : undefined,
    older: actions.length - newest.length,
    ending: isTold ? undefined : ending,
    change,
    since,
  }
}

const longestMessage = 200

/** Undefined when the alert stands as its thread was told, or nobody knows what that was. */
function changeOf({ told }: Card, alert: Alert | undefined): Change | undefined {
  const from = standingTold(told)
  if (alert === undefined || from === undefined) return undefined
  const to = standingOf(alert)
  if (from === to) return undefined
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim(), longestMessage)
  return { from, to, severity: alert.lastSeverity, message }
}

/** True when the alert no longer stands as the thread was told, even if there is nothing to say about it. */
function hasMoved(card: Card, alert: Alert | undefined): boolean {
  return changeOf(card, alert) !== undefined
}

function closedSince(change: Change | undefined, alert: Alert | undefined): Change | undefined {
  const at = alert?.closedTimestamp ?? undefined
  return change === undefined || at === undefined ? undefined : { ...change, message: '', closedSince: at }
}
