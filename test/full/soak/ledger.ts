// The book in which a soak writes what was asked for and what was seen to come of it, while it runs. It judges nothing.
import type { Call, Delivery, Message } from '../../../playground/slack/model/model.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { Life } from './bots.ts'
import type { SoakWorld } from './world.ts'

/** Something that somebody asked of the bot. */
export interface Asked {
  readonly person: Person
  readonly line: string
  /** Stands in every answer to it that is not a mere sentence; no other has it. */
  readonly tag: string
  readonly at: number
  /** Undefined until Slack has an answer, or has given up. */
  outcome: Delivery['outcome'] | undefined
  takenBy: Life | undefined
  responsePath: string | undefined
  answeredAt: number | undefined
}

/** A card that was seen live. */
export interface Watched {
  readonly ks: string
  readonly channelId: string
  readonly ts: string
  isStopped: boolean
}

const sentenceMs = 30_000

export type Ledger = ReturnType<typeof openLedger>

/** All tags look like these, so that an answer to another request is known as such. */
export const tags = { alert: (n: number) => `soak-${n}k`, email: (n: number) => `g${n}@soak.example` }
const anyTag = /soak-\d+k|g\d+@soak\.example/g
export function openLedger({ slack, balancer }: SoakWorld) {
  const asked: Asked[] = []
  const pending = new Set<Asked>()
  const answeredPaths = new Set<string>()
  const watched = new Map<string, Watched>()
  const cards = new Map<string, Message>()
  const watchersOf = new Map<string, string[]>()
  const accounts = new Map<string, 'there' | 'gone' | 'unknown'>()

  function settle(one: Asked): void {
    one.answeredAt = Date.now()
    pending.delete(one)
  }

  /** What comes by a `response_url` is known by that, in `seeCall`; a mere sentence elsewhere is for what was just asked. */
  function isAnswer(message: Message, found: ReadonlySet<string>, { person, tag, at }: Asked): boolean {
    if (found.has(tag)) return true
    if (message.via === 'response_url' || found.size > 0 || Date.now() - at > sentenceMs) return false
    return message.ephemeralFor === person.id || message.channelId === person.dm.id
  }

  function see(message: Message): void {
    if (!message.byBot) return
    const whole = message.text + JSON.stringify(message.blocks)
    const found = new Set(whole.match(anyTag) ?? [])
    for (const one of pending) if (isAnswer(message, found, one)) settle(one)
    const [ks] = [...found].filter((tag) => tag.startsWith('soak-'))
    if (ks === undefined || message.threadTs !== undefined || message.ephemeralFor !== undefined) return
    cards.set(message.ts, message)
    if (!whole.includes('👁') || watched.has(message.ts)) return
    watched.set(message.ts, { ks, channelId: message.channelId, ts: message.ts, isStopped: false })
  }

  function seeCall({ method, path, answer }: Call): void {
    if (answer.ok !== true || method !== 'response_url') return
    answeredPaths.add(path)
    for (const one of pending) if (one.responsePath === path) settle(one)
  }

  const stop = slack.onChange((change) => {
    if (change.kind === 'message' || change.kind === 'message_changed') see(change.message)
    if (change.kind === 'call') seeCall(change.call)
  })

  return {
    ...{ asked, watched, cards },
    /** By user id, where somebody has changed it; `unknown` where they did not hear what became of it. */
    accounts,
    /** By an alert's key: who has pressed *Watch*. */
    watchersOf,
    /** Writes down that something is asked, before it is. */
    ask(person: Person, line: string, tag: string): Asked {
      const one: Asked = {
        ...{ person, line, tag, at: Date.now() },
        ...{ outcome: undefined, takenBy: undefined, responsePath: undefined, answeredAt: undefined },
      }
      asked.push(one)
      pending.add(one)
      return one
    },
    /** What became of bringing it to a bot. */
    brought(one: Asked, delivery: Delivery): void {
      one.outcome = delivery.outcome
      one.takenBy = balancer.takerOf(delivery.request?.headers['x-slack-signature'] ?? '')
      const url = delivery.payload.response_url
      one.responsePath = typeof url === 'string' ? new URL(url).pathname : undefined
      // The answer may have come before the ack did.
      const isAnswered = one.responsePath !== undefined && answeredPaths.has(one.responsePath)
      if (isAnswered || (delivery.body.trim() !== '' && delivery.outcome === 'acked')) settle(one)
    },
    close: stop,
  }
}
