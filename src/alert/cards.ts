// Posted cards: what is kept of each, who may see and press it, and which names it shows.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { containerKnown, learnNames, namesKnown } from '../names/containers.ts'
import { type Names, noNames } from '../names/names.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Line, Posted } from '../slack/outbound/message.ts'
import { type Account, isDirectId, type SlackUser } from '../slack/person.ts'
import type { DocKey, Facets } from '../storage/docs.ts'
import { inTime } from '../work/under-way.ts'
import type { AlertPlace } from './place.ts'
import type { Aloud } from './thread.ts'

/** One posted card. Buttons carry its `id`; the rest is looked up here. */
export interface Card extends DocKey {
  /** The alert’s key as the asker gave it. */
  readonly ks: string
  /** The alert's message when it was looked up, shortened; raw. */
  readonly title: string
  readonly asker: SlackUser
  /** The asker's name in Slack, raw; empty if nobody asked for the card, as a channel that follows the container got it. */
  readonly askerName: string
  /** The channel in which somebody asked for the card, if any: *Share in channel* posts there. */
  readonly channelId: string | undefined
  readonly isPrivate: boolean
  /** Creation time, in milliseconds since 1970. */
  readonly at: number
  /** Marks of the news that the card’s thread was told, in any order. thread.ts makes them. */
  readonly told: readonly string[]
  /** Mention with which the card was posted. Edits repeat it, or Slack would no longer show whom the card called. */
  readonly calls?: string | undefined
  readonly aloud?: Aloud | undefined
  /**
   * The card’s message; undefined until it is sent. Also undefined if Slack did not say where the message is: card and
   * history are then one message, posted through a response_url.
   */
  readonly posted: Posted | undefined
  /** The alert’s asset and container; undefined while nobody knows them. */
  readonly place?: AlertPlace | undefined
  /** Names of people and of the container, as the token that read the alert last has shown them. */
  readonly names?: Names | undefined
}

/** Facets, by which the database finds cards: whoever asked for them, and the thread that they are in or begin. */
export function facetsOfCard(card: Card): Facets {
  const { asker, posted } = card
  const ownerId = isOfFollow(card) ? '' : asker.userId
  const ref = posted ? threadRef(posted.channelId, posted.threadTs ?? posted.ts) : ''
  return { ownerId, ref, claim: null, dueAt: null }
}

function threadRef(channelId: string, threadTs: string) {
  return `${channelId} ${threadTs}`
}

/** Finds a card; waits while it is being sent. @throws UserError if the card is forgotten, or private to somebody else. */
export async function cardFor(house: House, person: SlackUser, cardId: string): Promise<Card> {
  const find = () => cardTheySee(house, person, cardId)
  const found = await find()
  const card = found?.posted === undefined ? await house.turns(`card ${cardId}`, find) : found
  if (!card)
    throw new UserError('This card is too old, so nothing was done. Use /alert again, or /grant.')

  return card
}

/** True of a card that nobody asked for, as its channel follows the container. */
export function isOfFollow({ askerName }: Pick<Card, 'askerName'>): boolean {
  return askerName === ''
}

function maySee({ userId }: SlackUser, { isPrivate, asker }: Card) {
  return !isPrivate || asker.userId === userId
}

/** The card, if this person may see it; undefined if the card is forgotten, or private to somebody else. */
export async function cardTheySee(
  { storage }: House,
  person: SlackUser,
  cardId: string | undefined,
): Promise<Card | undefined> {
  const { workspaceId } = person
  const card = cardId && (await storage.cards.find({ workspaceId, id: cardId }))
  return card && maySee(person, card) ? card : undefined
}

/** The message of a card that others see, too; undefined if nobody else sees the card, or its message is unknown. */
export async function whereOthersSee(house: House, person: SlackUser, cardId: string | undefined) {
  const { isPrivate, posted } = (await cardTheySee(house, person, cardId)) ?? {}
  return isPrivate || !posted || isDirectId(posted.channelId) ? undefined : posted
}

/** Finds the card that a thread begins with; else one posted in the thread, if all cards there are about one alert. */
export async function cardInThread(
  { storage }: House,
  person: SlackUser,
  { channelId, threadTs }: Pick<Place, 'channelId' | 'threadTs'>,
): Promise<Card | undefined> {
  if (!channelId || !threadTs) return undefined

  const { workspaceId } = person
  const inThread = await storage.cards.list({ workspaceId, ref: threadRef(channelId, threadTs) })
  const root = inThread.filter(({ posted }) => posted?.ts === threadTs)

  return onlyOne(person, root) ?? onlyOne(person, inThread)
}

/** Picks the last card that this person may see; undefined if there is none, or if they may see cards of several alerts. */
export function onlyOne(person: SlackUser, cards: readonly (Card | undefined)[]): Card | undefined {
  const seen = cards.flatMap((card) => (card && maySee(person, card) ? card : []))
  return new Set(seen.map(({ ks }) => ks)).size === 1 ? seen.at(-1) : undefined
}

/** Names that a card shows. */
export interface Naming {
  readonly names: Names
  /** Name of the alert’s asset, raw. It is never stored, as only the reader’s own token has shown it. */
  readonly asset?: string | undefined
  /** Line saying that the asset is in maintenance, as the reader’s token has shown. */
  readonly quiet?: Line | undefined
}

/** How long a card waits for names. */
const momentMs = 1_000

/**
 * Names for a card. Missing names are read with the reader’s token; the card does without those that take longer than
 * `momentMs`.
 */
export async function namesRead(
  house: House,
  reader: Account,
  card: Pick<Card, 'place' | 'names'>,
  alert: Alert,
): Promise<Names> {
  const learning = learnNames(house, reader, alert, card).catch((error: unknown) =>
    house.log.warn({ err: error }, 'names could not be learned for a card'),
  )
  await inTime(house.slack.work.track(learning), momentMs)
  return namesKnown(house, reader.owner, alert, card)
}

/**
 * Leaves out all names if people of another organisation may read in the card’s channel, or Slack can’t say: names give
 * away who works here, on which machines. A private card shows them.
 */
export async function namesShownIn(
  { slack, log }: House,
  { isPrivate, channelId }: Pick<Card, 'isPrivate' | 'channelId'>,
  naming: Naming,
): Promise<Naming> {
  const { names, asset, quiet } = naming
  const isNone = !asset && !quiet && !names.container && Object.keys(names.people).length === 0
  if (isPrivate || !channelId || isNone) return naming

  const isShared = await slack.channels.isSharedLately(channelId).catch((error: unknown) => {
    const text = 'Slack was asked in vain who reads in a channel; its cards show no names'
    log.error({ err: error }, text)
  })
  return isShared === false ? naming : { names: noNames }
}

/** How long a form waits to learn who reads in the channel: a form has to open within three seconds of its press. */
const seenMs = 1_000

/**
 * The alert that a card is about, in words, and the place for news of it: the card’s thread, or the conversation if the
 * card has no thread.
 * @returns `name`: raw, as in: alert “Disk full” (5HkX). `isForAll`: others see the card, and none is of another
 * organisation.
 * @throws UserError if the card is forgotten, or private to somebody else.
 */
export async function subjectOf(house: House, { asker, place }: From, cardId: string) {
  const card = await cardFor(house, asker, cardId)
  const { ks, title, isPrivate, posted } = card
  const name = title === ks ? `alert ${ks}` : `alert “${title}” (${ks})`
  const containerId = containerKnown(house, asker, ks, card)
  // A private card has a thread only in the asker’s direct message: there, its message is known.
  if (isPrivate && !posted) return { name, place, isForAll: false, containerId }

  const threadTs = place.threadTs ?? place.pressedTs
  const isThreadNew = !place.threadTs && !posted
  const { channelId } = place
  const isSeen = !isPrivate && channelId
  const outsiders = isSeen && (await inTime(house.slack.channels.outsiders(channelId), seenMs))
  const isForAll = outsiders === 'none'

  return { name, place: { ...place, threadTs, isThreadNew }, isForAll, containerId }
}

export interface Live {
  /** Names of the watchers, raw, the one who watches longest first; at least one. */
  readonly names: readonly string[]
  /** End of the last watch, in milliseconds since 1970. */
  readonly until: number
}
