// Claims on what may happen once, however often Slack delivers it and whichever process gets it: the port of their
// store, work that is done once by them, and requests that come again, which are refused.
import { hash } from 'node:crypto'
import type { SlackUser } from '../ids.ts'

export interface Once {
  /** Claims this key: true for the one caller that does so first, or for the first time in so long. */
  claim(workspaceId: string, key: string, withinMs?: number): Promise<boolean>
  /** Gives a claim back: it did not happen after all. */
  release(workspaceId: string, key: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets keys that were claimed before this time (milliseconds since 1970): those that begin so, or all. */
  prune(before: number, prefix?: string): Promise<void>
}

/** Does `work` unless this key was claimed in so long. It may be done again when it fails, or says `false`. */
export async function doOnce(
  once: Pick<Once, 'claim' | 'release'>,
  {
    workspaceId,
    key,
    withinMs,
  }: { readonly workspaceId: string; readonly key: string; readonly withinMs: number },
  work: () => Promise<unknown>,
): Promise<void> {
  if (!(await once.claim(workspaceId, key, withinMs))) return
  try {
    if ((await work()) === false) await once.release(workspaceId, key)
  } catch (error) {
    await once.release(workspaceId, key)
    throw error
  }
}

/**
 * Thrown where a listener must not go on: the same request came once more. Slack sends what people do once, so
 * whoever sends it again has caught its bytes. Told to nobody.
 */
export class Replayed extends Error {
  override readonly name = 'Replayed'
}

/** Prefix of these keys in the store: they can be forgotten long before others. */
export const replayKeys = 'request '

/**
 * Claims a request, and rejects with `Replayed` when that was done before, in whichever process.
 * @param request - All that it is known by, its trigger among it: Slack gives each press, command and submission one.
 */
export async function refuseIfReplayed(
  once: Pick<Once, 'claim'>,
  { workspaceId, userId }: SlackUser,
  request: readonly string[],
): Promise<void> {
  const digest = hash('sha256', JSON.stringify([userId, ...request]), 'base64url')
  if (!(await once.claim(workspaceId, replayKeys + digest))) throw new Replayed()
}
