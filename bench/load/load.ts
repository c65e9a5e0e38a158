// The load on one bot: so many requests, so many at a time, and what they cost.
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMeter, untilQuiet } from '../process-figures.ts'
import type { Server } from '../servers/server.ts'
import type { Books } from '../stand-ins/books.ts'
import { personAt } from '../stand-ins/names.ts'
import type { SlackStandIn } from '../stand-ins/slack.ts'
import { Unfit } from '../unfit.ts'
import { connect } from './connection.ts'
import { commandRequest, pressRequest } from './requests.ts'

export interface Round {
  readonly count: number
  /** From the first request to the last of what was waited for. */
  readonly seconds: number
  /** CPU of the bot for each, in milliseconds, all that it did afterwards included; undefined where nobody tells. */
  readonly cpuMs: number | undefined
  /** CPU of this process for each: what bounds the rate when it is the greater one. */
  readonly benchMs: number
}

export type Load = ReturnType<typeof createLoad>

/** Numbers of keys: none is asked twice unless that is meant. */
let keys = 0

export function createLoad(stage: { readonly books: Books; readonly slack: SlackStandIn }, server: Server) {
  const { books, slack } = stage

  function assertAcked(status: number, body: string, holds: 'nothing' | 'answer'): void {
    if (status === 200 && (body === '') === (holds === 'nothing')) return
    throw new Unfit(`${server.name} acked with ${status} and “${body.slice(0, 100)}”.`)
  }

  /** A lost connection is the least of it: why the bot has ended is known a moment later. */
  async function tellWhy(error: unknown): Promise<never> {
    await wait(300)
    books.check()
    throw error
  }

  /**
   * Each connection asks its next as soon as `work` is done with the one before.
   * @param how.spreadMs - Over so long their first ones are spread: people do not all ask in the same millisecond.
   */
  async function run<T>(
    items: readonly T[],
    { atATime, spreadMs = 0 }: { readonly atATime: number; readonly spreadMs?: number },
    work: (item: T, ask: (request: string) => Promise<{ status: number; body: string }>) => Promise<void>,
  ): Promise<Round> {
    const connecting = Promise.all(Array.from({ length: atATime }, () => connect(server.port)))
    const connections = await connecting.catch(tellWhy)
    const cpu = cpuMeter(server.pid)
    const left = items.values()
    const from = performance.now()
    const all = Promise.all(
      connections.map(async ({ ask }, index) => {
        if (spreadMs > 0) await wait((index * spreadMs) / atATime)
        for (const item of left) await work(item, ask)
      }),
    )
    await all.catch(tellWhy)
    const seconds = (performance.now() - from) / 1000
    const { benchMs } = cpu()
    for (const connection of connections) connection.close()
    await untilQuiet(server.pid)
    books.check()
    const { botMs } = cpu()
    const count = items.length
    return { count, seconds, cpuMs: botMs && botMs / count, benchMs: benchMs / count }
  }

  /** The next goes out as soon as one is acked. */
  async function acked(requests: readonly string[], atATime: number, holds: 'nothing' | 'answer') {
    const ackMs: number[] = []
    const round = await run(requests, { atATime }, async (request, ask) => {
      const from = performance.now()
      const { status, body } = await ask(request)
      ackMs.push(performance.now() - from)
      assertAcked(status, body, holds)
    })
    return { ...round, ackMs }
  }

  function responseUrl(): string {
    keys += 1
    return `${slack.url}/commands/${keys}`
  }

  return {
    /** *Open in monitoring*, whose ack is empty. */
    presses(count: number, atATime: number) {
      const press = (_: unknown, index: number) => pressRequest(personAt(index), responseUrl())
      return acked(Array.from({ length: count }, press), atATime, 'nothing')
    },
    /** `/alert help`, with the answer in the ack. */
    helps(count: number, atATime: number) {
      const help = (_: unknown, index: number) => commandRequest('help', personAt(index), responseUrl())
      return acked(Array.from({ length: count }, help), atATime, 'answer')
    },
    /**
     * `/alert <key>`, every key new: the next goes out when the card is posted and its thread has its reply.
     * @param how.key - Asked each time instead of a new one, by the same person; one at a time then.
     * @param how.spreadMs - As `run` has it.
     */
    async commands(
      count: number,
      atATime: number,
      { key, spreadMs = 0 }: { readonly key?: string; readonly spreadMs?: number } = {},
    ): Promise<Round & { readonly cardMs: readonly number[] }> {
      const asked = Array.from({ length: count }, (_, index) => {
        keys += 1
        const ks = key ?? `bench-${keys}`
        const person = personAt(key === undefined ? index : 0)
        return { ks, token: person.token, request: commandRequest(ks, person, responseUrl()) }
      })
      const cardMs: number[] = []
      const how = { atATime, spreadMs }
      const round = await run(asked, how, async ({ ks, token, request }, ask) => {
        const told = books.expect(ks, token)
        const from = performance.now()
        const taken = ask(request).then(({ status, body }) => assertAcked(status, body, 'nothing'))
        const [, { cardAt }] = await Promise.all([taken, told])
        cardMs.push(cardAt - from)
      })
      return { ...round, cardMs }
    },
  }
}
