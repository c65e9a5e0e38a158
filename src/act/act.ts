// Acts on an alert for somebody: finds the alert and the person they mean, keeps what they want before anything is sent,
// sends it at most once, and tells them what a read has shown. Every line, button and form comes through here.
import { z } from 'zod'
import { askToConnect, type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { tokenInText } from '../alert/input.ts'
import { findByLink, refuseToken } from '../alert/look-up.ts'
import { onlyReads, severalMatch } from '../alert/render/look-up.ts'
import { sayingWhenSlow } from '../alert/show.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs, noteText, setAbout } from '../log/log.ts'
import { type AlertWrite, asAlertWrite, isRefusedFor } from '../send/outcome.ts'
import { askedBefore, isAskedFirst, keepBegun, type Sent, sendBegun } from '../send/send.ts'
import { noteHeard, telling } from '../send/telling.ts'
import type { From, Submission } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { holdsToken, textRefusal } from './acts.ts'
import { assignFacts } from './assign/candidates.ts'
import { ownerFor } from './assign/whom.ts'
import { followAct } from './follow.ts'
import { type Intent, intentFrom, type KeyedIntent } from './intent.ts'
import { endOf, onlySend } from './record.ts'
import { isSaidByCard, renderActVerdict } from './render/verdict.ts'
import { askButtons } from './rights.ts'

interface How {
  /** Answers the form, once the intent is kept or cannot be, so that none gets lost. May be called again. */
  readonly answerForm?: () => Promise<void>
  /** Opens a form, should one be needed. */
  readonly triggerId?: string | undefined
}

/** Now, or once they have connected an account. Where nothing comes of it, their text comes back with the reason. */
export async function act(house: House, from: From, intent: Intent, how: How = {}): Promise<void> {
  setAbout('act')
  const { message } = intent
  try {
    await actNow(house, from, intent, how)
  } catch (error) {
    const isExpected = error instanceof UserError || error instanceof MonitorError
    // A token is not repeated.
    if (isExpected && message !== '' && !holdsToken(message, await house.tokens.find(from.asker)))
      noteText(message)
    throw error
  }
}

/** Sealed by Bellhop alone, so what comes back is believed. */
const waited = z.custom<Intent>()

/** Goes on once an account is connected. */
export function resumeAct(house: House, from: From, { ask }: Resumed): Promise<void> {
  return act(house, from, waited.parse(ask))
}

function waitsFor(ask: Intent): WaitedFor {
  return { feature: 'act', ask }
}

async function actNow(
  house: House,
  from: From,
  intent: Intent,
  { answerForm = async () => {}, triggerId }: How,
): Promise<void> {
  const { id, act: kind, which, isOnCard } = intent
  // What waits for an account may be older than that setting.
  if (!house.config.canAct) throw new UserError(onlyReads)
  // Finding the alert and naming people takes longer than a form can wait, and so may asking for an account.
  const isSlow = 'link' in which || namelessIn(intent.message).length > 0
  if (isSlow || (await house.tokens.find(from.asker)) === undefined) await answerForm()
  const message = await withNames(house, intent.message)
  const problem = textRefusal(kind, message)
  if (problem !== undefined) throw new UserError(`${problem} Nothing was sent.`)
  await withToken(house, from, waitsFor({ ...intent, message }), async (token) => {
    const ks = 'ks' in which ? which.ks : await onlyKeyOf(house, from.asker, token, which)
    // What is kept stands in the database, and a token must not.
    if (ks.includes(token) || message.includes(token)) {
      await answerForm()
      return refuseToken(house, from)
    }
    const keyed = { ...intent, message, which: { ks } }
    const ownerId = kind === 'assign' ? await ownerFor(house, from, token, keyed, triggerId) : null
    // A form asks for whom it is.
    if (ownerId === undefined) return
    const write = await writeFor(house, from.asker, keyed, ownerId)
    await keepAndSend(house, from, token, { id, write, isOnCard }, answerForm)
  })
}

/** @throws UserError where no key is found, or several, or the link holds their own token. */
async function onlyKeyOf(
  house: House,
  asker: SlackUser,
  token: string,
  { link }: Extract<Intent['which'], { link: unknown }>,
): Promise<string> {
  const [ks, ...others] = await findByLink(house, asker, token, link)
  if (others.length > 0) throw new UserError(severalMatch)
  return ks
}

/** @param ownerId - Null for what is no assignment. */
async function writeFor(
  { storage }: House,
  asker: SlackUser,
  { act: kind, which: { ks }, message, isSolution = false, shown, cardId }: KeyedIntent,
  ownerId: number | null,
): Promise<AlertWrite> {
  const own = await storage.ownIds.find(asker)
  // What they only chose may be somebody else’s.
  const about = { ks, message, shown, cardId, senderId: own?.isMatched ? own.userId : undefined }
  if (ownerId !== null) return { kind: 'assign', ...about, ownerId }
  return kind === 'comment' ? { kind, ...about } : { kind: 'close', ...about, isSolution }
}

/** Of these people, those whom Slack names. Their full names, raw, by their id. */
export async function namesOf(
  { slack: { people } }: House,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(userIds.map(async (id) => [id, await people.nameOf(id)] as const))
  return new Map(named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])))
}

/** A mention as Slack writes it, and as people paste it. */
const mentions = /<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g

/** The text as people read it: a mention is a name, or stays as it was typed where Slack has none. Raw. */
async function withNames(house: House, text: string): Promise<string> {
  const names = await namesOf(house, namelessIn(text))
  return text.replaceAll(mentions, (mention, id: string, label = '') => {
    const name = names.get(id) ?? label
    return name === '' ? mention : `@${name}`
  })
}

/** Why a text is not sent, for the form; undefined where it is. */
export async function textProblem(
  { tokens }: House,
  asker: SlackUser,
  kind: AlertWrite['kind'],
  message: string,
): Promise<string | undefined> {
  return holdsToken(message, await tokens.find(asker)) ? tokenInText : textRefusal(kind, message)
}

/**
 * Does what a form asks for, and answers the form. What fails is told after that: Slack may take its time for it.
 * @param place - Where the verdict goes.
 */
export async function actForForm(
  house: House,
  submission: Submission,
  place: Place,
  intent: Intent,
): Promise<void> {
  let answered: Promise<void> | undefined
  const answerForm = () => {
    answered ??= submission.ack()
    return answered
  }
  await act(house, submission.moveTo(place), intent, { answerForm }).finally(answerForm)
}

interface Wanted {
  readonly id: string
  readonly write: AlertWrite
  readonly isOnCard: boolean | undefined
}

async function keepAndSend(
  house: House,
  from: From,
  token: string,
  wanted: Wanted,
  answerForm: () => Promise<void>,
): Promise<void> {
  const { asker, place } = from
  const { workspaceId, userId } = asker
  const sender = { workspaceId, userId }
  const channelId = place.isDirect ? undefined : place.channelId
  const request = { id: wanted.id, sender, channelId, writes: [wanted.write] }
  if (!(await isAskedFirst(house, request))) {
    await answerForm()
    return house.slack.privately(place, say(askedBefore))
  }
  const begun = await keepBegun(house, request, { sender, passes: () => true })
  // It was kept before: whoever began it tells what became of it.
  if (begun === undefined) return answerForm()
  await telling(house, begun, async () => {
    const sending = sendBegun(house, token, begun, answerForm)
    const sent = await sayingWhenSlow(house, from, wanted.write.ks, sending)
    if (sent.isToTell) await tellSent(house, from, token, sent, wanted.isOnCard)
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
    if (isRefusedFor(outcome, ['refused'])) {
      // Nothing was sent, and it goes on with the next token.
      await askToConnect(house, from, waitsFor({ ...intentFrom(write, `${id}:again`), isOnCard }), 'refused')
    } else {
      const assigned = await assignFacts(house, from.asker, token, write, outcome, alert)
      const isLacking = isRefusedFor(outcome, ['forbidden'])
      const ways = isLacking ? await askButtons(house, from.asker, write, alert === undefined) : []
      const found = { id, alert, reason, isLate: false, ways, assigned }
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
