// Acts on an alert by line: finds which alert is meant, and does what is wanted.
import type { Resumed } from '../account/connect-first.ts'
import { refuseToken } from '../alert/asking/token.ts'
import type { ActAsk } from '../alert/input.ts'
import { findByLink } from '../alert/links/follow.ts'
import { noAlertMatches, noLinksThere } from '../alert/render/link-choice.ts'
import { UserError } from '../errors.ts'
import { isAbout } from '../log/request.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import type { ActRoom } from './room.ts'
import { actOn, goOnActing } from './sending.ts'

/** `/alert comment` and `/alert close`, wherever they are typed. */
export async function actByLine(room: ActRoom, request: CommandRequest, ask: ActAsk): Promise<void> {
  const { asker, place } = request
  const from = { asker, place }
  isAbout('act')
  const token = await room.account.tokens.find(asker)
  // Before anything is found by it: a link with the token in it goes nowhere.
  const typed = [ask.message, ...Object.values(ask.which).flatMap((part) => Object.values(part))]
  if (token !== undefined && typed.some((text) => typeof text === 'string' && text.includes(token))) {
    return refuseToken(room, from)
  }
  const ks = await keyOf(room, from, token, ask)
  if (ks === undefined) throw new UserError(linkNeedsAccount)
  await actOn(room, from, { id: request.id, write: writeFor(ask, ks) })
}

/** Goes on once an account is connected. */
export function resumeAct(room: ActRoom, from: From, { ask }: Resumed): Promise<void> {
  return goOnActing(room, from, ask)
}

function writeFor({ act, message, isSolution }: ActAsk, ks: string): AlertWrite {
  const about = { ks, message, shown: undefined, senderId: undefined, cardId: undefined }
  return act === 'comment' ? { kind: 'comment', ...about } : { kind: 'close', ...about, isSolution }
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

const linkNeedsAccount =
  'To find the alert behind that link, Bellhop needs your account. Type /alert connect, then type this again.'
const severalMatch =
  'Several alerts match that link. Type /alert with the link to choose one, then use its key. Nothing was sent.'
