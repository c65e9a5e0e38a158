// Connects an account: a token is tried at the service before it is kept, and what waited for it goes on.
import { randomUUID } from 'node:crypto'
import type { Audit } from '../audit/audit.ts'
import { MonitorError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Guard } from '../slack/guard/guard.ts'
import { type Clock, type Person, personKey, type SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { WaitingCommands } from './accounts.ts'
import type { OnRefusal, Resumed } from './connect-first.ts'
import type { Waits } from './modal.ts'
import type { Tokens } from './tokens.ts'

export type ConnectOutcome =
  /** `lacksRights`: the service knows the token but answered 403. */
  | { readonly kind: 'connected'; readonly lacksRights: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'no-answer' }
  /** The person left or disconnected while the token was tried: it is not kept. */
  | { readonly kind: 'withdrawn' }

/** @param ks - The alert whose look-up waits: it is read, so that the look-up can use the answer. */
export type Connect = (owner: SlackUser, token: string, ks: string | undefined) => Promise<ConnectOutcome>

export function createConnect(room: {
  readonly tokens: Tokens
  readonly waiting: WaitingCommands
  readonly now: Clock
  readonly reads: AlertReads
  readonly monitor: Pick<Monitor, 'tryToken'>
  readonly audit: Pick<Audit, 'record'>
  readonly onRefusal: OnRefusal
}): Connect {
  const { tokens, waiting, now, reads, monitor, audit, onRefusal } = room

  /** Any answer but 401 shows that the token is known; without an answer nothing is known. */
  async function tryToken(owner: SlackUser, token: string, ks: string | undefined): Promise<ConnectOutcome> {
    try {
      if (ks === undefined)
        return { kind: 'connected', lacksRights: (await monitor.tryToken(token)) === 'forbidden' }
      await reads.fresh(personKey(owner), token, ks)
      return { kind: 'connected', lacksRights: false }
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
      if (error.code === 'refused') return { kind: 'refused' }
      if (error.code === 'unreachable') return { kind: 'no-answer' }
      // Out of contract, or not HTTP at all? The attempt without an alert tells the two apart.
      if (error.code === 'malformed')
        return ks === undefined ? { kind: 'no-answer' } : tryToken(owner, token, undefined)
      return { kind: 'connected', lacksRights: error.code === 'forbidden' }
    }
  }

  /** @param id - The try's own. */
  async function connect(owner: SlackUser, token: string, ks: string | undefined, id: string) {
    // Forgetting somebody takes all that waits for them, this too: so it shows, in every process.
    await waiting.keep(owner, { id, what: '', since: now() })
    const outcome = await tryToken(owner, token, ks)
    // Kept before it is asked whether it is still wanted: whoever forgets in between finds it.
    if (outcome.kind === 'connected') await tokens.keep(owner, token)
    const isStillWanted = (await waiting.take(owner, id)) !== undefined
    if (outcome.kind === 'connected' && !isStillWanted) {
      await tokens.forget(owner, 'unkept')
      return { kind: 'withdrawn' } as const
    }
    // After the token is kept: what was refused before that is of another one.
    if (outcome.kind === 'connected' && outcome.lacksRights) await onRefusal(owner, { kind: 'forbidden', ks })
    return outcome
  }

  return async (owner, token, wanted) => {
    // Somebody has typed their token where a key belongs: it must not stand in an address.
    const ks = wanted?.includes(token) ? undefined : wanted
    const id = randomUUID()
    const outcome = await connect(owner, token, ks, id)
    const { workspaceId, userId } = owner
    await audit.record({
      ...{ workspaceId, userId },
      key: `connect:${id}`,
      act: 'connect',
      outcome: outcome.kind === 'connected' ? 'done' : `not-done:${outcome.kind}`,
    })
    return outcome
  }
}

/** Goes on with what waited for an account. Supplied by `app`, which knows the features. */
export type Resume = (asker: Person, resumed: Resumed, viewId: string | undefined) => Promise<void>

/** Somebody has connected an account. Supplied by `app`. @param isFromView - By a button that is not in a message. */
export type OnConnected = (owner: SlackUser, isFromView: boolean) => Promise<void>

/** Where they came from. */
export interface CameFrom {
  /** A modal of Bellhop's that is open. */
  readonly viewId?: string | undefined
  /** Where the message that asked to connect can be taken away. */
  readonly promptUrl?: string | undefined
  readonly isFromView: boolean
}

/** Whoever asked is told of what fails in what goes on. */
export type GoOn = (asker: Person, resumed: Resumed | undefined, from: CameFrom) => Promise<void>

/**
 * What comes after somebody has connected, wherever they gave their token: what waited for it goes on, the Home tab
 * is renewed, and the message that asked to connect is taken away.
 */
export function createGoOn(room: {
  readonly at: Guard['at']
  readonly outbound: PerWorkspace<Pick<Outbound, 'retract'>>
  readonly resume: Resume
  readonly onConnected: OnConnected
}): GoOn {
  const { at, outbound, resume, onConnected } = room
  return async (asker, resumed, { viewId, promptUrl, isFromView }) => {
    if (resumed !== undefined) {
      await at(resumed.asked, resumed.place, () => resume(asker, resumed, viewId))
    }
    await onConnected(asker, isFromView)
    if (promptUrl === undefined) return
    const { retract } = outbound.in(asker.workspaceId)
    await retract(promptUrl).catch(() => undefined)
  }
}

/** What becomes of what waited, in a word. @param waitingId - `''` where nothing did. */
export function waitsOf(waitingId: string, resumed: Resumed | undefined): Waits {
  if (resumed === undefined) return waitingId === '' ? 'nothing-waits' : 'not-kept'
  return resumed.isOld ? 'waited-too-long' : 'goes-on'
}
