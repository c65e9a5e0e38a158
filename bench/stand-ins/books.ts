// Books of what was asked and what came of it: exactly one card for each command, and exactly one reply in that card's
// thread.
import { Unfit } from '../unfit.ts'

/** What became of one command. */
export interface Told {
  /** When Slack had answered the last post, the reply in the thread, by this process's clock. */
  readonly lastPostAt: number
}

/** Something the bot posts, as far as it matters here. */
export interface Post {
  /** The alert's, as found in the message; undefined when it names none. */
  readonly key: string | undefined
  readonly ts: string
  readonly threadTs: string | undefined
}

export interface Counts {
  readonly commands: number
  readonly cards: number
  readonly replies: number
}

export type Books = ReturnType<typeof openBooks>

interface Entry {
  readonly key: string
  readonly token: string
  readonly resolve: (told: Told) => void
  readonly reject: (error: Unfit) => void
  readonly since: number
  ts: string | undefined
  isReplied: boolean
}

/** @param limitMs - How long anything may take. */
export function openBooks(limitMs = 20_000) {
  const open = new Map<string, Entry>()
  const keyOfThread = new Map<string, string>()
  let counts = { commands: 0, cards: 0, replies: 0 }
  let broken: Unfit | undefined

  /** Ends every wait: what comes after it would be measured beside a failure. */
  function fail(sentence: string): void {
    broken ??= new Unfit(sentence)
    for (const { reject } of open.values()) reject(broken)
    open.clear()
  }

  const overdue = setInterval(() => {
    const now = performance.now()
    for (const { key, since } of open.values()) {
      if (now - since > limitMs) return fail(`Nothing came of ${key} within ${limitMs / 1000} s.`)
    }
  }, 1_000)
  overdue.unref()

  function settle(entry: Entry): void {
    open.delete(entry.key)
    if (entry.ts !== undefined) keyOfThread.delete(entry.ts)
    entry.resolve({ lastPostAt: performance.now() })
  }

  return {
    fail,
    /** @throws Unfit when anything was not as it should be. */
    check(): void {
      if (broken !== undefined) throw broken
    },
    /**
     * A command is about to be asked; a key is asked once at a time.
     * @param token - The asker's.
     * @returns Settled once Slack has answered the reply's post. Rejects with Unfit.
     */
    expect(key: string, token: string): Promise<Told> {
      if (broken !== undefined) return Promise.reject(broken)
      counts.commands += 1
      return new Promise((resolve, reject) => {
        const since = performance.now()
        open.set(key, { key, token, resolve, reject, since, ts: undefined, isReplied: false })
      })
    },
    isAwaited: (): boolean => open.size > 0,
    /** Whose token must be used to read this alert; undefined when nobody asks for it. */
    tokenFor: (key: string): string | undefined => open.get(key)?.token,
    /** Slack has got a message. Returns what to call once it has answered. */
    posted({ key, ts, threadTs }: Post): () => void {
      const asked = threadTs === undefined ? key : keyOfThread.get(threadTs)
      const entry = asked === undefined ? undefined : open.get(asked)
      if (entry === undefined || key !== entry.key) {
        fail(`A message came that nobody had asked for, or twice (${key ?? 'no key'}).`)
        return () => undefined
      }
      if (threadTs === undefined) {
        if (entry.ts !== undefined) fail(`The card of ${entry.key} was posted twice.`)
        counts = { ...counts, cards: counts.cards + 1 }
        entry.ts = ts
        keyOfThread.set(ts, entry.key)
        return () => undefined
      }
      if (entry.isReplied) fail(`The thread of ${entry.key} was told twice.`)
      counts = { ...counts, replies: counts.replies + 1 }
      entry.isReplied = true
      return () => settle(entry)
    },
    /** @throws Unfit when they do not add up. */
    add(): Counts {
      if (broken !== undefined) throw broken
      const { commands, cards, replies } = counts
      if (cards !== commands || replies !== commands) {
        throw new Unfit(`${commands} commands made ${cards} cards and ${replies} replies.`)
      }
      return counts
    },
    close: (): void => clearInterval(overdue),
  }
}
