// What is to happen once, however often Slack delivers it and whichever process gets it: the port of the store that knows.

export interface Once {
  /** True for the one caller that says this key first, or for the first time in so long. */
  first(workspaceId: string, key: string, withinMs?: number): Promise<boolean>
  /** It did not happen after all. */
  undo(workspaceId: string, key: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets keys that were said before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
