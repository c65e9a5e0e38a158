// Connects an account, in the form as on the page: a token is tried at the service before it is kept, and what waited
// for it goes on.
import { randomUUID } from 'node:crypto'
import { MonitorError } from '../errors.ts'
import type { From } from '../slack/guard/requests.ts'
import { type Person, personKey, type SlackUser } from '../slack/ids.ts'
import type { Feature } from '../slack/request-topics.ts'
import { peekWaiting, type Resumed } from './connect-first.ts'
import type { Waits } from './modal.ts'
import type { AccountRoom } from './room.ts'

export type ConnectOutcome =
  /** `lacksRights`: the service knows the token but answered 403. */
  | { readonly kind: 'connected'; readonly lacksRights: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'no-answer' }
  /** The person left or disconnected while the token was tried: it is not kept. */
  | { readonly kind: 'withdrawn' }

/** @param waitingId - What waits for the account; `''` where nothing does. It is left waiting. */
export async function connectAccount(
  room: AccountRoom,
  owner: SlackUser,
  token: string,
  waitingId: string,
): Promise<ConnectOutcome> {
  // An alert whose look-up waits is read, so that the look-up can use the answer.
  const wanted = (await peekWaiting(room, owner, waitingId))?.ks
  // Somebody has typed their token where a key belongs: it must not stand in an address.
  const ks = wanted?.includes(token) ? undefined : wanted
  const id = randomUUID()
  const outcome = await tryAndKeep(room, owner, token, { ks, id })
  const { workspaceId, userId } = owner
  await room.audit.record({
    workspaceId,
    userId,
    key: `connect:${id}`,
    act: 'connect',
    outcome: outcome.kind === 'connected' ? 'done' : `not-done:${outcome.kind}`,
  })
  return outcome
}

/** @param how.id - The try's own. */
async function tryAndKeep(
  room: AccountRoom,
  owner: SlackUser,
  token: string,
  { ks, id }: { readonly ks: string | undefined; readonly id: string },
): Promise<ConnectOutcome> {
  const { tokens, waiting, onRefusal, now } = room
  // Forgetting somebody takes all that waits for them, this too: so it shows, in every process.
  await waiting.keep(owner, { id, what: '', since: now() })
  const outcome = await tryToken(room, owner, token, ks)
  // Kept before it is asked whether it is still wanted: whoever forgets in between finds it.
  if (outcome.kind === 'connected') await tokens.keep(owner, token)
  const isStillWanted = (await waiting.take(owner, id)) !== undefined
  if (outcome.kind === 'connected' && !isStillWanted) {
    await tokens.forget(owner, 'unkept')
    return { kind: 'withdrawn' }
  }
  // After the token is kept: what was refused before that is of another one.
  if (outcome.kind === 'connected' && outcome.lacksRights) await onRefusal(owner, { kind: 'forbidden', ks })
  return outcome
}

/** Any answer but 401 shows that the token is known; without an answer nothing is known. */
async function tryToken(
  room: AccountRoom,
  owner: SlackUser,
  token: string,
  ks: string | undefined,
): Promise<ConnectOutcome> {
  try {
    if (ks === undefined)
      return { kind: 'connected', lacksRights: (await room.monitor.tryToken(token)) === 'forbidden' }
    await room.reads.fresh(personKey(owner), token, ks)
    return { kind: 'connected', lacksRights: false }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'refused') return { kind: 'refused' }
    if (error.code === 'unreachable') return { kind: 'no-answer' }
    // Out of contract, or not HTTP at all? The attempt without an alert tells the two apart.
    if (error.code === 'malformed')
      return ks === undefined ? { kind: 'no-answer' } : tryToken(room, owner, token, undefined)
    return { kind: 'connected', lacksRights: error.code === 'forbidden' }
  }
}

/** @param viewId - The modal in which the account was connected, still open; undefined when it was elsewhere. */
export type Resume = (from: From, resumed: Resumed, viewId: string | undefined) => Promise<void>

/** Who goes on once somebody has connected. Joined in `app`, which knows the features. */
export interface Afterwards {
  /** A feature that can wait and has nobody here to go on with it does not compile. */
  readonly resumes: Readonly<Record<Feature, Resume>>
  /** @param isFromView - They came by a button that is not in a message. */
  readonly onConnected: (owner: SlackUser, isFromView: boolean) => Promise<void>
}

/** Where they came from. */
export interface CameFrom {
  /** A modal of Bellhop's that is open. */
  readonly viewId?: string | undefined
  /** Where the message that asked to connect can be taken away. */
  readonly promptUrl?: string | undefined
  readonly isFromView: boolean
}

/**
 * Goes on after somebody has connected, wherever they gave their token: what waited is done, whoever asked being told of
 * what fails in it, the Home tab is renewed, and the message that asked to connect is taken away.
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
    await guard.at(feature, place, () => resumes[feature]({ asker, place }, resumed, viewId))
  }
  await onConnected(asker, isFromView)
  if (promptUrl === undefined) return
  const { retract } = outbound.in(asker.workspaceId)
  await retract(promptUrl).catch(() => undefined)
}

/** What becomes of what waited, in a word. @param waitingId - `''` where nothing did. */
export function waitsOf(waitingId: string, resumed: Resumed | undefined): Waits {
  if (resumed === undefined) return waitingId === '' ? 'nothing-waits' : 'not-kept'
  return resumed.isOld ? 'waited-too-long' : 'goes-on'
}
