// What a card must know of being live. Who watches, and how, is not known here: the port is implemented elsewhere.

/** For the line on the card. */
export interface Live {
  /** Raw, oldest watcher first; at least one. */
  readonly names: readonly string[]
  /** When the last watch ends, in milliseconds since 1970. */
  readonly until: number
}

export interface LiveCards {
  /** Undefined when nobody watches the card. */
  liveOf(workspaceId: string, cardId: string): Promise<Live | undefined>
  /** For how long a card of this workspace that is drawn now can be trusted, in milliseconds. */
  goodForMs(workspaceId: string): Promise<number>
  /** Somebody else has drawn the card: what is known about its look holds no more. */
  redrawn(workspaceId: string, cardId: string): Promise<void>
}

/** @param watchers - Oldest first. Undefined when there is none. */
export function liveFor(
  watchers: readonly { readonly name: string; readonly until: number }[],
): Live | undefined {
  if (watchers.length === 0) return undefined
  return { names: watchers.map(({ name }) => name), until: Math.max(...watchers.map(({ until }) => until)) }
}
