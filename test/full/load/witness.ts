// Sees to it that every answer came, and came once: a figure counts only what was really done.

import { Unfit } from '../../../bench/unfit.ts'
import type { Call, Message } from '../../../playground/slack/model/model.ts'
import type { Slack } from '../../../playground/slack/simulator.ts'

/** What became of one command: when its card stood in the channel, by this process's clock. */
export interface Told {
  readonly cardAt: number
}

export type Witness = ReturnType<typeof startWitness>

/** Looks on at all that the bot does in Slack. @param limitMs - How long an answer may take. */
export function startWitness(slack: Slack, limitMs = 10_000) {
  const cards = new Map<string, { readonly ts: string; readonly at: number; replies: number }>()
  const keyOf = new Map<string, string>()
  const waiting = new Map<string, { done(): void; fail(error: Error): void }>()
  const answered = new Set<string>()
  let broken: Unfit | undefined

  /** Ends every wait: what comes after it would be measured beside a failure. */
  function fail(sentence: string): void {
    broken ??= new Unfit(sentence)
    for (const one of waiting.values()) one.fail(broken)
  }

  function seeMessage({ byBot, ts, threadTs, ephemeralFor, blocks, text }: Message): void {
    if (!byBot || ephemeralFor !== undefined) return
    const parentKey = threadTs === undefined ? undefined : keyOf.get(threadTs)
    const parent = parentKey === undefined ? undefined : cards.get(parentKey)
    if (parentKey !== undefined && parent !== undefined) {
      parent.replies += 1
      if (parent.replies > 1) fail(`The thread of ${parentKey} was told twice.`)
      else waiting.get(parentKey)?.done()
      return
    }
    const [key] = /bench-\d+/.exec(text + JSON.stringify(blocks)) ?? []
    if (key === undefined || threadTs !== undefined) return
    if (cards.has(key)) fail(`The card of ${key} was posted twice.`)
    cards.set(key, { ts, at: performance.now(), replies: 0 })
    keyOf.set(ts, key)
  }

  function seeCall({ method, path, status, answer }: Call): void {
    if (status !== 200 || answer.ok !== true) {
      fail(`Slack refused ${method}: ${String(answer.error ?? status)}.`)
    } else if (method === 'response_url') {
      answered.add(path)
      waiting.get(path)?.done()
    }
  }

  const stop = slack.onChange((change) => {
    if (change.kind === 'message') seeMessage(change.message)
    if (change.kind === 'call') seeCall(change.call)
  })

  /** @param what - A key or the path of a response_url. */
  function comes(what: string, isThere: () => boolean): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (broken !== undefined) return reject(broken)
      if (isThere()) return resolve()
      const timer = setTimeout(() => fail(`Nothing came of ${what} within ${limitMs / 1000} s.`), limitMs)
      const settle = () => {
        clearTimeout(timer)
        waiting.delete(what)
      }
      waiting.set(what, {
        done() {
          settle()
          resolve()
        },
        fail(error) {
          settle()
          reject(error)
        },
      })
    })
  }

  return {
    /** Resolves once the card of this key stands in the channel and its thread has its reply. */
    async told(key: string): Promise<Told> {
      await comes(key, () => (cards.get(key)?.replies ?? 0) > 0)
      const card = cards.get(key)
      if (card === undefined) throw new Unfit(`There is no card of ${key}.`)
      return { cardAt: card.at }
    },
    /** Resolves once something was answered to this response_url. */
    answered: (path: string): Promise<void> => comes(path, () => answered.has(path)),
    /** How many cards stand in the channel, and in how many threads the bot has replied. */
    counts: () => ({
      cards: cards.size,
      replies: [...cards.values()].reduce((sum, { replies }) => sum + replies, 0),
    }),
    stop,
  }
}
