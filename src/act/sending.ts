// Sends what somebody wants done to an alert: kept before anything is sent, sent at most once, and told by what a read
// has shown. Every way to act ends here: lines, buttons and forms.
import { askToConnect } from '../account/connect-first.ts'
import { refuseToken } from '../alert/look-up.ts'
import { sayingWhenSlow } from '../alert/read.ts'
import { onlyReads } from '../alert/render/no-card.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { isRefusedFor } from '../send/outcome.ts'
import { askedBefore, isAskedFirst, keepBegun, type Sent, sendBegun } from '../send/send.ts'
import { noteHeard, telling } from '../send/telling.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { From, Submission } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { assignFacts } from './assign/facts.ts'
import { followAct } from './follow.ts'
import { endOf, onlySend } from './record.ts'
import { isSaidByCard, renderActVerdict } from './render/verdict.ts'
import { orTextBack, textToSend } from './text.ts'
import { type WaitingWrite, waitsFor } from './waiting.ts'

/** One intent of somebody. */
interface WantedAct extends WaitingWrite {
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
  const { id, isOnCard, answerForm } = wanted
  const { kind } = wanted.write
  // Slack may take its time to say who is mentioned, and a form waits three seconds.
  if (namelessIn(wanted.write.message).length > 0) await answerForm?.()
  const token = await house.tokens.find(from.asker)
  // What is kept stands in the database, and a token must not.
  if (token !== undefined && holdsOwnToken(wanted.write, token)) {
    await answerForm?.()
    return refuseToken(house, from)
  }
  const message = await textToSend(house, { kind, message: wanted.write.message })
  const write = { ...wanted.write, message }
  if (token !== undefined) return keepAndSend(house, from, token, { ...wanted, write })
  await answerForm?.()
  await askToConnect(house, from, waitsFor({ kind: 'act', id, write, isOnCard }), 'none')
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

async function keepAndSend(
  house: House,
  from: From,
  token: string,
  { id, write, isOnCard, answerForm = async () => {} }: WantedAct,
): Promise<void> {
  const { workspaceId, userId } = from.asker
  const channelId = from.place.isDirect ? undefined : from.place.channelId
  const sender = { workspaceId, userId }
  const own = await house.storage.ownIds.find(sender)
  // What they only chose may be somebody else’s.
  const known = { ...write, senderId: own?.isMatched ? own.userId : undefined }
  const request = { id, sender, channelId, writes: [known] }
  if (!(await isAskedFirst(house, request))) {
    await answerForm()
    return house.slack.privately(from.place, say(askedBefore))
  }
  const begun = await keepBegun(house, request, { sender, passes: () => true })
  // It was kept before: whoever began it tells what became of it.
  if (begun === undefined) return answerForm()
  await telling(house, begun, async () => {
    const sending = sendBegun(house, token, begun, answerForm)
    const sent = await sayingWhenSlow(house, from, write.ks, sending)
    if (sent.isToTell) await tellSent(house, from, token, sent, isOnCard)
  })
}

/** Nothing of that is kept or sent. */
export function holdsOwnToken({ ks, message }: Pick<AlertWrite, 'ks' | 'message'>, token: string): boolean {
  return ks.includes(token) || message.includes(token)
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
    if (isRefusedFor(outcome, ['refused'])) {
      // Nothing was sent, and it goes on with the next token.
      const next = waitsFor({ kind: 'act', id: `${id}:again`, write, isOnCard })
      await askToConnect(house, from, next, 'refused')
    } else {
      const found = {
        ...{ id, alert, reason, isLate: false },
        assigned: await assignFacts(house, from.asker, token, write, outcome, alert),
      }
      // What they pressed says it already, and pushing it off a phone's screen helps nobody.
      const isSaid = isSaidByCard(write, outcome, found) && (await followed)
      if (!isSaid) await house.slack.privately(from.place, renderActVerdict(write, outcome, found))
    }
    await noteHeard(house, request, 'at_once')
    endsAs(endOf(outcome))
  } finally {
    await followed
  }
}
