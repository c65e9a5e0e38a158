// Acts on an alert for somebody: comments on it, or closes it. What they want is kept before anything is sent, sent at
// most once, and what they are told is what a read has shown.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { askToConnect, type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { refuseToken } from '../alert/asking/token.ts'
import type { ActAsk } from '../alert/input.ts'
import { findByLink } from '../alert/links/follow.ts'
import { sayingWhenSlow } from '../alert/look-up.ts'
import { noAlertMatches, noLinksThere } from '../alert/render/link-choice.ts'
import { UserError } from '../errors.ts'
import { endsAs, isAbout } from '../log/request.ts'
import { isRefusedFor } from '../send/outcome.ts'
import { sendWish } from '../send/send.ts'
import { noteTold, whileTelling } from '../send/telling.ts'
import type { KeptWish } from '../send/wishes.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import { requestOutcome } from './record.ts'
import { renderActVerdict } from './render/verdict.ts'
import type { ActRoom } from './room.ts'

/** What waits for an account: its id where it was kept before; else all of it, sealed, as it may hold the token. */
const waitingAct = z.union([
  z.object({ actId: z.string() }),
  z.object({
    id: z.string(),
    act: z.enum(['comment', 'close']),
    ks: z.string(),
    message: z.string(),
    isSolution: z.boolean(),
  }),
])

/** `/alert comment` and `/alert close`, wherever they are typed. */
export async function actByLine(room: ActRoom, request: CommandRequest, ask: ActAsk): Promise<void> {
  const { asker, place } = request
  const from = { asker, place }
  isAbout('act')
  const token = await room.account.tokens.find(asker)
  // What is kept stands in the database, and a token must not.
  const typed = [ask.message, ...Object.values(ask.which).flatMap((part) => Object.values(part))]
  if (token !== undefined && typed.some((text) => typeof text === 'string' && text.includes(token))) {
    return refuseToken(room, from)
  }
  const ks = await keyOf(room, from, token, ask)
  if (ks === undefined) throw new UserError(linkNeedsAccount)
  const { act, message, isSolution } = ask
  const wanted = { id: request.id, act, ks, message, isSolution }
  if (token !== undefined) return keepAndSend(room, from, wanted)
  await askToConnect(room.account, from, { feature: 'act', ask: wanted }, 'none')
}

/** Goes on once an account is connected. */
export async function resumeAct(room: ActRoom, from: From, { ask }: Resumed): Promise<void> {
  const wanted = waitingAct.parse(ask)
  if ('actId' in wanted) return sendKept(room, from, wanted.actId)
  const token = await room.account.tokens.find(from.asker)
  if (token !== undefined && holds(wanted, token)) return refuseToken(room, from)
  return keepAndSend(room, from, wanted)
}

function holds({ ks, message }: Pick<AlertWrite, 'ks' | 'message'>, token: string): boolean {
  return ks.includes(token) || message.includes(token)
}

/** Undefined where only somebody with an account can tell. */
async function keyOf(
  { alert }: ActRoom,
  { asker }: From,
  token: string | undefined,
  { which }: ActAsk,
): Promise<string | undefined> {
  if ('ks' in which) return which.ks
  if (token === undefined) return undefined
  const found = await findByLink(alert, asker, token, which.link)
  if (found.kind === 'one') return found.ks
  if (found.kind === 'several') throw new UserError(severalMatch)
  throw new UserError(found.kind === 'off' ? noLinksThere : noAlertMatches)
}

interface WantedAct {
  readonly id: string
  readonly act: ActAsk['act']
  readonly ks: string
  readonly message: string
  readonly isSolution: boolean
}

async function keepAndSend(room: ActRoom, from: From, wantedAct: WantedAct): Promise<void> {
  const { id, act, ks, message, isSolution } = wantedAct
  const about = { ks, message, shown: undefined, senderId: undefined, cardId: undefined }
  const write: AlertWrite =
    act === 'comment' ? { kind: 'comment', ...about } : { kind: 'close', ...about, isSolution }
  const { workspaceId, userId } = from.asker
  const channelId = from.place.isDirect ? undefined : from.place.channelId
  await room.send.wishes.keep({ id, sender: { workspaceId, userId }, channelId, writes: [write] })
  await sendKept(room, from, id)
}

function wanted(actId: string): WaitedFor {
  const ask: z.infer<typeof waitingAct> = { actId }
  return { feature: 'act', ask }
}

/** Sends what is kept under this id, and tells what became of it. */
function sendKept(room: ActRoom, from: From, id: string): Promise<void> {
  const { workspaceId } = from.asker
  return withToken(room.account, from, wanted(id), (token) =>
    whileTelling(room.send, workspaceId, id, () => sendAndTell(room, from, id, token)),
  )
}

async function sendAndTell(room: ActRoom, from: From, id: string, token: string): Promise<void> {
  const kept = await room.send.wishes.find(from.asker.workspaceId, id)
  const write = kept && writeIn(kept)
  if (kept === undefined || write === undefined) throw new UserError(gone)
  // It may have waited for another token, and the text holds this one.
  if (holds(write, token)) {
    await room.send.wishes.cancel(kept.sender, id)
    return refuseToken(room, from)
  }
  const sending = sendWish(room.send, from.asker, token, id, { askedAfter: 0 })
  const sent = await sayingWhenSlow(room.alert, from, { ks: write.ks, answer: 'here' }, sending)
  // Whoever began it tells what became of it.
  if (sent.kind === 'repeated') return
  if (sent.kind === 'gone') throw new UserError(gone)
  const [send] = sent.wish.sends
  const outcome = send?.outcome
  if (send === undefined || outcome === undefined) throw new Error(`wish ${id} has no outcome`)
  if (isRefusedFor(outcome, ['refused'])) await askAgainWithToken(room, from, sent.wish)
  else {
    const { n, wasDoubted } = send
    const found = { alert: sent.seen.get(n), reason: sent.reasons.get(n), isLate: false, wasDoubted }
    await room.delivery.privately(from.place, renderActVerdict(write, outcome, found))
  }
  await noteTold(room.send, sent.wish, sent.corrects ? 'corrected' : 'at_once')
  endsAs(requestOutcome(outcome))
}

/** Nothing was sent, as the token is no longer accepted: it goes on with the next one. */
async function askAgainWithToken(room: ActRoom, from: From, wish: KeptWish): Promise<void> {
  const { id, sender, channelId } = wish
  const writes = wish.sends.map(({ write }) => write)
  const follows = { id, as: 'again' } as const
  const next = await room.send.wishes.keep({ id: randomUUID(), sender, channelId, writes, follows })
  if (next.state === 'asked') await askToConnect(room.account, from, wanted(next.id), 'refused')
}

function writeIn({ sends }: KeptWish): AlertWrite | undefined {
  const [first] = sends
  return first && asAlertWrite(first.write)
}

const gone = 'This is too old, so nothing was sent. Type it again.'
const linkNeedsAccount =
  'To find the alert behind that link, Bellhop needs your account. Type /alert connect, then type this again.'
const severalMatch =
  'Several alerts match that link. Type /alert with the link to choose one, then use its key. Nothing was sent.'
