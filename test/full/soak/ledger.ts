// The book in which a soak writes what was asked for and what was seen to come of it, while it runs. It judges nothing.
import type { Call, Delivery, Message } from '../../../playground/slack/model/model.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { Life } from './bots.ts'
import { type Verdict, verdictsIn } from './verdicts.ts'
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

/** What somebody was told became of a grant. */
export interface Telling extends Verdict {
  /** Undefined where everybody sees it. */
  readonly toId: string | undefined
  readonly at: number
  readonly text: string
  /** Slack took it, and its answer got lost. */
  isUnheard: boolean
}

/** A card that was seen live. */
export interface Watched {
  readonly ks: string
  readonly channelId: string
  readonly ts: string
  isStopped: boolean
}

export interface Post {
  readonly emails: string
  readonly token: string | undefined
  readonly at: number
  status(): number | undefined
}

const sentenceMs = 30_000

export type Ledger = ReturnType<typeof openLedger>

/** All tags look like these, so that an answer to another request is known as such. */
export const tags = { alert: (n: number) => `soak-${n}k`, email: (n: number) => `g${n}@soak.example` }
const anyTag = /soak-\d+k|g\d+@soak\.example/g
export function openLedger({ slack, service, balancer, soakers }: SoakWorld) {
  const asked: Asked[] = []
  const pending = new Set<Asked>()
  const answeredPaths = new Set<string>()
  const posts: Post[] = []
  const tellings: Telling[] = []
  const watched = new Map<string, Watched>()
  const cards = new Map<string, Message>()
  const watchersOf = new Map<string, string[]>()
  const pressed = new Map<string, number>()
  const accounts = new Map<string, 'there' | 'gone' | 'unknown'>()
  const seenRequests = new WeakSet<object>()

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

  function see(message: Message, previous?: Message): void {
    if (!message.byBot) return
    const whole = message.text + JSON.stringify(message.blocks)
    const found = new Set(whole.match(anyTag) ?? [])
    for (const one of pending) if (isAnswer(message, found, one)) settle(one)
    seeVerdicts(message, previous)
    const [ks] = [...found].filter((tag) => tag.startsWith('soak-'))
    if (ks === undefined || message.threadTs !== undefined || message.ephemeralFor !== undefined) return
    cards.set(message.ts, message)
    if (!whole.includes('👁') || watched.has(message.ts)) return
    watched.set(message.ts, { ks, channelId: message.channelId, ts: message.ts, isStopped: false })
  }

  /** The same verdict drawn again is no second telling. */
  function seeVerdicts({ text, channelId, ephemeralFor }: Message, previous: Message | undefined): void {
    const direct = soakers.find(({ person }) => person.dm.id === channelId)
    const toId = ephemeralFor ?? direct?.person.id
    const before = verdictsIn(previous?.text ?? '')
    for (const verdict of verdictsIn(text)) {
      if (before.some((one) => one.email === verdict.email && one.verdict === verdict.verdict)) continue
      tellings.push({ ...verdict, toId, at: Date.now(), text, isUnheard: false })
    }
  }

  function seeCall({ method, path, status, args, answer }: Call): void {
    if (answer.ok !== true) return
    if (status === 0) {
      for (const one of tellings) if (one.text === args.text) one.isUnheard = true
    }
    if (method !== 'response_url') return
    answeredPaths.add(path)
    for (const one of pending) if (one.responsePath === path) settle(one)
  }

  const stops = [
    slack.onChange((change) => {
      if (change.kind === 'message') see(change.message)
      if (change.kind === 'message_changed') see(change.message, change.previous)
      if (change.kind === 'call') seeCall(change.call)
    }),
    service.onChange(() => {
      const request = service.requests.at(-1)
      if (request === undefined || request.method !== 'POST' || seenRequests.has(request)) return
      seenRequests.add(request)
      const emails = JSON.stringify(request.body).match(/g\d+@soak\.example/g) ?? []
      const { token } = request
      posts.push({ emails: emails.join(), token, at: Date.now(), status: () => request.status })
    }),
  ]

  return {
    ...{ asked, posts, tellings, watched, cards },
    /** By user id, where somebody has changed it; `unknown` where they did not hear what became of it. */
    accounts,
    /** By an alert's key: who has pressed *Watch*. */
    watchersOf,
    /** How often somebody asked for this to be granted: each has its answer. */
    asksFor: (email: string) =>
      asked.filter(({ line }) => line.split(' ').includes(email)).length + (pressed.get(email) ?? 0),
    /** A confirmation was pressed once more than it needs to be. */
    pressedAgain: (email: string) => void pressed.set(email, (pressed.get(email) ?? 0) + 1),
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
    close(): void {
      for (const stop of stops) stop()
    },
  }
}
