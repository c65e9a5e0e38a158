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
  commits: number
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
  serialised: 0,
  parsed: 0,
}

/** In the environment of a bot whose lines are to be named, too. */
export const wantsSources = 'COUNT_SOURCES'

/** What it answers when it is asked. */
export interface Answered {
  readonly counted: Readonly<Counted>
  /** By kind, how often by which line of the bot; empty where nobody wants that. */
  readonly sources: Readonly<Record<string, Readonly<Record<string, number>>>>
}
