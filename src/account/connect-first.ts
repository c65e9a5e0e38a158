// Runs work with the asker's own token; without one, asks them to connect and stores what they wanted, to resume it then.
// A request that waits is known here by its feature’s name alone; a table in `app.ts` says how each feature resumes it.

import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import { MonitorError, type MonitorErrorCode, orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { type About, noteAbout, noteOutcome } from '../log/log.ts'
import type { TokenTrial } from '../monitor/reads.ts'
import { tellFailures, topics } from '../slack/guard/failures.ts'
import type { From } from '../slack/guard/requests.ts'
import { type KeptPlace, keptPlace, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import { minuteMs } from '../work/durations.ts'
import { connectReason, problemOf, renderConnectFirst, type Waits } from './render.ts'

type OfAlerts =
  | 'look-up'
  | 'open'
  | 'refresh'
  | 'share'
  | 'unfurl'
  | 'watch'
  | 'follow'
  | 'maintenance'
  | 'since'
type Feature = OfAlerts | 'act' | 'grant' | 'grant-who' | 'grant-change'

/** The topic of a feature’s requests: for the log, and for what is said about a failure. */
function aboutOf(feature: Feature): About {
  if (feature.startsWith('grant')) return 'grant'
  return feature === 'act' ? 'act' : 'alert'
}

export interface WaitedFor {
  readonly feature: Feature
  /** The feature's own data, which must survive JSON. */
  readonly ask: unknown
}

export interface Resumed extends WaitedFor {
  readonly place: Place
}

/**
 * @param run - Does what was asked. What was asked needs no check: Bellhop itself has stored it, sealed.
 */
export function resuming<Ask>(run: (house: House, from: From, ask: Ask) => Promise<void>) {
  const kept = z.custom<Ask>()
  return (house: House, from: From, { ask }: Resumed) => run(house, from, kept.parse(ask))
}

/**
 * How long a request waits: a quarter of an hour, as nobody expects an answer later. A day for a preview or a live card,
 * which are as good the next morning.
 */
const keptMs = (feature: Feature) =>
  (feature === 'unfurl' || feature === 'watch' ? 24 * 60 : 15) * minuteMs

interface HowToAsk {
  /** True to replace the message whose button was pressed. */
  readonly replaces?: boolean
  /** The reason to connect, raw, for somebody who didn't ask for anything just now. */
  readonly text?: string
  /** A second button for somebody without an account, beside *Connect account*. */
  readonly beside?: Button | undefined
  /** Sends the message elsewhere. Default: privately, where they asked. */
  readonly send?: (message: Message) => Promise<void>
}

/** @param work - If it throws MonitorError `refused`, the asker is asked to connect again, and what they wanted is kept. */
export async function withToken(
  house: House,
  from: From,
  wanted: WaitedFor,
  work: (token: string) => Promise<void>,
  how?: HowToAsk,
): Promise<void> {
  noteAbout(aboutOf(wanted.feature))
  const token = await house.tokens.find(from.asker)
  if (token === undefined) return askToConnect(house, from, wanted, 'none', how)
  house.log.debug('a token was found')
  try {
    await work(token)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'refused') throw error
    // Somebody with an account doesn't need the second button.
    await askToConnect(house, from, wanted, 'refused', { ...how, beside: undefined })
  }
}

/**
 * Stores what somebody wants, sealed, until they have connected an account, and sends them the button to connect one.
 * @param why - `refused`: they have an account, whose token monitoring no longer accepts.
 */
export async function askToConnect(
  house: House,
  { asker, place }: From,
  wanted: WaitedFor,
  why: 'none' | 'refused',
  { replaces = false, text, beside, send }: HowToAsk = {},
): Promise<void> {
  const { storage, vault } = house
  const id = randomUUID()
  const { workspaceId, userId } = asker
  const kept = JSON.stringify({ ...wanted, place: keptPlace(place) })
  const value = vault.seal(kept, { purpose: 'waiting', workspaceId, userId })
  const forMs = keptMs(wanted.feature)
  await storage.waiting.put({ workspaceId, userId, key: `${userId} ${id}`, value, forMs })
  const reason = text ?? connectReason(why, topics[aboutOf(wanted.feature)].nothing)
  const message = renderConnectFirst(reason, id, beside)
  house.log.debug({ why }, 'an account is asked for')
  await (send === undefined ? house.slack.privately(place, message, { replaces }) : send(message))
  noteOutcome(why === 'none' ? 'connect' : 'service-refused')
}

/** Takes the request that waits under this id: only one caller gets it. Undefined if nothing waits. */
async function takeWaiting({ storage, vault }: House, owner: SlackUser, id: string) {
  const { workspaceId, userId } = owner
  const waiting = await storage.waiting.take(workspaceId, `${userId} ${id}`)
  const opened = waiting && vault.open(waiting.value, { purpose: 'waiting', workspaceId, userId })
  if (opened === undefined) return undefined
  const { place, ...wanted }: WaitedFor & { readonly place: KeptPlace } = JSON.parse(opened)
  return { ...wanted, place: placeFrom(place, owner) }
}

export const connectOrigin = z.object({
  /** The id of what waits; `''` if nothing does. */
  waitingId: z.string(),
  /** Slack’s URL by which the message that asked to connect can be removed. */
  promptUrl: z.string().optional(),
  /** True when the button that was pressed is in a view. */
  isFromView: z.boolean(),
})
export type ConnectOrigin = z.infer<typeof connectOrigin>

export type ConnectOutcome =
  | { readonly trial: TokenTrial; readonly waits: Waits; readonly resumed: Resumed | undefined }
  | { readonly code: MonitorErrorCode; readonly problem: string }

/**
 * Tries a token at the service and, if it is accepted, stores it and takes the request that waited for it.
 * @returns `resumed`: that request, which the caller continues by `goOn`; or why the token wasn’t taken.
 */
export async function connectAccount(
  house: House,
  owner: SlackUser,
  token: string,
  { waitingId }: ConnectOrigin,
): Promise<ConnectOutcome> {
  const { workspaceId, userId } = owner
  const record = (outcome: 'done' | `not-done:${MonitorErrorCode}`) =>
    house.audit.record({
      workspaceId,
      userId,
      key: `connect:${randomUUID()}`,
      act: 'connect',
      outcome,
    })
  const trial = await orMonitorError(house.monitor.tryToken(token))
  if (trial instanceof MonitorError) {
    const { code } = trial
    await record(`not-done:${code}`)
    return { code, problem: problemOf(code) }
  }
  await house.tokens.keep(owner, token)
  await record('done')
  const resumed = await takeWaiting(house, owner, waitingId)
  const isKept = resumed !== undefined
  const forgotten = waitingId === '' ? 'nothing-waits' : 'not-kept'
  return { trial, waits: isKept ? 'goes-on' : forgotten, resumed } as const
}

/** Functions of features that accounts and cards call. They are handed in here, so that accounts import no feature. */
export interface Afterwards {
  readonly resumes: Readonly<Record<Feature, ReturnType<typeof resuming>>>
  /** Shows Home anew. Called when somebody has connected by a button in a view, as Home is. */
  publishHome(house: House, owner: SlackUser): Promise<void>
  /** Offers to end access that somebody got for an alert. Called each time that a card shows the alert as closed. */
  offerHandBack(house: House, workspaceId: string, card: Posted): Promise<void>
}

/** Continues a request that waited for an account; removes the message that asked to connect, and redraws Home. */
export async function goOn(
  house: House,
  asker: Person,
  resumed: Resumed | undefined,
  { promptUrl, isFromView }: ConnectOrigin,
): Promise<void> {
  const { resumes, publishHome } = house.afterwards
  if (resumed !== undefined) {
    const { feature, place } = resumed
    const tell = (message: Message) => house.slack.privately(place, message)
    await tellFailures(house, aboutOf(feature), tell, () =>
      resumes[feature](house, { asker, place }, resumed),
    )
  }
  if (isFromView) await publishHome(house, asker)
  if (promptUrl !== undefined) await house.slack.retract(promptUrl).catch(() => undefined)
}
