// Names that a card may show: those that its asker's token has shown, kept with the card. Whoever else draws it adds none,
// and where another organisation reads, or may read, there are none.
import type { Alert } from '../../monitor/schema.ts'
import { areSameNames, type Names, noNames, peopleMentioned } from '../../names/names.ts'
import { learnNames, mayLearn, namesKnown } from '../../names/naming.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { inTime } from '../../work/under-way.ts'
import type { Card } from '../cards.ts'
import type { AlertLink } from '../link.ts'
import type { AlertRoom } from '../room.ts'

/** What finding names for cards needs of a room. */
export type NamingRoom = Pick<AlertRoom, 'names' | 'cards' | 'sharedChannels' | 'work' | 'log'>

/** Whoever waits for a card waits no longer than so for names that are still to be read. */
export const momentMs = 1_000

/** Where a card is, or is to be. */
interface Where {
  readonly workspaceId: string
  readonly isPrivate: boolean
  readonly channelId: string | undefined
}

/**
 * The same names, or none unless Slack says that no other organisation reads: the asker has asked for the alert there,
 * and not for who their colleagues are.
 */
export async function namesShownIn(
  { sharedChannels, log }: Pick<NamingRoom, 'sharedChannels' | 'log'>,
  { workspaceId, isPrivate, channelId }: Where,
  names: Names,
): Promise<Names> {
  if (isPrivate || channelId === undefined || areSameNames(names, noNames)) return names
  try {
    return (await sharedChannels.in(workspaceId).wasShared(channelId)) === false ? names : noNames
  } catch (error) {
    log.error({ err: error }, 'Slack was asked in vain who reads in a channel; its cards show no names')
    return noNames
  }
}

/** For a new card, from what its asker's token has shown before: asks the service nothing. */
export async function namesAtFirst(
  room: NamingRoom,
  asker: SlackUser,
  alert: Alert,
  link: AlertLink | undefined,
  where: Where,
): Promise<Names> {
  return namesShownIn(room, where, await namesKnown(room.names, asker, alert, link))
}

/** Whether nothing in it is left to be learned. */
export function isWhole(names: Names, alert: Alert): boolean {
  return names.container?.name !== undefined && areAllNamed(names, alert)
}

/** Whether everybody whom the alert mentions has a name. */
export function areAllNamed({ people }: Names, alert: Alert): boolean {
  return peopleMentioned(alert).every((id) => people[String(id)] !== undefined)
}

/** Reads what is missing in the background. What goes wrong is logged: a card does without. */
export async function learnOf(
  { names, work, log }: NamingRoom,
  asker: SlackUser,
  token: string,
  alert: Alert,
  link: AlertLink | undefined,
): Promise<Names> {
  try {
    return (await work.track(learnNames(names, asker, token, alert, link))).names
  } catch (error) {
    log.warn({ err: error }, 'names could not be learned for a card')
    return noNames
  }
}

/**
 * For a card that is drawn again. What its asker's token shows for the first time is kept with it.
 * @param readerId - With whose token the alert was read, as Slack names them.
 */
export async function namesAgain(
  room: NamingRoom,
  card: Card,
  alert: Alert,
  readerId: string,
  channelId: string | undefined,
): Promise<Names> {
  const { workspaceId, asker, isPrivate, names: kept = noNames } = card
  const where = { workspaceId, isPrivate, channelId }
  if (readerId !== asker.userId) return namesShownIn(room, where, kept)
  const known = joinNames(kept, await namesKnown(room.names, asker, alert, card.link))
  const isToLearn = !isWhole(known, alert) && mayLearn(room.names, asker, alert, card.link)
  const token = isToLearn ? await room.names.tokenOf(asker) : undefined
  const learning = token === undefined ? undefined : learnOf(room, asker, token, alert, card.link)
  const learned = learning && (await inTime(learning, momentMs))
  const all = await namesShownIn(room, where, joinNames(known, learned ?? noNames))
  if (!areSameNames(all, noNames) && !areSameNames(all, kept)) {
    await room.cards.noteNames(workspaceId, card.id, all)
  }
  return all
}

/** Both, the later where they differ. */
export function joinNames(earlier: Names, later: Names): Names {
  return {
    people: { ...earlier.people, ...later.people },
    container: later.container?.name === undefined ? (earlier.container ?? later.container) : later.container,
  }
}
