// Connecting an account: a token is tried at the service before it is kept.
import { MonitorError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Monitor } from '../monitor/client.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import type { Tokens } from './tokens.ts'

export type ConnectOutcome =
  /** `lacksRights`: the service knows the token but answered 403. */
  | { readonly kind: 'connected'; readonly lacksRights: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'no-answer' }

/** @param ks - The alert whose look-up waits: it is read, so that the look-up can use the answer. */
export type Connect = (owner: SlackUser, token: string, ks: string | undefined) => Promise<ConnectOutcome>

export function createConnect(room: {
  readonly tokens: Tokens
  readonly reads: AlertReads
  readonly monitor: Pick<Monitor, 'tryToken'>
}): Connect {
  const { tokens, reads, monitor } = room

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
      return { kind: 'connected', lacksRights: error.code === 'forbidden' }
    }
  }

  return async (owner, token, ks) => {
    const outcome = await tryToken(owner, token, ks)
    if (outcome.kind === 'connected') await tokens.keep(owner, token)
    return outcome
  }
}
