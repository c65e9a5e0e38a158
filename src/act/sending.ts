// Sends what somebody wants done to an alert: kept before anything is sent, sent at most once, and told by what a read
// has shown. Every way to act ends here: lines, buttons and forms.
import { askToConnect, withToken } from '../account/connect-first.ts'
import { refuseToken } from '../alert/look-up.ts'
import { sayingWhenSlow } from '../alert/read.ts'
import { onlyReads } from '../alert/render/no-card.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { isRefusedFor } from '../send/outcome.ts'
import { giveUp, type NewRequest, type Request } from '../send/request.ts'
import { askedBefore, beginKept, isAskedFirst, keep, keepBegun, type Sent, sendBegun } from '../send/send.ts'
import { noteHeard, telling } from '../send/telling.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { From, Submission } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { canAskInThread } from './ask-in-thread.ts'
import { assignFacts } from './assign/facts.ts'
import { followAct } from './follow.ts'
import { calledBy, countAct, onlySend } from './record.ts'
import { isSaidByCard, renderActVerdict, tooOldWords } from './render/verdict.ts'
import { orTextBack, textToSend } from './text.ts'
import { waitsFor } from './waiting.ts'

/** One intent of somebody. */
export interface WantedAct {
  /** The same for the same intent, however often Slack delivers it. */
  readonly id: string
  readonly write: AlertWrite
  /** The request whose verdict led to this one. From each one follows, however often its button is pressed. */
  readonly follows?: string | undefined
  /** It was pressed on the card itself, so that what leads back to the press leads to the card. */
  readonly isOnCard?: boolean | undefined
  /** Answers the form, once it is kept or cannot be, so that none gets lost. May be called again. */
  readonly answerForm?: (() => Promise<void>) | undefined
}

/** Acts on an alert for somebody, now or once they have connected an account. @throws UserError where there is no text. */
export function actOn(house: House, from: From, wanted: WantedAct): Promise<void> {
  return orTextBack(house, from, wanted.write.message, () => sendOrConnect(house, from, wanted))
}

async function sendOrConnect(house: House, from: From, wanted: WantedAct): Promise<void> {
  // What waits for an account may be older than that setting.
  if (!house.config.canAct) throw new UserError(onlyReads)
  const { id, follows, isOnCard, answerForm } = wanted
  const { kind } = wanted.write
  // Slack may take its time to say who is mentioned, and a form waits three seconds.
  if (namelessIn(wanted.write.message).length > 0) await answerForm?.()
  const message = await textToSend(house, from, { kind, message: wanted.write.message })
  if (message === undefined) return
  const write = { ...wanted.write, message }
  const token = await house.tokens.find(from.asker)
  if (token !== undefined) return keepAndSend(house, from, token, { ...wanted, write })
  await answerForm?.()
  await askToConnect(house, from, waitsFor({ kind: 'act', id, write, follows, isOnCard }), 'none')
}

/** The form stays, with what is filled in. @param errors - Sentences by the id of their input, raw. */
export function keepForm({ ack }: Submission, errors: Readonly<Record<string, string>>): Promise<void> {
  return ack({ response_action: 'errors', errors: { ...errors } })
}

/**
 * Does what a form asks for, and answers the form. What fails is told after that: Slack may take its time for it.
 * @param place - Where the verdict goes.
 * @param act - Calls `answerForm` once that is kept or cannot be. It may call it again.
 */
export async function actForForm(
  submission: Submission,
  place: Place,
  act: (from: From, answerForm: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let answered: Promise<void> | undefined
  const answerForm = () => {
    answered ??= submission.ack()
    return answered
  }
  await act(submission.moveTo(place), answerForm).finally(answerForm)
}

/** What is kept stands in the database, and a token must not. */
async function keepAndSend(
  house: House,
  from: From,
  token: string,
  { id, write, follows, isOnCard, answerForm = async () => {} }: WantedAct,
): Promise<void> {
  if (holdsOwnToken(write, token)) {
    await answerForm()
    return refuseToken(house, from)
  }
  const { workspaceId, userId } = from.asker
  const channelId = from.place.isDirect ? undefined : from.place.channelId
  const sender = { workspaceId, userId }
  const own = await house.storage.ownIds.find(sender)
  // What they only chose may be somebody else’s.
  const known = { ...write, senderId: own?.isMatched ? own.userId : undefined }
  const request: NewRequest = {
    id: follows === undefined ? id : `${follows}:rest`,
    ...{ sender, channelId, writes: [known] },
  }
  if (follows === undefined && !(await isAskedFirst(house, sender, request))) {
    await answerForm()
    return house.slack.privately(from.place, say(askedBefore))
  }
  const begun = await keepBegun(house, request, { sender, passes: isAct })
  if (begun !== undefined)
    return sendAndFollow(house, from, token, begun, { isOnCard, onSending: answerForm })
  await answerForm()
  // It was kept before, or something else follows from the same verdict.
  const kept = await keep(house, request)
  if (follows === undefined || !wasNotMade(kept)) return sendKept(house, from, kept.id, isOnCard)
  await keepAndSend(house, from, token, { id, write, follows: kept.id, isOnCard })
}

/** True where nothing was sent, and nothing waits to be sent in its place, as after a refused token. */
function wasNotMade({ end, sends: [send] }: Request): boolean {
  const outcome = end === 'sent' ? send?.outcome : undefined
  return outcome?.kind === 'not-sent' || (outcome?.kind === 'not-done' && outcome.code !== 'refused')
}

/** Nothing of that is kept or sent. */
export function holdsOwnToken({ ks, message }: Pick<AlertWrite, 'ks' | 'message'>, token: string): boolean {
  return ks.includes(token) || message.includes(token)
}

/** Sends what is kept under this id, and tells what became of it. */
export function sendKept(house: House, from: From, id: string, isOnCard = false): Promise<void> {
  const { workspaceId, userId } = from.asker
  const key = { workspaceId, id }
  return withToken(house, from, waitsFor({ kind: 'kept', actId: id }), async (token) => {
    const kept = await house.storage.requests.find(key)
    if (kept === undefined || !isAct(kept)) throw new UserError(tooOldWords.wish)
    const write = asAlertWrite(onlySend(kept).write)
    // It may have waited for another token, and the text holds this one.
    if (holdsOwnToken(write, token)) {
      await house.storage.requests.change(key, giveUp(kept.sender, 'cancelled'))
      return refuseToken(house, from)
    }
    await orTextBack(house, from, write.message, async () => {
      const begun = await beginKept(house, key, { sender: { workspaceId, userId }, passes: isAct })
      if (begun !== undefined) return sendAndFollow(house, from, token, begun, { isOnCard })
      // Whoever began it tells what became of it.
      const isOwn = kept.askerId === userId
      if (!isOwn || kept.end === 'cancelled') throw new UserError(tooOldWords.wish)
    })
  })
}

/** Sends it and tells the outcome. */
async function sendAndFollow(
  house: House,
  from: From,
  token: string,
  begun: Request,
  how: { readonly isOnCard?: boolean | undefined; readonly onSending?: () => Promise<void> },
): Promise<void> {
  const { ks } = asAlertWrite(onlySend(begun).write)
  await telling(house, begun, async () => {
    const sending = sendBegun(house, token, begun, how.onSending)
    const sent = await sayingWhenSlow(house, from, { ks, answer: 'here' }, sending)
    if (sent.isToTell) await tellSent(house, from, token, sent, how.isOnCard)
  })
}

/** Tells what became of it, and shows it on cards. */
async function tellSent(
  house: House,
  from: From,
  token: string,
  { request, learned }: Sent,
  isOnCard = false,
): Promise<void> {
  const { id, sender } = request
  const { n, outcome, ...sent } = onlySend(request)
  const write = asAlertWrite(sent.write)
  if (outcome === undefined) throw new Error(`request ${id} has no outcome`)
  const { alert, reason } = learned.get(n) ?? {}
  // At the same time: a verdict of its own does not wait for the card.
  const followed = followAct(house, { id, from, sender, write, outcome, isOnCard })
  try {
    if (isRefusedFor(outcome, ['refused'])) await askAgainWithToken(house, from, request)
    else {
      const found = {
        ...{ id, alert, reason, isLate: false },
        canAsk:
          isRefusedFor(outcome, ['forbidden']) && (await canAskInThread(house, from.asker, write.cardId)),
        assigned: await assignFacts(house, from.asker, token, write, outcome, alert),
      }
      // What they pressed says it already, and pushing it off a phone's screen helps nobody.
      const isSaid = isSaidByCard(write, outcome, found) && (await followed)
      if (!isSaid) await house.slack.privately(from.place, renderActVerdict(write, outcome, found))
    }
    if (await noteHeard(house, request)) countAct(request, 'at_once')
    endsAs(calledBy(outcome).request)
  } finally {
    await followed
  }
}

/** Nothing was sent, as the token is no longer accepted: it goes on with the next one. */
async function askAgainWithToken(house: House, from: From, request: Request): Promise<void> {
  const { sender, channelId } = request
  const again = { id: `${request.id}:again`, sender, channelId, writes: [onlySend(request).write] }
  const next = await keep(house, again)
  if (next.state !== 'asked') return
  await askToConnect(house, from, waitsFor({ kind: 'kept', actId: next.id }), 'refused')
}

/** False for what was kept under the same id by somebody who asked for access. */
const isAct = ({ sends }: Request) => sends.every(({ write }) => write.kind !== 'add-user')
