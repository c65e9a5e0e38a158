// Acts on an alert with the asker’s token, for every line, button and form: sends at most once, reports, updates cards.
import { askToConnect, type WaitedFor, withToken } from '../account/connect-first.ts'
import { type Card, cardTheySee } from '../alert/cards.ts'
import { actLine, lookUpFor } from '../alert/input.ts'
import { findAlert, meantBy, refuseToken } from '../alert/look-up.ts'
import {
  onlyReads,
  renderNoAlert,
  renderStillAsking,
  severalMatch,
} from '../alert/render/look-up.ts'
import { isClosed } from '../alert/render/state.ts'
import { knowsMore } from '../alert/thread.ts'
import { type CardReading, updateCard } from '../alert/turn.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import { watchReopening } from '../live/watching.ts'
import { noteOutcome, noteRequest } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import { noNames, personNamed } from '../names/names.ts'
import { type AlertWrite, isRefusedFor, requestOutcome, type SendOutcome } from '../send/outcome.ts'
import { keepBegun, type Notice, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Message } from '../slack/outbound/message.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { namelessIn, withNames } from '../slack/text/markup.ts'
import { isBlank } from '../slack/text/typed.ts'
import { emojiOf } from '../slack/workspace/people.ts'
import { assigneeFor } from './assignee.ts'
import {
  type Actor,
  alertNamed,
  formState,
  type Intent,
  intentFrom,
  type KeyedIntent,
} from './intent.ts'
import { ownersFor, tellOwners } from './people.ts'
import { doerIn, onlySend } from './record.ts'
import { actModal, holdsToken, textRefusal } from './render/forms.ts'
import { isSaidByCard, isTaken, renderActVerdict, renderNoComment } from './render/verdict.ts'
import { askButtons, hearsOfLack, memberButtons } from './rights.ts'

/** Acts now, or once an account is connected. If that fails, whoever acted gets the reason, and their text back. */
export async function act(house: House, from: Actor, intent: Intent): Promise<void> {
  const { message, which } = intent
  noteRequest({ about: 'act' })
  try {
    await actNow(house, from, intent)
  } catch (error) {
    const isTypo = error instanceof MonitorError && error.code === 'not-found' && 'ks' in which
    const meant = isTypo ? await renderMeant(house, from, { ...intent, which }) : undefined
    if (meant !== undefined) return house.slack.privately(from.place, meant)

    // A text that holds a token is never repeated.
    if (message !== '' && !holdsToken(message, await house.tokens.find(from.asker)))
      noteRequest({ toReturn: message })
    throw error
  }
}

function waitsFor(ask: Intent): WaitedFor {
  return { feature: 'act', ask }
}

/** Acts with the asker’s account: asks in a form for a missing text or owner first, then stores the write and sends it. */
async function actNow(house: House, from: Actor, intent: Intent) {
  const { act: kind, which } = intent
  // An intent that waited for an account may be older than this setting.
  if (!house.config.hasAllOperations) throw new UserError(onlyReads)

  const message = await namedIn(house, intent.message)
  const isUnwritten = kind === 'comment' && isBlank(message)
  const problem = isUnwritten ? undefined : textRefusal(kind, message)
  if (problem !== undefined) throw new UserError(`${problem} Nothing was sent.`)

  await withToken(house, from, waitsFor({ ...intent, message }), async (token) => {
    const reader = {
      ...from,
      owner: from.asker,
      token,
    }
    const found = await findAlert(house, reader, which)
    if ('several' in found) throw new UserError(severalMatch)

    const { ks } = found
    // The database keeps requests, and must not keep tokens.
    if (ks.includes(token) || message.includes(token)) return refuseToken(house, from)

    const keyed = {
      ...intent,
      message,
      which: { ks },
    }
    if (isUnwritten) return askForText(house, reader, keyed)

    const ownerId = kind === 'assign' ? await assigneeFor(house, reader, keyed) : null
    // Nothing is sent: a form asks for the owner, or the asker has heard why not.
    if (ownerId === undefined) return

    const write = await writeFor(house, from.asker, keyed, ownerId)
    await keepAndAct(house, reader, keyed, write)
  })
}

/** Opens the form for a missing text, or offers a button for the form if Slack lets none open by itself. */
async function askForText(house: House, from: Actor, intent: KeyedIntent) {
  const { triggerId } = from
  if (triggerId === undefined) {
    const line = actLine(intent, intent.which.ks)
    return house.slack.privately(from.place, renderNoComment(line))
  }
  if (!(await hearsOfLack(house, from, intent)))
    await openActForm(house, { ...from, triggerId }, intent)
}

export async function openActForm(
  house: House,
  { asker, place, triggerId }: From & { readonly triggerId: string },
  intent: KeyedIntent,
): Promise<void> {
  // The form’s field keeps the message, so the state need not.
  const state = formState(place, { ...intent, message: '' })
  const headline = await alertNamed(house, asker, intent)
  await house.slack.openView(triggerId, actModal({ ...intent, state, headline }))
}

/**
 * Offers the same line with a key near the mistyped one that the asker has looked up before; undefined if no such key is
 * near.
 */
async function renderMeant(
  house: House,
  { asker }: From,
  intent: KeyedIntent,
): Promise<Message | undefined> {
  const { act: kind, which, message } = intent
  const near = await meantBy(house, asker, lookUpFor(which.ks))
  if (near?.verb !== 'Look up') return undefined
  const line = actLine(intent, near.name)
  const meant = {
    verb: 'Run',
    name: `/alert ${kind} ${near.name}`,
    line,
  } as const
  return renderNoAlert(which.ks, meant, message)
}

/** @param ownerId - The new owner; null for a comment or a closing. */
async function writeFor(
  { storage }: House,
  asker: SlackUser,
  { act: kind, which: { ks }, message, isSolution = false, shown, cardId }: KeyedIntent,
  ownerId: number | null,
): Promise<AlertWrite> {
  const own = await storage.ownIds.find(asker)
  // A number that the asker only chose in a form may be somebody else’s: it doesn’t count.
  const senderId = own?.isMatched ? own.userId : undefined
  const about = {
    ks,
    message,
    shown,
    cardId,
    senderId,
  }
  if (ownerId !== null) return { kind: 'assign', ...about, ownerId }
  if (kind === 'comment') return { kind, ...about }
  return { kind: 'close', ...about, isSolution }
}

/** The text with the names of the people and channels that Slack gives by id, and emoji for their codes. Raw. */
export async function namedIn({ slack }: House, text: string): Promise<string> {
  const { people, channels } = slack
  const names = new Map<string, string>()
  const addName = async (id: string) => {
    const named = /^[UW]/.test(id) ? people : channels
    const name = await (id.startsWith(':') ? emojiOf(id) : named.nameOf(id))
    if (name !== undefined) names.set(id, name)
  }

  await Promise.all(namelessIn(text).map(addName))
  return withNames(text, names)
}

/** Stores the write, sends it once, and shows the outcome on cards and to the asker. */
async function keepAndAct(
  house: House,
  from: From & Account,
  { id, isOnCard = false }: Intent,
  write: AlertWrite,
): Promise<void> {
  const begun = await keepBegun(house, {
    id,
    sender: from.asker,
    writes: [write],
  })
  // The request was delivered twice: the first delivery reports the outcome.
  if (begun === undefined) return

  await holding(house, [begun], async () => {
    const sending = sendBegun(house, from.token, begun)
    const slow = renderStillAsking(write.ks)
    const { request, forSender, isStillHeld } = await sayingWhenSlow(
      house,
      from.place,
      slow,
      sending,
    )
    if (!isStillHeld) return

    const { n, outcome } = onlySend(request)
    const { before, after = before, reason } = forSender.get(n) ?? {}
    const acted = {
      id,
      from,
      write,
      outcome,
      alert: after,
      reason,
      isOnCard,
    }

    // In parallel: a verdict in its own message doesn’t wait for the card.
    const shown = showAct(house, acted)
    try {
      await tell(house, [request], await composeVerdict(house, acted, shown), 'at_once')
      noteOutcome(requestOutcome([outcome]))
    } finally {
      await shown
    }
  })
}

interface Acted {
  readonly id: string
  readonly from: From & Account
  readonly write: AlertWrite
  readonly outcome: SendOutcome
  /** The alert as last read; undefined if no read showed it. */
  readonly alert: Alert | undefined
  /** The service’s own words for a refusal. */
  readonly reason: string | undefined
  readonly isOnCard: boolean
}

/** Composes the verdict for whoever acted. None if the card says the same, or if they are asked to connect an account. */
async function composeVerdict(
  house: House,
  { id, from, write, outcome, alert, reason, isOnCard }: Acted,
  shown: Promise<boolean>,
): Promise<readonly Notice[]> {
  const { asker, place } = from
  const isUnread = alert === undefined
  if (isRefusedFor(outcome, ['refused'])) {
    // Nothing was sent. Once they have connected again, the act goes out in a new request.
    const again = { ...intentFrom(write, `${id}:again`), isOnCard }
    await askToConnect(house, from, waitsFor(again), 'refused')
    return []
  }

  const owners = await ownersFor(house, from, write, outcome, alert)
  const askingButtons = isRefusedFor(outcome, ['forbidden'])
    ? await askButtons(house, asker, write, isUnread)
    : await memberButtons(house, from, write, outcome, owners)
  const found = {
    id,
    alert,
    reason,
    askingButtons,
    owners,
  }
  // The card says the verdict already, and a message would push the card off a phone’s screen.
  if (isSaidByCard(write, outcome, found) && (await shown)) return []

  const isNoAlert = isUnread && isRefusedFor(outcome, ['not-found'])
  const meant = isNoAlert ? await renderMeant(house, from, intentFrom(write)) : undefined
  const message = meant ?? renderActVerdict(write, outcome, found)
  return [{ userId: asker.userId, place, message }]
}

/**
 * Updates cards, tells owners. Never rejects: Refresh makes up for a failure.
 * @returns Whether the card acted on shows the act.
 */
async function showAct(house: House, acted: Acted): Promise<boolean> {
  const { from, write, outcome } = acted
  if (outcome.kind !== 'done' && !isRefusedFor(outcome, ['changed'])) return false
  const failed = (error: unknown) => {
    const what = {
      err: error,
      user: from.asker.userId,
    }
    house.log.failedJob('warn', what, 'what follows an act on an alert could not be done')
    return false
  }

  const isShown = await showOnCards(house, acted).catch(failed)
  // Owners are told in the background, once the card is drawn: drawing may have read the names that telling needs.
  if (write.kind === 'assign' && isTaken(outcome))
    void house.slack.work.track(tellOwners(house, from, write).catch(failed))
  return isShown
}

/** Updates the card acted on, and live cards of the same alert. @returns Whether the card acted on shows the act. */
async function showOnCards(house: House, acted: Acted): Promise<boolean> {
  const { write, from } = acted
  const card = await cardTheySee(house, from.asker, write.cardId)
  const by = card && whoWaits(acted, card)
  const read = (one: Card) => readingAfter(house, acted, one)
  const drawn = by && (await updateCard(house, card, { read, by }))
  const alert = drawn?.alert ?? acted.alert

  if (alert !== undefined) lookSoon(house, from.asker.workspaceId, alert, write.ks)
  if (card === undefined || drawn?.alert === undefined) return false

  if (hasClosed(acted) && isClosed(drawn.alert))
    await watchReopening(house, from, card, drawn.alert)

  // A card that lacks the new owner’s name doesn’t show the act: a message says it.
  const { names = noNames } = drawn
  return write.kind !== 'assign' || personNamed(names, write.ownerId) !== undefined
}

/**
 * The person whose press lets Bellhop change the card. Undefined for a card that only a press on it could change, if the
 * act wasn’t such a press.
 */
function whoWaits({ from, isOnCard }: Acted, card: Card): From | undefined {
  if (isOnCard) return from
  // A response_url changes only the message that was pressed, which isn’t this card.
  const place = { ...from.place, responseUrl: undefined }
  return card.posted && { ...from, place }
}

function hasClosed({ write, outcome }: Acted): boolean {
  return write.kind === 'close' && isTaken(outcome)
}

/** The alert to draw on a card: as the act has read it, unless the card’s thread knows of a newer reading. */
async function readingAfter(house: House, acted: Acted, { told }: Card): Promise<CardReading> {
  const { id, from, write, outcome, alert: known } = acted
  const { userId } = from.asker
  const isNewest = known !== undefined && !knowsMore(told, known)
  const alert = isNewest ? known : await house.monitor.readAlert(from.token, write.ks)

  const doer = isTaken(outcome) ? doerIn(write, alert) : undefined
  // The id has the act’s own id in it, so that the thread says once for each act that the alert is open again.
  const words = '🔁 Open again, because the trouble is still there.'
  const reopened = { id: `open ${id}`, words }
  return {
    alert,
    readBy: userId,
    ending: hasClosed(acted) && !isClosed(alert) ? reopened : undefined,
    doer: doer === undefined ? undefined : { id: doer, userId },
  }
}
