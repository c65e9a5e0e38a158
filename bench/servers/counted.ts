// Work of a bot in counts, which are the same on every machine.

/** Between two questions. */
export interface Counted {
  promises: number
  /** `setTimeout`, `setInterval` and `setImmediate`. */
  timers: number
  /** `process.nextTick`. */
  ticks: number
  /** Sockets, requests and the like. */
  handles: number
  /** Frames of AsyncLocalStorage. */
  contexts: number
  /** Of SQLite, those of transactions among them. */
  statements: number
  /** Those that wrote something. */
  commits: number
  /** Each waits for the disk, and the thread with it. */
  syncs: number
  /** Characters of JSON written. */
  serialised: number
  /** Characters of JSON read. */
  parsed: number
}

export const countedNothing: Readonly<Counted> = {
  promises: 0,
  timers: 0,
  ticks: 0,
  handles: 0,
  contexts: 0,
  statements: 0,
  commits: 0,
  syncs: 0,
  serialised: 0,
  parsed: 0,
}
