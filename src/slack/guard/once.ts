// Things that happen once, however often Slack delivers them and whichever process gets them: the port of the store.

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
