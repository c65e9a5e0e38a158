// Connecting an account: a token is tried at the service before it is kept.
import { randomUUID } from 'node:crypto'
import type { Audit } from '../audit/audit.ts'
import { MonitorError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Monitor } from '../monitor/client.ts'
import { type Clock, personKey, type SlackUser } from '../slack/ids.ts'
import type { OnRefusal } from './connect-first.ts'
import type { Tokens } from './tokens.ts'
import type { WaitingCommands } from './waiting.ts'

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
