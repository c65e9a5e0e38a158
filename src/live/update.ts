// One card, one turn. Whoever reads, tells and draws a card holds its turn in this process, and where it is live its lease
// between processes. It reads inside of that, so nothing older lands on something newer. *Refresh*, an act and a look at a
// live card all go this way: read, tell the thread, draw, keep. A new card is sent in its turn as well.
import { type Card, namesRead, namesShownBefore, namesShownIn } from '../alert/cards.ts'
import { renderNews } from '../alert/render/history.ts'
import { isClosed } from '../alert/render/state.ts'
import { type Ending, isMentioned, isWorse, newsFor, toldWith } from '../alert/thread.ts'
import type { House } from '../house.ts'
import { type Names, noNames } from '../names/names.ts'
import { waitSecondsOf } from '../slack/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { NotSent } from '../slack/outbound/outbound.ts'
import { isDirectId } from '../slack/person.ts'
import type { DocKey } from '../storage/docs.ts'
import { draw, type Held, isStill, type Reading, type Turn } from './draw.ts'
import { givenBack, type LiveCard, type Outcome, peopleAt, runningAt, takenBy } from './live-cards.ts'
import { closedWords, unreadWords } from './render.ts'

/** So long a closed alert is looked at, as it may open again. */
const restMs = 15 * 60_000
/** What Slack did not take yet is tried again after this time. */
export const soonMs = 5_000

export interface Update {
  /** Undefined where nothing is to be changed. */
  read(held: Held): Promise<Reading | undefined>
  /**
   * Whoever pressed something, and where: they wait for it. Without them it draws only what somebody would miss, as often
   * as Slack takes it.
   */
  readonly by?: From
  /** What becomes of a live card that could not be told or drawn. Without it, the failure is thrown. */
  onFailure?(error: unknown, live: LiveCard): Promise<Outcome>
}

/** @returns What was read. @throws What `read` throws, and what Slack said. */
export function updateCard(house: House, key: DocKey, update: Update): Promise<Reading | undefined> {
  const { turns, storage } = house
  return turns(`card ${key.id}`, async () => {
    const live = await hold(house, key)
    // As it was, if anything is thrown.
    let outcome: Outcome = {}
    try {
      const card = await storage.cards.find(key)
      if (card === undefined) {
        outcome = { isOver: true }
        return undefined
      }
      const held = { card, live }
      const reading = await update.read(held)
      if (reading !== undefined) outcome = await show(house, held, reading, update.by)
      return reading
    } catch (error) {
      if (live === undefined || update.onFailure === undefined) throw error
      outcome = await update.onFailure(error, live)
      return undefined
    } finally {
      if (live?.holder === house.poller.owner)
        await storage.liveCards.change(key, (one, now) => givenBack(one, live, outcome, now))
    }
  })
}

/** Another process that has it longer is not waited for by somebody who pressed something. */
const mostWaits = 50
const waitMs = 200

/** Takes the lease of a live card. @returns Undefined where it is not live. */
async function hold({ storage, poller, now, wait }: House, key: DocKey): Promise<LiveCard | undefined> {
  const { liveCards } = storage
  for (let waits = 0; ; waits += 1) {
    const live = await liveCards.find(key)
    // What its own loop has taken is this process's already.
    if (live === undefined || (live.holder === poller.owner && live.heldUntil > now())) return live
    const taken = await liveCards.change(key, (one, at) => takenBy(one, poller.owner, poller.leaseMs, at))
    if (taken !== undefined || waits === mostWaits) return taken ?? live
    await wait(waitMs)
  }
}

async function show(house: House, held: Held, reading: Reading, by: From | undefined): Promise<Outcome> {
  const posted = held.live?.posted ?? held.card.posted
  const channelId = posted?.channelId ?? by?.place.channelId
  const turn = {
    ...held,
    ...reading,
    posted,
    by,
    names: await namesFor(house, held.card, reading, channelId),
  }
  let failure: unknown
  const isTold = await tell(house, turn).catch((error: unknown) => {
    failure = error
  })
  // Whatever becomes of the reply, the card shows how the alert is.
  const drawn = await draw(house, turn)
  if (failure !== undefined) throw failure
  const { alert, readBy, watchers, isOver } = reading
  const restsUntil = alert && isClosed(alert) ? (held.live?.restsUntil ?? house.now() + restMs) : undefined
  const found = { failures: 0, read: readBy === undefined ? undefined : { restsUntil } }
  // What Slack did not take yet is tried again, also where nothing else happens to the alert.
  if (drawn === 'waits') return { ...found, inMs: soonMs }
  const inMs = Math.round(house.config.watch.intervalMs * (0.95 + Math.random() / 10))
  if (!isTold) return { ...found, shown: drawn, inMs }
  const { live } = held
  const isAtRest = live?.followId !== undefined && runningAt(live, house.now()).length === 0
  const { failures = 0, inMs: wantedMs = isAtRest ? 'never' : inMs } = reading
  return { ...found, shown: drawn, failures, inMs: wantedMs, watchers, isOver }
}

/** Those that its asker’s token has shown: whoever reads it with another one adds none, and reads none with theirs. */
async function namesFor(
  house: House,
  card: Card,
  { alert, readBy }: Reading,
  channelId: string | undefined,
): Promise<Names> {
  const { asker, isPrivate } = card
  if (alert === undefined) return noNames
  const isOwn = readBy === asker.userId
  const names = isOwn
    ? await namesRead(house, asker, card, alert)
    : namesShownBefore(house, asker, card, alert)
  if (JSON.stringify(names) !== JSON.stringify(card.names ?? noNames))
    await house.storage.cards.change(card, (one) => ({ ...one, names }))
  return namesShownIn(house, { isPrivate, channelId }, names)
}

/**
 * Tells the thread what it does not know yet, in one reply, and keeps that. A reply that Slack did not confirm comes again.
 * @returns False where nobody waits for it, and Slack has to be waited for first.
 */
async function tell(house: House, turn: Turn): Promise<boolean> {
  const { config, storage, now } = house
  const { card, live, posted, names, by } = turn
  if (posted === undefined) return true
  const alert = turn.readBy === undefined ? undefined : turn.alert
  const reply = newsFor(card.told, alert, turn.ending ?? endingOf(turn, now()))
  if (reply !== undefined) {
    const about = posted.threadTs === undefined ? undefined : card.title
    // In their direct message the reply is enough.
    const isHeard = live === undefined || isDirectId(posted.channelId) || !isMentioned(reply)
    const mention = isHeard ? [] : runningAt(live, now()).map(({ userId }) => userId)
    const message = renderNews(config, { ...reply, names, about, mention })
    const isForAll = live?.followId !== undefined && isWorse(reply)
    const { channelId, threadTs = posted.ts } = posted
    const post = () => house.slack.postOnce(channelId, message, threadTs, isForAll)
    try {
      await (by === undefined ? inChannelsTurn(house, live, posted, post) : house.slack.patiently(post))
    } catch (error) {
      if (by !== undefined || waitSecondsOf(error) === undefined) throw error
      return false
    }
  }
  const told = toldWith(card.told, reply, alert)
  if (told.join() !== card.told.join()) await storage.cards.change(card, (kept) => ({ ...kept, told }))
  return true
}

/** Once for each time of being live: its alert is closed, or cannot be read. */
function endingOf({ live, alert, readBy, isOverdue }: Turn, now: number): Ending | undefined {
  if (live === undefined) return undefined
  const { since, shown } = live
  if (isOverdue) return { id: `${since} unread ${shown.asOf}`, words: unreadWords }
  // One that was closed when it was drawn last has said so; of a card that nobody watches, nobody was told that it is live.
  const isNews = alert !== undefined && readBy !== undefined && isClosed(alert) && !isClosed(shown.alert)
  return isNews && peopleAt(live, now).length > 0 ? { id: String(since), words: closedWords } : undefined
}

function inChannelsTurn(
  house: House,
  live: LiveCard | undefined,
  { channelId }: Posted,
  post: () => Promise<unknown>,
): Promise<void> {
  return house.pace.inTurn(channelId, async () => {
    if (live === undefined || !(await isStill(house, live))) throw new NotSent()
    await post()
  })
}
