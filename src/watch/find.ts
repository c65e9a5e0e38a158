// Finds what is to be known about a live card: the alert, read with its watchers' tokens in turn, and who still
// watches.

import { learnNamesForRedraw, namesShownIn } from '../alert/card-names.ts'
import { readerIdOf } from '../alert/cards.ts'
import { MonitorError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import { type Names, noNames } from '../names/names.ts'
import type { LookRoom } from './room.ts'
import type { Ended, KnownCard, Watcher } from './watches.ts'

/** What the service said. */
export type AlertAnswer =
  /** `readAt`: in Unix seconds. */
  | { readonly kind: 'alert'; readonly alert: Alert; readonly readAt: number }
  | { readonly kind: 'missing' }
  /** It may answer next time. */
  | { readonly kind: 'failure'; readonly error: MonitorError }
  /** Nobody is left whose token it could be asked with. */
  | { readonly kind: 'not-asked' }

export interface Findings {
  readonly answer: AlertAnswer
  /** Of a card that only one person sees: who that is at the service, where the alert may be theirs. */
  readonly readerId?: number | undefined
  readonly remaining: readonly Watcher[]
  /** Watchers whose watch has ended; those that had ended before this look come first. */
  readonly ended: readonly { readonly watcher: Watcher; readonly why: Ended }[]
}

/** A dead kept connection is worth another try; a service that is down is asked again later anyway. */
const tries = 2

/** Never throws for anything that the service does. */
export async function findOut(room: LookRoom, live: KnownCard): Promise<Findings> {
  const before = live.watchers.flatMap((watcher) => {
    const why: Ended | undefined = watcher.ended ?? (watcher.isOver ? { kind: 'lifetime' } : undefined)
    return why === undefined ? [] : [{ watcher, why }]
  })
  const ended = [...before]
  const remaining = live.watchers.filter((watcher) => !before.some((one) => one.watcher === watcher))
  if (live.askInMs > 0 && remaining.length > 0) return { answer: notYet(live), remaining, ended }
  if (
    remaining.length > 0 &&
    (await room.sharedChannels.in(live.workspaceId).wasShared(live.posted.channelId))
  ) {
    ended.push(...remaining.map((watcher) => ({ watcher, why: { kind: 'shared' } as const })))
    return { answer: { kind: 'not-asked' }, remaining: [], ended }
  }
  for (const [index, watcher] of remaining.entries()) {
    const answer = await askFor(room, live, watcher)
    if (isAnswer(answer)) {
      const alert = answer.kind === 'alert' ? answer.alert : live.shown?.alert
      const readerId = alert && (await readerIdOf(room, live.card, alert))
      return { answer, readerId, remaining: remaining.slice(index), ended }
    }
    ended.push({ watcher, why: answer })
  }
  return { answer: { kind: 'not-asked' }, remaining: [], ended }
}

/** The service has asked to be left alone, and is. */
function notYet({ askInMs }: KnownCard): AlertAnswer {
  const error = new MonitorError('busy', 'The monitoring service asked to be left alone.', askInMs)
  return { kind: 'failure', error }
}

/** Names that the card and its thread may show of what was found. */
export async function namesFor(
  room: LookRoom,
  { workspaceId, card, posted: { channelId } }: KnownCard,
  { answer, remaining }: Findings,
): Promise<Names> {
  // The alert was read with the token of the first.
  const [reader] = remaining
  if (answer.kind === 'alert' && reader !== undefined) {
    return learnNamesForRedraw(room, card, answer.alert, reader.userId, channelId)
  }
  const { isPrivate, names = noNames } = card
  return namesShownIn(room, { workspaceId, isPrivate, channelId }, names)
}

/** An answer, or why this watcher cannot get one: read with their token. */
export async function askFor(
  { tokens, monitor, now }: LookRoom,
  { workspaceId, card }: KnownCard,
  { userId }: Watcher,
): Promise<AlertAnswer | Ended> {
  const token = await tokens.find({ workspaceId, userId })
  if (token === undefined) return { kind: 'disconnected' }
  try {
    const alert = await monitor.readAlert(token, card.ks, tries)
    return { kind: 'alert', alert, readAt: Math.floor(now() / 1000) }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'refused' || error.code === 'forbidden') return { kind: error.code }
    if (error.code === 'not-found' || error.code === 'bad-request') return { kind: 'missing' }
    return { kind: 'failure', error }
  }
}

const answers: ReadonlySet<string> = new Set<AlertAnswer['kind']>([
  'alert',
  'missing',
  'failure',
  'not-asked',
])

function isAnswer(one: AlertAnswer | Ended): one is AlertAnswer {
  return answers.has(one.kind)
}
