// Runs work with the asker's own token; without one, asks them to connect and keeps what they wanted.
// It knows what waits by name alone: each feature hands it in, and `app` says who goes on with it.

import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import { endsAs, noteAbout } from '../log/request.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { aboutOf, features } from '../slack/request-topics.ts'
import type { WaitingCommand } from './accounts.ts'
import { connectButtonFor } from './links.ts'
import { connectReason, renderConnectFirst } from './render.ts'
import type { AccountRoom } from './room.ts'

const waitedFor = z.object({
  feature: z.enum(features),
  /** The feature's own JSON. */
  ask: z.unknown(),
  /** The alert key, when an alert is to be read. */
  ks: z.string().optional(),
  place: keptPlaceSchema,
})

/** What waits for an account. `ask` must survive JSON. */
export type WaitedFor = Omit<z.infer<typeof waitedFor>, 'place'>

export interface Resumed extends WaitedFor {
  readonly place: Place
  /** Waited for longer than a command is kept. */
  readonly isOld: boolean
}

/** After this, a look-up is not done any more, and a grant is confirmed again. */
const keptMs = 15 * 60_000

export interface HowToAsk {
  /** In place of the message whose button was pressed. */
  readonly replaces?: boolean
  /** What is said instead, raw, to somebody who asked for nothing just now. */
  readonly text?: string
  /** Another way for somebody who has no account, beside *Connect account*. */
  readonly beside?: Button | undefined
  /** Another way than to where they asked, else directly. */
  readonly send?: (message: Message) => Promise<void>
}

/** What asking somebody to connect needs of the room. */
export type AskRoom = Pick<
  AccountRoom,
  'waiting' | 'waitingWords' | 'vault' | 'page' | 'delivery' | 'onRefusal' | 'log' | 'now'
>

/**
 * @param work - Gets the token. A MonitorError `refused` from it asks to connect again, and keeps what was wanted.
 */
export async function withToken(
  room: AskRoom & Pick<AccountRoom, 'tokens'>,
  from: From,
  wanted: WaitedFor,
  work: (token: string) => Promise<void>,
  how?: HowToAsk,
): Promise<void> {
  noteAbout(aboutOf[wanted.feature])
  const token = await room.tokens.find(from.asker)
  if (token === undefined) return askToConnect(room, from, wanted, 'none', how)
  room.log.debug('a token was found')
  try {
    await work(token)
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    const { code } = error
    if (code === 'forbidden') await room.onRefusal(from.asker, { kind: code, ks: wanted.ks })
    if (code !== 'refused') throw error
    // Who has had an account needs no way beside it.
    await askToConnect(room, from, wanted, 'refused', { ...how, beside: undefined })
  }
}

/** Keeps what was wanted and asks for an account. */
export async function askToConnect(
  room: AskRoom,
  { asker, place }: From,
  wanted: WaitedFor,
  why: 'none' | 'refused',
  { replaces = false, text, beside, send }: HowToAsk = {},
): Promise<void> {
  noteAbout(aboutOf[wanted.feature])
  const { workspaceId, userId } = asker
  if (why === 'refused') await room.onRefusal({ workspaceId, userId }, { kind: why, ks: wanted.ks })
  const id = randomUUID()
  // `asked` is for processes of 0.1 alone, which open nothing without it. Goes with 1.0.
  const kept = { ...wanted, asked: aboutOf[wanted.feature], place: keptPlace(place) }
  const what = room.vault.seal(JSON.stringify(kept), { purpose: 'waiting', workspaceId, userId })
  await room.waiting.keep({ workspaceId, userId }, { id, what, since: room.now() })
  const reason = text ?? connectReason(why, room.waitingWords[aboutOf[wanted.feature]])
  const message = renderConnectFirst(await connectButtonFor(room.page, asker, id), reason, beside)
  room.log.debug({ why }, 'an account is asked for')
  await (send === undefined ? room.delivery.privately(place, message, { replaces }) : send(message))
  endsAs(why === 'none' ? 'connect' : 'service-refused')
}

type WaitingRoom = Pick<AccountRoom, 'waiting' | 'vault' | 'now'>

/** What waits under this id, left waiting. */
export async function peekWaiting(
  room: WaitingRoom,
  owner: SlackUser,
  id: string,
): Promise<Resumed | undefined> {
  return openWaiting(room, owner, await room.waiting.find(owner, id))
}

/** What waits under this id, for one caller only. */
export async function takeWaiting(
  room: WaitingRoom,
  owner: SlackUser,
  id: string,
): Promise<Resumed | undefined> {
  return openWaiting(room, owner, await room.waiting.take(owner, id))
}

function openWaiting(
  { vault, now }: WaitingRoom,
  owner: SlackUser,
  kept: WaitingCommand | undefined,
): Resumed | undefined {
  if (kept === undefined) return undefined
  const { workspaceId, userId } = owner
  const opened = vault.open(kept.what, { purpose: 'waiting', workspaceId, userId })
  if (opened === undefined) return undefined
  const read = waitedFor.safeParse(JSON.parse(opened.text))
  // A version that knew more has kept it.
  if (!read.success) return undefined
  const { place, ...wanted } = read.data
  return { ...wanted, place: placeFrom(place, owner), isOld: now() - kept.since > keptMs }
}
