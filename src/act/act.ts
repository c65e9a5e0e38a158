// Acts on an alert for somebody: finds it and the person they mean, sends what they want at most once, tells them what a read
// has shown, and has cards show it. Every line, button and form comes through here. Each read is made with their token.
import { askToConnect, type WaitedFor, withToken } from '../account/connect-first.ts'
import { cardTheySee } from '../alert/cards.ts'
import { findAlert, refuseToken } from '../alert/look-up.ts'
import { onlyReads, severalMatch } from '../alert/render/look-up.ts'
import { isClosed } from '../alert/render/state.ts'
import { sayingWhenSlow } from '../alert/show.ts'
import { updateCard } from '../alert/turn.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import { watchReopening } from '../live/watching.ts'
import { endsAs, noteText, type RequestOutcome, setAbout } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Reader } from '../names/names.ts'
import { type AlertWrite, isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import { keepBegun, type News, type Sent, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import type { From } from '../slack/guard/requests.ts'
import { sayMarked } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { namelessIn, withNames } from '../slack/text/markup.ts'
import { escapeText, linkTo } from '../slack/text/mrkdwn.ts'
import { type Intent, intentFrom, type KeyedIntent } from './intent.ts'
import { assignFacts, ownerFor } from './owner.ts'
import { onlySend } from './record.ts'
import { holdsToken, textRefusal } from './render/forms.ts'
import { isSaidByCard, isTaken, renderActVerdict } from './render/verdict.ts'
import { askButtons, whereOthersSee } from './rights.ts'

/** Now, or once they have connected an account. Where nothing comes of it, their text comes back with the reason. */
export async function act(house: House, from: From, intent: Intent, triggerId?: string): Promise<void> {
  setAbout('act')
  const { message } = intent
  try {
    await actNow(house, from, intent, triggerId)
  } catch (error) {
    const isExpected = error instanceof UserError || error instanceof MonitorError
    // A token is not repeated.
    if (isExpected && message !== '' && !holdsToken(message, await house.tokens.find(from.asker)))
      noteText(message)
    throw error
  }
}

function waitsFor(ask: Intent): WaitedFor {
  return { feature: 'act', ask }
}

async function actNow(house: House, from: From, intent: Intent, triggerId: string | undefined) {
  const { act: kind, which } = intent
  // What waits for an account may be older than that setting.
  if (!house.config.hasAllOperations) throw new UserError(onlyReads)
  const names = await namesOf(house, namelessIn(intent.message))
  const message = withNames(intent.message, names)
  const problem = textRefusal(kind, message)
  if (problem !== undefined) throw new UserError(`${problem} Nothing was sent.`)
  await withToken(house, from, waitsFor({ ...intent, message }), async (token) => {
    const reader = { ...from, token }
    const found = await findAlert(house, reader, which)
    if ('several' in found) throw new UserError(severalMatch)
    const { ks } = found
    // What is kept stands in the database, and a token must not.
    if (ks.includes(token) || message.includes(token)) return refuseToken(house, from)
    const keyed = { ...intent, message, which: { ks } }
    const ownerId = kind === 'assign' ? await ownerFor(house, reader, keyed, triggerId) : null
    // A form asks for whom it is.
    if (ownerId === undefined) return
    const write = await writeFor(house, from.asker, keyed, ownerId)
    await keepAndSend(house, reader, keyed, write)
  })
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

/** Of these people and channels, those whom Slack names. Full names, raw, by their id. */
export async function namesOf(
  { slack: { people, channels } }: House,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const nameOf = (id: string) => (/^[UW]/.test(id) ? people : channels).nameOf(id)
  const named = await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const))
  return new Map(named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])))
}

async function keepAndSend(
  house: House,
  from: From & Reader,
  { id, isOnCard = false }: Intent,
  write: AlertWrite,
): Promise<void> {
  const begun = await keepBegun(house, { id, sender: from.asker, writes: [write] })
  // It was kept before: whoever began it tells what became of it.
  if (begun === undefined) return
  await holding(house, begun, async () => {
    const sending = sendBegun(house, from.token, begun)
    const sent = await sayingWhenSlow(house, from, write.ks, sending)
    if (sent.isToTell) await tellSent(house, from, sent, isOnCard)
  })
}

async function tellSent(house: House, from: From & Reader, { request, learned }: Sent, isOnCard: boolean) {
  const { id, sender } = request
  const { n, write, outcome } = onlySend(request)
  const { alert, reason } = learned.get(n) ?? {}
  // At the same time: a verdict of its own does not wait for the card.
  const shown = showAct(house, { id, from, sender, write, outcome, alert, isOnCard })
  try {
    const news: News[] = []
    if (isRefusedFor(outcome, ['refused'])) {
      // Nothing was sent, and it goes on with the next token.
      await askToConnect(house, from, waitsFor({ ...intentFrom(write, `${id}:again`), isOnCard }), 'refused')
    } else {
      const assigned = await assignFacts(house, from, write, outcome, alert)
      const isLacking = isRefusedFor(outcome, ['forbidden'])
      const ways = isLacking ? await askButtons(house, from.asker, write, alert === undefined) : []
      const found = { id, alert, reason, isLate: false, ways, assigned }
      // What they pressed says it already, and pushing it off a phone's screen helps nobody.
      const isSaid = isSaidByCard(write, outcome, found) && (await shown)
      const message = renderActVerdict(write, outcome, found)
      if (!isSaid) news.push({ userId: sender.userId, place: from.place, message })
    }
    await tell(house, request, news, 'at_once')
    endsAs(endOf(outcome))
  } finally {
    await shown
  }
}

function endOf(outcome: SendOutcome): RequestOutcome {
  if (outcome.kind === 'not-done') return `service-${outcome.code}`
  return ({ done: 'ok', uncertain: 'uncertain', 'not-sent': 'stopped' } as const)[outcome.kind]
}

interface Acted {
  readonly id: string
  readonly from: From & Reader
  readonly sender: SlackUser
  readonly write: AlertWrite
  readonly outcome: SendOutcome
  /** As it was read last. */
  readonly alert: Alert | undefined
  readonly isOnCard: boolean
}

/**
 * Shows what an act has changed, or somebody else before it, and tells a new owner. Never rejects: Refresh shows what could
 * not be done.
 * @returns True where the card that it was done on shows it now.
 */
async function showAct(house: House, acted: Acted): Promise<boolean> {
  const { sender, outcome } = acted
  if (outcome.kind !== 'done' && !isRefusedFor(outcome, ['changed'])) return false
  try {
    const isShown = await showOnCards(house, acted)
    await tellNewOwner(house, acted)
    return isShown
  } catch (error) {
    const what = { err: error, user: sender.userId }
    house.log.failedJob('warn', what, 'what follows an act on an alert could not be done')
    return false
  }
}

/** On the card that it was done on, and on others of the same alert that are live. */
async function showOnCards(house: House, acted: Acted): Promise<boolean> {
  const { id, sender, write, outcome, from, isOnCard } = acted
  const card = await cardTheySee(house, sender, write.cardId)
  const hasClosed = write.kind === 'close' && isTaken(outcome)
  const read = async () => {
    const alert = await house.monitor.readAlert(from.token, write.ks)
    // Said once for each act.
    const ending = hasClosed && !isClosed(alert) ? { id: `open ${id}`, words: openAtOnce } : undefined
    return { alert, readBy: sender.userId, ending }
  }
  // Another message’s response_url leads to that one.
  const elsewhere = card?.posted && { ...from, place: { ...from.place, responseUrl: undefined } }
  const by = isOnCard && card !== undefined ? from : elsewhere
  const alert = card && by ? (await updateCard(house, card, { read, by }))?.alert : acted.alert
  if (alert === undefined) return false
  lookSoon(house, sender.workspaceId, alert, write.ks)
  if (card !== undefined && hasClosed && isClosed(alert)) await watchReopening(house, from, card, alert)
  // Of a colleague's card it is not certain that it may name the new owner.
  return by !== undefined && (write.kind !== 'assign' || card?.asker.userId === sender.userId)
}

const openAtOnce = '🔁 Open again, because the trouble is still there.'

/** Tells a new owner who is somebody else, directly; nothing of the alert, which their own token may not show. */
async function tellNewOwner(house: House, { sender, write, outcome }: Acted): Promise<void> {
  const { slack, storage } = house
  if (write.kind !== 'assign' || !isTaken(outcome)) return
  const owner = await storage.ownIds.personOf(sender.workspaceId, write.ownerId)
  if (owner === undefined || owner.userId === sender.userId || (await slack.people.hasLeft(owner.userId)))
    return
  const giver = await slack.people.inLine(sender.userId)
  const posted = await whereOthersSee(house, sender, write.cardId)
  const link = posted && (await slack.linkOf(posted))
  const where = link === undefined ? 'You’ll find it in monitoring.' : linkTo(link, 'Open its card')
  const told = escapeText(`${giver ?? 'A colleague'} assigned an alert to you.`)
  await slack.post(owner.userId, sayMarked(`${told} ${where}`))
}
