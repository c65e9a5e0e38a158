// Runs work with the asker's own token; without one, asks them to connect and stores what they wanted.
// It knows what waits by name alone: each feature hands it in, and `app` says who resumes it.
import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { type About, endsAs, noteAbout } from '../log/log.ts'
import { topics } from '../slack/guard/failures.ts'
import type { From } from '../slack/guard/requests.ts'
import { type KeptPlace, keptPlace, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { connectReason, renderConnectFirst } from './render.ts'

/** What may wait until its asker has connected an account, and what each is about. */
export const aboutOf = {
  'look-up': 'alert',
  open: 'alert',
  refresh: 'alert',
  share: 'alert',
  unfurl: 'alert',
  watch: 'alert',
  follow: 'alert',
  act: 'act',
  grant: 'grant',
} as const satisfies Readonly<Record<string, About>>

export type Feature = keyof typeof aboutOf

/** What waits for an account. */
export interface WaitedFor {
  readonly feature: Feature
  /** The feature's own; it must survive JSON. */
  readonly ask: unknown
}

/** As it is kept. */
interface Kept extends WaitedFor {
  readonly place: KeptPlace
}

export interface Resumed extends WaitedFor {
  readonly place: Place
}

/** @param run - Does it, as if it was asked just now. Sealed by Bellhop alone, so what comes back is believed. */
export function resuming<Ask>(run: (house: House, from: From, ask: Ask) => Promise<void>) {
  const kept = z.custom<Ask>()
  return (house: House, from: From, { ask }: Resumed) => run(house, from, kept.parse(ask))
}

const minuteMs = 60_000
/** Later, nobody expects an answer any more. A preview and a live card are as good the next morning. */
const keptMs = (feature: Feature) => (feature === 'unfurl' || feature === 'watch' ? 24 * 60 : 15) * minuteMs

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

/**
 * @param work - Gets the token. A MonitorError `refused` from it asks to connect again, and keeps what was wanted.
 */
export async function withToken(
  house: House,
  from: From,
  wanted: WaitedFor,
  work: (token: string) => Promise<void>,
  how?: HowToAsk,
): Promise<void> {
  noteAbout(aboutOf[wanted.feature])
  const token = await house.tokens.find(from.asker)
  if (token === undefined) return askToConnect(house, from, wanted, 'none', how)
  house.log.debug('a token was found')
  try {
    await work(token)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'refused') throw error
    // They have an account, so they don't need the second button.
    await askToConnect(house, from, wanted, 'refused', { ...how, beside: undefined })
  }
}

/** Asks them to connect, and stores what they wanted until they have. */
export async function askToConnect(
  house: House,
  { asker, place }: From,
  wanted: WaitedFor,
  why: 'none' | 'refused',
  { replaces = false, text, beside, send }: HowToAsk = {},
): Promise<void> {
  noteAbout(aboutOf[wanted.feature])
  const id = await keepWaiting(house, { asker, place }, wanted)
  const reason = text ?? connectReason(why, topics[aboutOf[wanted.feature]])
  const message = renderConnectFirst(reason, id, beside)
  house.log.debug({ why }, 'an account is asked for')
  await (send === undefined ? house.slack.privately(place, message, { replaces }) : send(message))
  endsAs(why === 'none' ? 'connect' : 'service-refused')
}

/** @returns The id under which it waits. */
async function keepWaiting(
  { storage, vault }: House,
  { asker, place }: From,
  wanted: WaitedFor,
): Promise<string> {
  const id = randomUUID()
  const { workspaceId, userId } = asker
  const kept = { ...wanted, place: keptPlace(place) }
  const what = vault.seal(JSON.stringify(kept), { purpose: 'waiting', workspaceId, userId })
  const forMs = keptMs(wanted.feature)
  await storage.waiting.put({ workspaceId, userId, key: `${userId} ${id}`, value: what, forMs })
  return id
}

/** Takes what waits under this id: of two callers, one gets it. */
export async function takeWaiting(
  { storage, vault }: House,
  owner: SlackUser,
  id: string,
): Promise<Resumed | undefined> {
  const { workspaceId, userId } = owner
  const waiting = await storage.waiting.take(workspaceId, `${userId} ${id}`)
  const opened = waiting && vault.open(waiting.value, { purpose: 'waiting', workspaceId, userId })
  if (opened === undefined) return undefined
  const { place, ...wanted }: Kept = JSON.parse(opened)
  return { ...wanted, place: placeFrom(place, owner) }
}
