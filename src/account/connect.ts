// Connects an account, in the form and on the page alike: tests a token at the service before storing it, then resumes
// what waited for it.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MonitorError, type MonitorErrorCode } from '../errors.ts'
import type { House } from '../house.ts'
import type { TokenTrial } from '../monitor/client.ts'
import { tellFailures } from '../slack/guard/failures.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import { aboutOf, type Feature, type Resumed, takeWaiting } from './connect-first.ts'
import { problemOf, type Waits } from './render.ts'

/** The way that leads somebody to connect. */
export const way = z.object({
  /** The id of what waits; `''` if nothing does. */
  waitingId: z.string(),
  /** A response URL, which can remove the message that asked. */
  promptUrl: z.string().optional(),
  /** The button that was pressed is in a view. */
  isFromView: z.boolean(),
})
export type Way = z.infer<typeof way>

export type ConnectOutcome =
  | {
      readonly kind: 'connected'
      readonly trial: TokenTrial
      readonly waits: Waits
      readonly resumed: Resumed | undefined
    }
  /** Nothing is stored. `problem`: raw. */
  | { readonly kind: 'not-connected'; readonly code: MonitorErrorCode; readonly problem: string }

export async function connectAccount(
  house: House,
  owner: SlackUser,
  token: string,
  { waitingId }: Way,
): Promise<ConnectOutcome> {
  const { workspaceId, userId } = owner
  const record = (outcome: 'done' | `not-done:${MonitorErrorCode}`) =>
    house.audit.record({ workspaceId, userId, key: `connect:${randomUUID()}`, act: 'connect', outcome })
  let trial: TokenTrial
  try {
    trial = await house.monitor.tryToken(token)
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    const { code } = error
    await record(`not-done:${code}`)
    return { kind: 'not-connected', code, problem: problemOf(code) }
  }
  await house.tokens.keep(owner, token)
  await record('done')
  const resumed = await takeWaiting(house, owner, waitingId)
  const waits = resumed !== undefined ? 'goes-on' : waitingId === '' ? 'nothing-waits' : 'not-kept'
  return { kind: 'connected', trial, waits, resumed }
}

export type Resume = (house: House, from: From, resumed: Resumed) => Promise<void>

/** What goes on once somebody has connected: a table in `app.ts`, which knows the features. */
export interface Afterwards {
  /** Without an entry here, a feature that can wait doesn't compile. */
  readonly resumes: Readonly<Record<Feature, Resume>>
  /** @param isFromView - They pressed a button that is not in a message. */
  onConnected(house: House, owner: SlackUser, isFromView: boolean): Promise<void>
}

/**
 * Finishes after somebody has connected, wherever they gave their token: runs what waited (and tells them if it fails),
 * updates their Home tab, and removes the message that asked them to connect.
 */
export async function goOn(
  house: House,
  asker: Person,
  resumed: Resumed | undefined,
  { promptUrl, isFromView }: Way,
): Promise<void> {
  const { resumes, onConnected } = house.afterwards
  if (resumed !== undefined) {
    const { feature, place } = resumed
    const tell = (message: Message) => house.slack.privately(place, message)
    await tellFailures(house, aboutOf[feature], tell, () =>
      resumes[feature](house, { asker, place }, resumed),
    )
  }
  await onConnected(house, asker, isFromView)
  if (promptUrl !== undefined) await house.slack.retract(promptUrl).catch(() => undefined)
}
