// The same request once more. Slack sends what people do once, so whoever sends it again has caught its bytes.
import { hash } from 'node:crypto'
import type { SlackUser } from '../ids.ts'
import type { Once } from './once.ts'

/** Thrown where a listener must not go on: what it was called for was done before. Told to nobody. */
export class Replayed extends Error {
  override readonly name = 'Replayed'
}

/** What keys in the store begin with: they can be forgotten long before others. */
export const replayKeys = 'request '

/**
 * Rejects with `Replayed` when it is called again for the same request, in whichever process.
 * @param request - What it is known by, its trigger among it: Slack gives each press, command and submission its own.
 */
export type OnlyOnce = (asker: SlackUser, request: readonly string[]) => Promise<void>

export function createOnlyOnce(once: Pick<Once, 'first'>): OnlyOnce {
  return async ({ workspaceId, userId }, request) => {
    const digest = hash('sha256', JSON.stringify([userId, ...request]), 'base64url')
    if (!(await once.first(workspaceId, replayKeys + digest))) throw new Replayed()
  }
}
