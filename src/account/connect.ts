// Connects an account, in the form and on the page alike: tests a token at the service before storing it, then resumes
// what waited for it.
import { randomUUID } from 'node:crypto'
import { MonitorError } from '../errors.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Person, SlackUser } from '../slack/ids.ts'
import type { Feature } from '../slack/request-topics.ts'
import { peekWaiting, type Resumed } from './connect-first.ts'
import type { Waits } from './render.ts'
import type { AccountRoom } from './room.ts'

export type ConnectOutcome =
  /** `lacksRights`: the service knows the token but answered 403. */
  | { readonly kind: 'connected'; readonly lacksRights: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'no-answer' }

/** @param waitingId - What waits for the account; `''` if nothing does. It stays waiting. */
export async function connectAccount(
  room: AccountRoom,
  owner: SlackUser,
  token: string,
  waitingId: string,
): Promise<ConnectOutcome> {
  // Reads the alert whose look-up waits, so that the look-up can use the answer.
  const wanted = (await peekWaiting(room, owner, waitingId))?.ks
  // Somebody typed their token in place of a key: it must not get into an address.
  const ks = wanted?.includes(token) ? undefined : wanted
  const outcome = await tryToken(room, owner, token, ks)
  if (outcome.kind === 'connected') await room.tokens.keep(owner, token)
  const { workspaceId, userId } = owner
  await room.audit.record({
    workspaceId,
    userId,
    key: `connect:${randomUUID()}`,
    act: 'connect',
    outcome: outcome.kind === 'connected' ? 'done' : `not-done:${outcome.kind}`,
  })
  return outcome
}

/** Any answer but 401 shows that the service knows the token; no answer shows nothing. */
async function tryToken(
  room: AccountRoom,
  owner: SlackUser,
  token: string,
  ks: string | undefined,
): Promise<ConnectOutcome> {
  try {
    if (ks === undefined)
      return { kind: 'connected', lacksRights: (await room.monitor.tryToken(token)) === 'forbidden' }
    await room.monitor.readAlert(token, ks)
    return { kind: 'connected', lacksRights: false }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'refused') return { kind: 'refused' }
    if (error.code === 'unreachable') return { kind: 'no-answer' }
    // Against the contract, or not HTTP at all? A try without an alert tells the two apart.
    if (error.code === 'malformed')
      return ks === undefined ? { kind: 'no-answer' } : tryToken(room, owner, token, undefined)
    return { kind: 'connected', lacksRights: error.code === 'forbidden' }
  }
}

/** @param viewId - The open modal in which they connected; undefined when it was elsewhere. */
export type Resume = (from: From, resumed: Resumed, viewId: string | undefined) => Promise<void>

/** Resumes what waited once somebody has connected. Put together in `app`, which knows the features. */
export interface Afterwards {
  /** Without an entry here, a feature that can wait doesn't compile. */
  readonly resumes: Readonly<Record<Feature, Resume>>
  /** @param isFromView - They pressed a button that is not in a message. */
  readonly onConnected: (owner: SlackUser, isFromView: boolean) => Promise<void>
}

/** The place they came from. */
export interface CameFrom {
  /** A modal of Bellhop's that is open. */
  readonly viewId?: string | undefined
  /** A response URL, which can remove the message that asked to connect. */
  readonly promptUrl?: string | undefined
  readonly isFromView: boolean
}

/**
 * Finishes after somebody has connected, wherever they gave their token: runs what waited (and tells them if it fails),
 * updates their Home tab, and removes the message that asked them to connect.
 */
export async function goOn(
  { guard, outbound }: Pick<AccountRoom, 'guard' | 'outbound'>,
  { resumes, onConnected }: Afterwards,
  asker: Person,
  resumed: Resumed | undefined,
  { viewId, promptUrl, isFromView }: CameFrom,
): Promise<void> {
  if (resumed !== undefined) {
    const { feature, place } = resumed
    await guard.tellingFailures(feature, place, () => resumes[feature]({ asker, place }, resumed, viewId))
  }
  await onConnected(asker, isFromView)
  if (promptUrl === undefined) return
  const { retract } = outbound.in(asker.workspaceId)
  await retract(promptUrl).catch(() => undefined)
}

/** Says in a word what happens to the command that waited. @param waitingId - `''` if nothing did. */
export function waitsOf(waitingId: string, resumed: Resumed | undefined): Waits {
  if (resumed === undefined) return waitingId === '' ? 'nothing-waits' : 'not-kept'
  return resumed.isOld ? 'waited-too-long' : 'goes-on'
}
