// Acts on an alert for somebody: finds it and the person they mean, sends what they want at most once, tells them what a read
// has shown, and has cards show it. Every line, button and form comes through here. Each read is made with their token.
import { askToConnect, type WaitedFor, withToken } from '../account/connect-first.ts'
import { type Card, cardTheySee } from '../alert/cards.ts'
import { actLine, lookUpFor } from '../alert/input.ts'
import { findAlert, meantBy, refuseToken } from '../alert/look-up.ts'
import { onlyReads, renderNoAlert, severalMatch } from '../alert/render/look-up.ts'
import { isClosed } from '../alert/render/state.ts'
import { sayingWhenSlow } from '../alert/show.ts'
import { knowsMore } from '../alert/thread.ts'
import { updateCard } from '../alert/turn.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import { watchReopening } from '../live/watching.ts'
import { noteOutcome, noteText, type RequestOutcome, setAbout } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import { noNames, personNamed, type Reader } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import { type AlertWrite, isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import { keepBegun, type Notice, type Sent, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import { unlessSlackFails } from '../slack/client.ts'
import type { From } from '../slack/guard/requests.ts'
import { type Message, sayMarked } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { namelessIn, withNames } from '../slack/text/markup.ts'
import { escapeText, limits, linkTo } from '../slack/text/mrkdwn.ts'
import { isBlank } from '../slack/text/typed.ts'
import { emojiOf } from '../slack/workspace/people.ts'
import { alertNamed, formState, type Intent, intentFrom, type KeyedIntent } from './intent.ts'
import { assignFacts, NoAlert, ownerFor, ownerShown } from './owner.ts'
import { doerIn, onlySend } from './record.ts'
import { actModal, holdsToken, textRefusal } from './render/forms.ts'
import { isSaidByCard, isTaken, renderActVerdict, renderNoComment } from './render/verdict.ts'
import { askButtons, hearsOfLack, memberButtons, whereOthersSee } from './rights.ts'

/** Now, or once they have connected an account. Where nothing comes of it, their text comes back with the reason. */
export async function act(house: House, from: From, intent: Intent, triggerId?: string): Promise<void> {
  setAbout('act')
  const { message, which } = intent
  try {
    await actNow(house, from, intent, triggerId)
  } catch (error) {
    const isTypo = error instanceof NoAlert && 'ks' in which
    const meant = isTypo ? await renderMeant(house, from, { ...intent, which }) : undefined
    if (meant !== undefined) return house.slack.privately(from.place, meant)
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
  const isUnwritten = kind === 'comment' && isBlank(message)
  const problem = isUnwritten ? undefined : textRefusal(kind, message)
  if (problem !== undefined) throw new UserError(`${problem} Nothing was sent.`)
  await withToken(house, from, waitsFor({ ...intent, message }), async (token) => {
    const reader = { ...from, token }
    const found = await findAlert(house, reader, which)
    if ('several' in found) throw new UserError(severalMatch)
    const { ks } = found
    // What is kept stands in the database, and a token must not.
    if (ks.includes(token) || message.includes(token)) return refuseToken(house, from)
    const keyed = { ...intent, message, which: { ks } }
    if (isUnwritten) return askForText(house, reader, keyed, triggerId)
    const ownerId = kind === 'assign' ? await ownerFor(house, reader, keyed, triggerId) : null
    // A form asks for whom it is.
    if (ownerId === undefined) return
    const write = await writeFor(house, from.asker, keyed, ownerId)
    await keepAndSend(house, reader, keyed, write)
  })
}

/** What lacks only its text: its form, or a button for it where none can be opened by itself. */
async function askForText(house: House, from: From, intent: KeyedIntent, triggerId: string | undefined) {
  if (triggerId === undefined)
    return house.slack.privately(from.place, renderNoComment(actLine(intent, intent.which.ks)))
  if (!(await hearsOfLack(house, from, intent))) await openActForm(house, { ...from, triggerId }, intent)
}

/** Filled in with what is wanted. */
export async function openActForm(
  house: House,
  { asker, place, triggerId }: From & { readonly triggerId: string },
  intent: KeyedIntent,
): Promise<void> {
  // What it says is in its field.
  const state = formState(place, { ...intent, message: '' })
  const headline = await alertNamed(house, asker, intent)
  await house.slack.openView(triggerId, actModal({ ...intent, state, headline }))
}

/** To whoever mistyped a key: the same line with the one that they may mean. Undefined where none is near. */
async function renderMeant(house: House, { asker }: From, intent: KeyedIntent): Promise<Message | undefined> {
  const { act: kind, which, message } = intent
  const near = await meantBy(house, asker, lookUpFor(which.ks))
  const line = near?.verb === 'Look up' ? actLine(intent, near.name) : undefined
  if (line === undefined || line.length > limits.buttonValue) return undefined
  return renderNoAlert(which.ks, { verb: 'Run', name: `/alert ${kind} ${near?.name}`, line }, message)
}

/** @param ownerId - Null for what is no assignment. */
async function writeFor(
  { storage }: House,
  asker: SlackUser,
  { act: kind, which: { ks }, message, isSolution = false, to, shown, cardId }: KeyedIntent,
  ownerId: number | null,
): Promise<AlertWrite> {
  const own = await storage.ownIds.find(asker)
  // What they only chose may be somebody else’s.
  const about = { ks, message, shown, cardId, senderId: own?.isMatched ? own.userId : undefined }
  const slackId = typeof to === 'object' && 'slackId' in to ? to.slackId : undefined
  if (ownerId !== null) return { kind: 'assign', ...about, ownerId, slackId }
  return kind === 'comment' ? { kind, ...about } : { kind: 'close', ...about, isSolution }
}

/** Of these people and channels, those whom Slack names. Full names, raw, by their id. */
export async function namesOf(
  { slack: { people, channels } }: House,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const nameOf = (id: string) =>
    id.startsWith(':') ? emojiOf(id) : (/^[UW]/.test(id) ? people : channels).nameOf(id)
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
    const news: Notice[] = []
    if (isRefusedFor(outcome, ['refused'])) {
      // Nothing was sent, and it goes on with the next token.
      await askToConnect(house, from, waitsFor({ ...intentFrom(write, `${id}:again`), isOnCard }), 'refused')
    } else {
      const assigned = await assignFacts(house, from, write, outcome, alert)
      const isLacking = isRefusedFor(outcome, ['forbidden'])
      const ways = isLacking
        ? await askButtons(house, from.asker, write, alert === undefined)
        : await memberButtons(house, from, write, outcome, assigned?.isOwn)
      const found = { id, alert, reason, isLate: false, ways, assigned }
      // What they pressed says it already, and pushing it off a phone's screen helps nobody.
      const isSaid = isSaidByCard(write, outcome, found) && (await shown)
      const isNone = alert === undefined && isRefusedFor(outcome, ['not-found'])
      const meant = isNone ? await renderMeant(house, from, intentFrom(write)) : undefined
      const message = meant ?? renderActVerdict(write, outcome, found)
      if (!isSaid) news.push({ userId: sender.userId, place: from.place, message })
    }
    await tell(house, request, news, 'at_once')
    noteOutcome(endOf(outcome))
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
 * Shows what an act has changed, or somebody else before it, and tells its owners. Never rejects: Refresh shows what could
 * not be done.
 * @returns True where the card that it was done on shows it now.
 */
async function showAct(house: House, acted: Acted): Promise<boolean> {
  const { sender, outcome } = acted
  if (outcome.kind !== 'done' && !isRefusedFor(outcome, ['changed'])) return false
  const failed = (error: unknown) => {
    const what = { err: error, user: sender.userId }
    house.log.failedJob('warn', what, 'what follows an act on an alert could not be done')
    return false
  }
  const isShown = await showOnCards(house, acted).catch(failed)
  // Nobody waits for it, and names that it looks for may have come with the card.
  void house.slack.work.track(tellOwners(house, acted).catch(failed))
  return isShown
}

/** On the card that it was done on, and on others of the same alert that are live. */
async function showOnCards(house: House, acted: Acted): Promise<boolean> {
  const { id, sender, write, outcome, from, isOnCard } = acted
  const { userId } = sender
  const card = await cardTheySee(house, sender, write.cardId)
  const hasClosed = write.kind === 'close' && isTaken(outcome)
  const read = async ({ told }: Card) => {
    // Read a moment ago, unless somebody else has drawn it since.
    const known = acted.alert && !knowsMore(told, acted.alert) ? acted.alert : undefined
    const alert = known ?? (await house.monitor.readAlert(from.token, write.ks))
    // Said once for each act.
    const ending = hasClosed && !isClosed(alert) ? { id: `open ${id}`, words: openAtOnce } : undefined
    const doer = isTaken(outcome) ? doerIn(write, alert) : undefined
    return { alert, readBy: userId, ending, doer: doer === undefined ? undefined : { id: doer, userId } }
  }
  // Another message’s response_url leads to that one.
  const elsewhere = card?.posted && { ...from, place: { ...from.place, responseUrl: undefined } }
  const by = isOnCard && card !== undefined ? from : elsewhere
  const drawn = card && by && (await updateCard(house, card, { read, by }))
  const alert = card && by ? drawn?.alert : acted.alert
  if (alert === undefined) return false
  lookSoon(house, sender.workspaceId, alert, write.ks)
  if (card !== undefined && hasClosed && isClosed(alert)) await watchReopening(house, from, card, alert)
  return (
    by !== undefined &&
    (write.kind !== 'assign' || personNamed(drawn?.names ?? noNames, write.ownerId) !== undefined)
  )
}

const openAtOnce = '🔁 Open again, because the trouble is still there.'

/** Tells whoever got it, and whoever had it, directly; nothing of the alert, which their own token may not show. */
async function tellOwners(house: House, { from, sender, write, outcome }: Acted): Promise<void> {
  if (write.kind !== 'assign' || !isTaken(outcome)) return
  const { slack, storage } = house
  const { workspaceId, userId: ownerId } = sender
  const [owner, former] = await Promise.all([
    write.slackId ?? inSlack(house, from, write, write.ownerId),
    inSlack(house, from, write, write.shown?.ownerId),
  ])
  const isTaking = owner === ownerId || write.ownerId === (await ownIdOf(house, sender))
  const lost = isTaking ? 'took over an alert you had' : 'assigned an alert you had to somebody else'
  // Of both, where two numbers are one person's, they hear the better.
  const told = [...new Map([[former, lost] as const, [owner, 'assigned an alert to you'] as const])]
  const tellOne = async ([userId, what]: (typeof told)[number]) => {
    if (userId === undefined || userId === ownerId || (await slack.people.hasLeft(userId))) return
    const giver = (await slack.people.inLine(ownerId)) ?? 'A colleague'
    // Of a line, the card that its sender had asked for.
    const own = write.cardId ? [] : await storage.cards.list({ workspaceId, ownerId, newest: 50 })
    const card = own.find(({ ks, isPrivate }) => ks === write.ks && !isPrivate)
    const posted = await whereOthersSee(house, sender, write.cardId ?? card?.id)
    const link = posted && (await slack.linkOf(posted))
    const where = link === undefined ? 'You’ll find it in monitoring.' : linkTo(link, 'Open its card')
    await slack.post(userId, sayMarked(`${escapeText(`${giver} ${what}.`)} ${where}`))
  }
  await Promise.all(told.map(tellOne))
}

/** Whoever in Slack is that user of the service: as they are known, else by the address that the sender's token shows. */
async function inSlack(house: House, from: From & Reader, write: AlertWrite, id: number | null | undefined) {
  if (id == null) return undefined
  const { slack, storage } = house
  const known = await storage.ownIds.personOf(from.asker.workspaceId, id)
  const email = known ? undefined : (await ownerShown(house, from, write, id))?.email
  return known?.userId ?? (email ? unlessSlackFails(slack.people.memberWith(email)) : undefined)
}
