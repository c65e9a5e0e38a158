// Things that happen once, however often Slack delivers them and whichever process gets them: the port of the store.
import { hash } from 'node:crypto'
import type { SlackUser } from '../ids.ts'

export interface Once {
  /** True for the one caller that says this key first, or for the first time in so long. */
  first(workspaceId: string, key: string, withinMs?: number): Promise<boolean>
  /** It did not happen after all. */
  undo(workspaceId: string, key: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets keys that were said before this time (milliseconds since 1970): those that begin so, or all. */
  prune(before: number, prefix?: string): Promise<void>
}

/** Does `work` unless this key was said in so long. It may be done again when it fails, or says `false`. */
export async function unlessDone(
  once: Pick<Once, 'first' | 'undo'>,
  {
    workspaceId,
    key,
    withinMs,
  }: { readonly workspaceId: string; readonly key: string; readonly withinMs: number },
  work: () => Promise<unknown>,
): Promise<void> {
  if (!(await once.first(workspaceId, key, withinMs))) return
  try {
    if ((await work()) === false) await once.undo(workspaceId, key)
  } catch (error) {
    await once.undo(workspaceId, key)
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

/** What keys in the store begin with: they can be forgotten long before others. */
export const replayKeys = 'request '

/**
 * Rejects with `Replayed` when it is called again for the same request, in whichever process.
 * @param request - What it is known by, its trigger among it: Slack gives each press, command and submission its own.
 */
export async function onlyOnce(
  once: Pick<Once, 'first'>,
  { workspaceId, userId }: SlackUser,
  request: readonly string[],
): Promise<void> {
  const digest = hash('sha256', JSON.stringify([userId, ...request]), 'base64url')
  if (!(await once.first(workspaceId, replayKeys + digest))) throw new Replayed()
}
