// Sends what somebody wants done to an alert: kept before anything is sent, sent at most once, and told by what a read
// has shown. Every way to act ends here: lines, buttons and forms.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { askToConnect, type WaitedFor, withToken } from '../account/connect-first.ts'
import { refuseToken } from '../alert/look-up.ts'
import { onlyReads } from '../alert/render/no-card.ts'
import { sayingWhenSlow } from '../alert/show.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { isRefusedFor } from '../send/outcome.ts'
import { askedBefore, isAskedFirst, keepAndSendWish, sendWish, type WishSent } from '../send/send.ts'
import { noteTold, sendAndTell } from '../send/telling.ts'
import type { KeptWish, NewWish } from '../send/wishes.ts'
import { type AlertWrite, asAlertWrite, readWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { say } from '../slack/outbound/message.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { assignFacts } from './assign/facts.ts'
import { followAct } from './follow.ts'
import { requestOutcome } from './record.ts'
import { renderActVerdict, tooOldWords } from './render/verdict.ts'
import { orTextBack, textToSend } from './text.ts'

/** One intent of somebody. */
export interface WantedAct {
  /** The same for the same intent, however often Slack delivers it. */
  readonly id: string
  readonly write: AlertWrite
  /** The wish whose verdict led to this one. From each verdict one send follows, however often its button is pressed. */
  readonly follows?: string | undefined
  /** It was pressed on the card itself, so that what leads back to the press leads to the card. */
  readonly isOnCard?: boolean | undefined
  /** Answers the form, once it is kept or cannot be, so that none gets lost. May be called again. */
  readonly answerForm?: (() => Promise<void>) | undefined
}

/** What waits for an account: the id of what was kept before; else all of it, sealed, as it may hold the token. */
const waitingAct = z.union([
  z.object({ actId: z.string() }),
  z.object({
    id: z.string(),
    kind: z.enum(['assign', 'comment', 'close']),
    write: z.unknown(),
    follows: z.string().optional(),
    isOnCard: z.boolean().optional(),
  }),
])

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
  const ask: z.infer<typeof waitingAct> = { id, kind: write.kind, write, follows, isOnCard }
  await askToConnect(house, from, { feature: 'act', ask }, 'none')
}

/** Goes on once an account is connected. @param ask - As `actOn` had it wait. */
export async function goOnActing(house: House, from: From, ask: unknown): Promise<void> {
  const waited = waitingAct.parse(ask)
  if ('actId' in waited) return sendKept(house, from, waited.actId)
  const write = asAlertWrite(readWrite(waited.kind, waited.write))
  const { id, follows, isOnCard } = waited
  return actOn(house, from, { id, write, follows, isOnCard })
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
  const wish: NewWish = {
    id,
    sender,
    channelId,
    writes: [known],
    ...(follows && { follows: { id: follows, as: 'rest' } }),
  }
  if (follows === undefined && !(await isAskedFirst(house, sender, wish))) {
    await answerForm()
    return house.slack.privately(from.place, say(askedBefore))
  }
  const intent = { id, sender, write: known, isOnCard }
  const send = () => keepAndSendWish(house, token, wish, { onSending: answerForm })
  if (await sendAndFollow(house, from, token, intent, send)) return
  await answerForm()
  // It was kept before, or something else follows from the same verdict.
  const kept = await house.storage.wishes.keep(wish)
  if (follows === undefined || kept.id === id) return sendKept(house, from, kept.id, isOnCard)
  if (!wasNotMade(kept)) return sendKept(house, from, kept.id, isOnCard)
  await keepAndSend(house, from, token, { id: randomUUID(), write, follows: kept.id, isOnCard })
}

/** True where nothing was sent, and nothing waits to be sent in its place, as after a refused token. */
function wasNotMade({ state, sends: [send] }: KeptWish): boolean {
  const outcome = state === 'settled' ? send?.outcome : undefined
  return outcome?.kind === 'not-sent' || (outcome?.kind === 'not-done' && outcome.code !== 'refused')
}

/** Nothing of that is kept or sent. */
export function holdsOwnToken({ ks, message }: Pick<AlertWrite, 'ks' | 'message'>, token: string): boolean {
  return ks.includes(token) || message.includes(token)
}

function wantedLater(actId: string): WaitedFor {
  const ask: z.infer<typeof waitingAct> = { actId }
  return { feature: 'act', ask }
}

/** Sends what is kept under this id, and tells what became of it. */
function sendKept(house: House, from: From, id: string, isOnCard = false): Promise<void> {
  return withToken(house, from, wantedLater(id), async (token) => {
    const kept = await house.storage.wishes.find(from.asker.workspaceId, id)
    const write = kept && writeIn(kept)
    if (kept === undefined || write === undefined) throw new UserError(tooOldWords.wish)
    const { sender } = kept
    // It may have waited for another token, and the text holds this one.
    if (holdsOwnToken(write, token)) {
      await house.storage.wishes.cancel(sender, id)
      return refuseToken(house, from)
    }
    await orTextBack(house, from, write.message, async () => {
      await sendAndFollow(house, from, token, { id, sender, write, isOnCard }, () =>
        sendWish(house, from.asker, token, id, { askedAfter: 0 }),
      )
    })
  })
}

/** What is sent under an id. */
interface Intent {
  readonly id: string
  readonly sender: SlackUser
  readonly write: AlertWrite
  readonly isOnCard: boolean | undefined
}

/** Sends it and tells the outcome. @returns False where `send` did nothing. */
function sendAndFollow(
  house: House,
  from: From,
  token: string,
  intent: Intent,
  send: () => Promise<WishSent | undefined>,
): Promise<boolean> {
  const { id, sender, write } = intent
  return sendAndTell(
    house,
    sender.workspaceId,
    id,
    () => sayingWhenSlow(house, from, { ks: write.ks, answer: 'here' }, send()),
    (sent) => tellSent(house, from, token, intent, sent),
  )
}

/** Tells what became of it, where nobody else does, and shows it on cards. */
async function tellSent(
  house: House,
  from: From,
  token: string,
  { id, sender, write, isOnCard = false }: Intent,
  sent: WishSent,
): Promise<void> {
  // Whoever began it tells what became of it.
  if (sent.kind === 'repeated') return
  if (sent.kind === 'gone') throw new UserError(tooOldWords.wish)
  const [send] = sent.wish.sends
  const outcome = send?.outcome
  if (send === undefined || outcome === undefined) throw new Error(`wish ${id} has no outcome`)
  const { n } = send
  const alert = sent.seen.get(n)
  // At the same time: the verdict does not wait for the card.
  const followed = followAct(house, { id, from, sender, write, outcome, isOnCard })
  try {
    if (isRefusedFor(outcome, ['refused'])) await askAgainWithToken(house, from, sent.wish)
    else {
      const found = {
        id: sent.wish.id,
        alert,
        reason: sent.reasons.get(n),
        isLate: false,
        assigned: await assignFacts(house, from.asker, token, write, outcome, alert),
      }
      await house.slack.privately(from.place, renderActVerdict(write, outcome, found))
    }
    await noteTold(house, sent.wish)
    endsAs(requestOutcome(outcome))
  } finally {
    await followed
  }
}

/** Nothing was sent, as the token is no longer accepted: it goes on with the next one. */
async function askAgainWithToken(house: House, from: From, wish: KeptWish): Promise<void> {
  const { id, sender, channelId } = wish
  const writes = wish.sends.map(({ write }) => asAlertWrite(write))
  const follows = { id, as: 'again' } as const
  const next = await house.storage.wishes.keep({ id: randomUUID(), sender, channelId, writes, follows })
  if (next.state === 'asked') await askToConnect(house, from, wantedLater(next.id), 'refused')
}

/** Undefined for what was kept under the same id by somebody who asked for access. */
function writeIn({ sends: [first] }: KeptWish): AlertWrite | undefined {
  return first === undefined || first.write.kind === 'add-user' ? undefined : first.write
}
