// Acts on an alert that is named by its key or its link, on a line or in a form: finds which alert is meant, and does
// what is wanted.
import { z } from 'zod'
import { type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { OwnToken, refuseToken } from '../alert/asking/token.ts'
import { findByLink } from '../alert/follow-link.ts'
import type { ActAsk } from '../alert/input.ts'
import { alertLinkSchema } from '../alert/link.ts'
import { noAlertMatches, noLinksThere, severalMatch } from '../alert/render/link-choice.ts'
import { UserError } from '../errors.ts'
import { isAbout } from '../log/request.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { goOnAssigning } from './assign/assign.ts'
import { goOnWithLine } from './assign/line.ts'
import type { ActRoom } from './room.ts'
import { actOn, goOnActing } from './sending.ts'
import { shortestFor, textToSend } from './text.ts'

/** What somebody asks, and the id of that: the same however often Slack delivers it. */
export interface AskedAct {
  readonly id: string
  readonly ask: ActAsk
  /** As of what is wanted. */
  readonly kept?: (() => Promise<void>) | undefined
}

/** `/alert comment` and `/alert close`, wherever they are typed. */
export async function actByLine(room: ActRoom, request: CommandRequest, ask: ActAsk): Promise<void> {
  const { asker, place, id } = request
  await actAsked(room, { asker, place }, { id, ask })
}

/** Sends nothing of what holds the asker's own token; a text that the service would not take comes back. */
export async function actAsked(room: ActRoom, from: From, { id, ask, kept }: AskedAct): Promise<void> {
  isAbout('act')
  // It is kept once its alert is found and its people are named, which nobody can wait for in a form.
  if ('link' in ask.which || namelessIn(ask.message).length > 0) await kept?.()
  const token = await room.account.tokens.find(from.asker)
  // Before anything is found by it: a link with the token in it goes nowhere.
  const typed = [ask.message, ...Object.values(ask.which).flatMap((part) => Object.values(part))]
  if (token !== undefined && typed.some((text) => typeof text === 'string' && text.includes(token))) {
    return refuseToken(room, from)
  }
  const { act: kind, which, isSolution } = ask
  const known = isSolution && 'ks' in which ? { ks: which.ks, cardId: undefined } : undefined
  const shortest = known && (await shortestFor(room, from.asker, known))
  const message = await textToSend(room, from, { kind, message: ask.message, isSolution, shortest })
  if (message === undefined) return
  const named = { ...ask, message }
  const ks = await keyOf(room, from, { id, ask: named })
  if (ks !== undefined) await actOn(room, from, { id, write: writeFor(named, ks), kept })
}

const waitingAsk = z.object({
  id: z.string(),
  ask: z.object({
    act: z.enum(['comment', 'close']),
    which: z.object({ link: alertLinkSchema }),
    message: z.string(),
    isSolution: z.boolean(),
  }),
})

/** Goes on once an account is connected. */
export async function resumeAct(room: ActRoom, from: From, { ask }: Resumed): Promise<void> {
  if ((await goOnAssigning(room, from, ask)) || (await goOnWithLine(room, from, ask))) return
  const waited = waitingAsk.safeParse(ask)
  return waited.success ? actAsked(room, from, waited.data) : goOnActing(room, from, ask)
}

function writeFor({ act, message, isSolution }: ActAsk, ks: string): AlertWrite {
  const about = { ks, message, shown: undefined, senderId: undefined, cardId: undefined }
  return act === 'comment' ? { kind: 'comment', ...about } : { kind: 'close', ...about, isSolution }
}

/** Undefined where it waits for an account, or its asker was told why not. @throws UserError where no key is found. */
async function keyOf(room: ActRoom, from: From, { id, ask }: AskedAct): Promise<string | undefined> {
  const { which } = ask
  if ('ks' in which) return which.ks
  const wanted: z.infer<typeof waitingAsk> = { id, ask: { ...ask, which } }
  const waiting: WaitedFor = { feature: 'act', ask: wanted }
  let found: Awaited<ReturnType<typeof findByLink>> | undefined
  try {
    await withToken(room.account, from, waiting, async (token) => {
      found = await findByLink(room.alert, from.asker, token, which.link)
    })
  } catch (error) {
    if (!(error instanceof OwnToken)) throw error
    await refuseToken(room, from)
  }
  if (found === undefined) return undefined
  if (found.kind === 'one') return found.ks
  if (found.kind === 'several') throw new UserError(severalMatch)
  throw new UserError(found.kind === 'off' ? noLinksThere : noAlertMatches)
}
