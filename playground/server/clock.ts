// The playground's clock: the real one, ahead by as much as somebody has moved it. All go by it: the stand-ins, the bot,
// and the page.

export type Clock = ReturnType<typeof createClock>

export function createClock() {
  const listeners = new Set<() => void>()
  let aheadMs = 0
  return {
    /** Milliseconds since 1970. */
    now: () => Date.now() + aheadMs,
    aheadMs: () => aheadMs,
    move(ms: number): void {
      aheadMs += ms
      for (const listener of [...listeners]) listener()
    },
    /** Calls back at once after each move. @returns Stops it. */
    onMove(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
