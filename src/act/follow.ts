// Consequences of an act on an alert, once a read has shown what became of it: for the card that it was pressed on and its
// thread, other cards of the alert, its new owner, and whether it opens again. Nothing is shown that was only pressed, and
// each read is made with the token of whoever acted.
import { type Card, cardTheySee } from '../alert/cards.ts'
import { isClosed } from '../alert/render/state.ts'
import type { Ending } from '../alert/thread.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import { updateCard } from '../live/update.ts'
import { watchReopening } from '../live/watching.ts'
import type { Alert } from '../monitor/schema.ts'
import type { AlertWrite, SendOutcome } from '../send/outcome.ts'
import type { From } from '../slack/guard/requests.ts'
import { type Message, type Posted, sayMarked } from '../slack/outbound/message.ts'
import { isDirectId, type SlackUser } from '../slack/person.ts'
import { escapeText, linkTo } from '../slack/text/mrkdwn.ts'

/** An act with an outcome. */
interface Acted {
  /** Of what was wanted. */
  readonly id: string
  readonly from: From
  readonly sender: SlackUser
  readonly write: AlertWrite
  readonly outcome: SendOutcome
  /** It was pressed on the card itself. */
  readonly isOnCard: boolean
}

/**
 * Never rejects: Refresh shows what could not be done.
 * @returns True where the card that it was done on shows it now.
 */
export async function followAct(house: House, acted: Acted): Promise<boolean> {
  const { sender, write } = acted
  if (!showsSomething(acted.outcome)) return false
  let isShown = false
  try {
    const card = await cardTheySee(house, sender, write.cardId)
    isShown = await showOnCards(house, acted, card)
    await tellNewOwner(house, acted, card)
  } catch (error) {
    const what = { err: error, user: sender.userId }
    house.log.failedJob('warn', what, 'what follows an act on an alert could not be done')
  }
  return isShown
}

/** True when the alert differs from what its sender saw: by this act, or by somebody else's. */
function showsSomething(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'not-done' && outcome.code === 'changed')
}

/** The sender did it, as far as anybody can tell. */
function isOwnDoing(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

/** On the card that it was done on, and on others of the same alert that are live. */
async function showOnCards(house: House, acted: Acted, card: Card | undefined): Promise<boolean> {
  const { sender, write, from } = acted
  const read = async () => {
    const alert = await readForSender(house, sender, write.ks)
    const isOpenAtOnce = alert !== undefined && isOwnClose(acted) && !isClosed(alert)
    const ending = isOpenAtOnce ? openAtOnce(acted.id) : undefined
    return alert && { alert, readBy: sender.userId, ending }
  }
  const by = card && pressOn(card, acted)
  const reading = await (card && by ? updateCard(house, card, { read, by }) : read())
  if (reading?.alert === undefined) return false
  const { alert } = reading
  lookSoon(house, sender.workspaceId, alert, write.ks)
  if (card !== undefined && isOwnClose(acted) && isClosed(alert))
    await watchReopening(house, from, card, alert)
  // Of a colleague's card it is not certain that it may name the new owner.
  return by !== undefined && (write.kind !== 'assign' || card?.asker.userId === sender.userId)
}

/** The sender closed it, as far as anybody can tell. */
function isOwnClose({ write, outcome }: Acted): boolean {
  return write.kind === 'close' && isOwnDoing(outcome)
}

/** With the sender’s own token; undefined where it shows the alert no more. @throws MonitorError for what may pass. */
async function readForSender(house: House, sender: SlackUser, ks: string): Promise<Alert | undefined> {
  const token = await house.tokens.find(sender)
  if (token === undefined) return undefined
  try {
    return await house.monitor.readAlert(token, ks)
  } catch (error) {
    const isFinal = error instanceof MonitorError && finalCodes.has(error.code)
    if (!isFinal) throw error
    return undefined
  }
}

const finalCodes: ReadonlySet<string> = new Set(['refused', 'forbidden', 'not-found', 'bad-request'])

/** Undefined where nothing leads to the card. Another message’s response_url leads to that one. */
function pressOn({ posted }: Card, { from, isOnCard }: Acted): From | undefined {
  if (isOnCard) return from
  return posted && { ...from, place: { ...from.place, responseUrl: undefined } }
}

/** Tells a new owner who is somebody else. */
async function tellNewOwner(
  { slack, storage: { ownIds } }: House,
  { sender, write, outcome }: Acted,
  card: Card | undefined,
): Promise<void> {
  const { workspaceId, userId: senderId } = sender
  if (write.kind !== 'assign' || !isOwnDoing(outcome)) return
  const owner = await ownIds.personOf(workspaceId, write.ownerId)
  if (owner === undefined || owner.userId === senderId) return
  if (await slack.people.hasLeft(owner.userId)) return
  const giver = await slack.people.inLine(senderId)
  const posted = card && whereOthersSee(card)
  const link = posted && (await slack.linkOf(posted))
  await slack.post(owner.userId, renderNewOwner(giver, link))
}

/** Undefined where nobody else sees the card, as in a conversation with the bot, or nobody knows where it stands. */
export function whereOthersSee({ isPrivate, posted }: Card): Posted | undefined {
  return isPrivate || posted === undefined || isDirectId(posted.channelId) ? undefined : posted
}

/** In the thread of a card: its alert was closed, and is open at once. @param actId - Says it once for each act. */
function openAtOnce(actId: string): Ending {
  return { id: `open ${actId}`, words: '🔁 Open again, because the trouble is still there.' }
}

/**
 * To the new owner, directly; nothing of the alert, which their own token may not show.
 * @param giver - As `personInLine` has them; undefined where Slack does not say.
 * @param link - Of the card, where they can see it.
 */
function renderNewOwner(giver: string | undefined, link: string | undefined): Message {
  const told = escapeText(`${giver ?? 'A colleague'} assigned an alert to you.`)
  const where = link === undefined ? 'You’ll find it in monitoring.' : linkTo(link, 'Open its card')
  return sayMarked(`${told} ${where}`)
}
