// Runs work with the asker's own token; without one, asks them to connect and stores what they wanted.
// It knows what waits by name alone: each feature hands it in, and `app` says who resumes it.

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
import { connectButtonFor } from './links.ts'
import { connectReason, renderConnectFirst } from './render.ts'
import type { AccountRoom } from './room.ts'
import type { WaitingCommand } from './tokens.ts'

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

/** After this, a look-up is no longer run, and a grant is confirmed again. */
const keptMs = 15 * 60_000

export interface HowToAsk {
  /** In place of the message whose button was pressed. */
  readonly replaces?: boolean
  /** Another text, raw, for somebody who didn't ask for anything just now. */
  readonly text?: string
  /** A second button for somebody without an account, beside *Connect account*. */
  readonly beside?: Button | undefined
  /** Sends it elsewhere than where they asked, else directly. */
  readonly send?: (message: Message) => Promise<void>
}

/** The part of the room that asking somebody to connect needs. */
export type AskRoom = Pick<
  AccountRoom,
  'waiting' | 'waitingWords' | 'vault' | 'page' | 'delivery' | 'log' | 'now'
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
    if (!(error instanceof MonitorError) || error.code !== 'refused') throw error
    // They have an account, so they don't need the second button.
    await askToConnect(room, from, wanted, 'refused', { ...how, beside: undefined })
  }
}

/** Asks them to connect, and stores what they wanted until they have. */
export async function askToConnect(
  room: AskRoom,
  { asker, place }: From,
  wanted: WaitedFor,
  why: 'none' | 'refused',
  { replaces = false, text, beside, send }: HowToAsk = {},
): Promise<void> {
  noteAbout(aboutOf[wanted.feature])
  const id = await keepWaiting(room, { asker, place }, wanted)
  const reason = text ?? connectReason(why, room.waitingWords[aboutOf[wanted.feature]])
  const message = renderConnectFirst(await connectButtonFor(room.page, asker, id), reason, beside)
  room.log.debug({ why }, 'an account is asked for')
  await (send === undefined ? room.delivery.privately(place, message, { replaces }) : send(message))
  endsAs(why === 'none' ? 'connect' : 'service-refused')
}

/** @returns The id under which it waits. */
async function keepWaiting(
  { waiting, vault, now }: WaitingRoom,
  { asker: { workspaceId, userId }, place }: From,
  wanted: WaitedFor,
): Promise<string> {
  const id = randomUUID()
  const kept = { ...wanted, place: keptPlace(place) }
  const what = vault.seal(JSON.stringify(kept), { purpose: 'waiting', workspaceId, userId })
  await waiting.keep({ workspaceId, userId }, { id, what, since: now() })
  return id
}

type WaitingRoom = Pick<AccountRoom, 'waiting' | 'vault' | 'now'>

/** Reads what waits under this id, and leaves it waiting. */
export async function peekWaiting(
  room: WaitingRoom,
  owner: SlackUser,
  id: string,
): Promise<Resumed | undefined> {
  return openWaiting(room, owner, await room.waiting.find(owner, id))
}

/** Takes what waits under this id: of two callers, one gets it. */
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
  // A newer version stored it.
  if (!read.success) return undefined
  const { place, ...wanted } = read.data
  return { ...wanted, place: placeFrom(place, owner), isOld: now() - kept.since > keptMs }
}
