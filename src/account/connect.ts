// Connects an account, in the form and on the page alike: tests a token at the service before storing it, then resumes
// what waited for it.
import { randomUUID } from 'node:crypto'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { TokenTrial } from '../monitor/client.ts'
import { tellFailures } from '../slack/guard/failures.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import { aboutOf, type Feature, type Resumed } from './connect-first.ts'
import type { Waits } from './render.ts'

export type ConnectOutcome =
  | { readonly kind: 'connected'; readonly trial: TokenTrial }
  /** `other-answer`: something else answers where the service should. */
  | { readonly kind: 'refused' | 'no-answer' | 'other-answer' }

export async function connectAccount(house: House, owner: SlackUser, token: string): Promise<ConnectOutcome> {
  const { workspaceId, userId } = owner
  const outcome = await tryToken(house, token)
  if (outcome.kind === 'connected') await house.tokens.keep({ workspaceId, userId }, token)
  await house.audit.record({
    workspaceId,
    userId,
    key: `connect:${randomUUID()}`,
    act: 'connect',
    outcome: outcome.kind === 'connected' ? 'done' : `not-done:${outcome.kind}`,
  })
  return outcome
}

async function tryToken({ monitor }: House, token: string): Promise<ConnectOutcome> {
  try {
    return { kind: 'connected', trial: await monitor.tryToken(token) }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'refused') return { kind: 'refused' }
    return { kind: error.code === 'malformed' ? 'other-answer' : 'no-answer' }
  }
}

/** Where somebody was asked to connect, in Slack. */
export interface Stand {
  /** A response URL, which can remove the message that asked. */
  readonly promptUrl?: string | undefined
  /** The button that was pressed is in a view. */
  readonly isFromView: boolean
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
  { promptUrl, isFromView }: Stand,
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

/** Says in a word what happens to the command that waited. @param waitingId - `''` if nothing did. */
export function waitsOf(waitingId: string, resumed: Resumed | undefined): Waits {
  if (resumed !== undefined) return 'goes-on'
  return waitingId === '' ? 'nothing-waits' : 'not-kept'
}
