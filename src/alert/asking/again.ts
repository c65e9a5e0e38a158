// Asks again: a look-up that came to nothing gets the button that may mend it, and whoever presses it asks as themselves.
import { MonitorError } from '../../errors.ts'
import { endsAs } from '../../log/request.ts'
import type { ActionRequest, Command, From } from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { type AlertAsk, type Lookup, nearestTo, type OtherAsk, wordsNear } from '../input.ts'
import { readAskAgain, renderNoAlert, renderTryAgain, tryAgainSentence } from '../render/no-card.ts'
import type { AlertRoom } from '../room.ts'
import { OwnToken, refuseToken } from './token.ts'

/**
 * Does a look-up for somebody who waits for it. Where the service knows no such alert, they are told what they may have
 * meant; where it cannot answer, they can try again.
 * @throws What `work` throws otherwise.
 */
export async function orAskAgain(
  room: AlertRoom,
  from: From,
  lookup: Lookup,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof OwnToken) return refuseToken(room, from)
    const answer = error instanceof MonitorError ? await answerTo(room, from.asker, error, lookup) : undefined
    if (answer === undefined || !(error instanceof MonitorError)) throw error
    endsAs(`service-${error.code}`)
    await room.delivery.privately(from.place, answer)
  }
}

/** Undefined where neither another key nor another try can help. */
async function answerTo(
  room: AlertRoom,
  asker: SlackUser,
  { code }: MonitorError,
  lookup: Lookup,
): Promise<Message | undefined> {
  switch (code) {
    case 'not-found':
    case 'bad-request':
      return renderNoAlert(lookup.ks, code, await meantBy(room, asker, lookup))
    case 'busy':
    case 'unreachable':
      return renderTryAgain(tryAgainSentence(code), lookup)
    case 'refused':
    case 'forbidden':
    case 'malformed':
      return undefined
    default:
      return code satisfies never
  }
}

/**
 * What somebody may have meant by a key that there is not: a word of `/alert`, or a key that they have looked up
 * themselves lately. Of nobody else's look-ups anything is known here.
 */
export async function meantBy(
  { recentKeys, log, settings }: Pick<AlertRoom, 'recentKeys' | 'log' | 'settings'>,
  { workspaceId, userId }: SlackUser,
  lookup: Lookup,
): Promise<readonly OtherAsk[]> {
  const seen = await recentKeys({ workspaceId, userId }).catch((error: unknown) => {
    log.warn({ err: error }, 'keys that somebody has looked up could not be read')
    return []
  })
  const keys = nearestTo(lookup.ks, [...new Set(seen)])
  return [
    ...keys.map((ks) => ({ kind: 'look-up' as const, ...lookup, ks })),
    ...wordsNear(lookup.ks, settings.canAct),
  ]
}

/** Somebody who sees nothing happen presses once more, and means the same. */
const pressedAgainMs = 60_000

/** One of these buttons was pressed: runs what it asks for, once, and takes away the message that it is in. */
export async function askAgain(
  { outbound, once }: Pick<AlertRoom, 'outbound' | 'once'>,
  command: Command<AlertAsk>,
  pressed: ActionRequest,
): Promise<void> {
  const other = readAskAgain(pressed.value)
  if (other === undefined) return
  const { asker, place, triggerId } = pressed
  const key = `again ${asker.userId} ${place.channelId} ${place.pressedTs}`
  if (!(await once.claim(asker.workspaceId, key, pressedAgainMs))) return
  const text = other.kind === 'words' ? other.line : ''
  const ask = other.kind === 'words' ? command.parse(other.line) : other
  try {
    await command.run({ ...pressed, text, id: triggerId, triggerId: triggerId || undefined }, ask)
  } finally {
    // Whatever has come of it is said in another message.
    const { retract } = outbound.in(asker.workspaceId)
    if (place.responseUrl !== undefined) await retract(place.responseUrl).catch(() => undefined)
  }
}

/** Whoever wants their token forgotten need not wait for it. @param value - Of the button. */
export function isToDisconnect(value: string): boolean {
  return value === 'line disconnect'
}
