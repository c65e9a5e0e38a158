// The load on one bot: so many requests, so many at a time, and what they cost.
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMeter, untilQuiet } from '../process-figures.ts'
import type { Server } from '../servers/server.ts'
import type { Books } from '../stand-ins/books.ts'
import { nextKey, personAt } from '../stand-ins/names.ts'
import type { SlackStandIn } from '../stand-ins/slack.ts'
import { Unfit } from '../unfit.ts'
import { type Connection, connect } from './connection.ts'
import { commandRequest, pressRequest } from './requests.ts'
import { share } from './share.ts'

/** Between two requests of `helpsMeanwhile`, at most. */
const thinkMs = 20

export interface Round {
  readonly count: number
  /** From the first request to the last of what was waited for. */
  readonly seconds: number
  /** CPU of the bot for each, in milliseconds, all that it did afterwards included; undefined where nobody tells. */
  readonly cpuMs: number | undefined
  /** CPU of this process for each: what bounds the rate when it is the greater one. */
  readonly benchMs: number
}

/** What an ack brings along. */
type Acked = 'nothing' | 'answer'

export type Load = ReturnType<typeof createLoad>

export function createLoad(
  stage: { readonly books: Books; readonly slack: SlackStandIn },
  server: Server,
) {
  const { books, slack } = stage

  function assertAcked(status: number, body: string, holds: Acked): void {
    if (status === 200 && (body === '') === (holds === 'nothing')) return
    throw new Unfit(`${server.name} acked with ${status} and “${body.slice(0, 100)}”.`)
  }

  /** A lost connection is the least of it: why the bot has ended is known a moment later. */
  async function tellWhy(error: unknown): Promise<never> {
    await wait(300)
    books.check()
    throw error
  }

  /** Each connection asks its next as soon as `work` is done with the one before. */
  async function run<T>(
    items: Iterable<T>,
    atATime: number,
    spreadMs: number,
    work: (item: T, ask: Connection['ask']) => Promise<void>,
  ): Promise<Round> {
    const connecting = Promise.all(Array.from({ length: atATime }, () => connect(server.port)))
    const connections = await connecting.catch(tellWhy)
    const cpu = cpuMeter(server.pid)
    const from = performance.now()
    const sharing = share(items, connections, spreadMs, (item, { ask }) => work(item, ask))
    const count = await sharing.catch(tellWhy)
    const seconds = (performance.now() - from) / 1000
    const { benchMs } = cpu()
    for (const connection of connections) connection.close()
    await untilQuiet(server.pid)
    books.check()
    const { botMs } = cpu()
    return { count, seconds, cpuMs: botMs && botMs / count, benchMs: benchMs / count }
  }

  /** @param pauseMs - Before each, at most; without one, the next goes out as soon as one is acked. */
  async function acked(requests: Iterable<string>, atATime: number, holds: Acked, pauseMs = 0) {
    const ackMs: number[] = []
    const round = await run(requests, atATime, 0, async (request, ask) => {
      if (pauseMs > 0) await wait(Math.random() * pauseMs)
      const from = performance.now()
      const { status, body } = await ask(request)
      ackMs.push(performance.now() - from)
      assertAcked(status, body, holds)
    })
    return { ...round, ackMs }
  }

  const responseUrl = () => `${slack.url}/commands/${nextKey()}`
  const helpRequest = (index: number) => commandRequest('help', personAt(index), responseUrl())

  return {
    /** *Open in monitoring*, whose ack is empty. */
    presses(count: number, atATime: number) {
      const press = (_: unknown, index: number) => pressRequest(personAt(index), responseUrl())
      return acked(Array.from({ length: count }, press), atATime, 'nothing')
    },
    /** `/alert help`, usually with the answer in the ack. */
    helps(count: number, atATime: number, holds: Acked = 'answer') {
      return acked(
        Array.from({ length: count }, (_, index) => helpRequest(index)),
        atATime,
        holds,
      )
    },
    /** `/alert help` by one person after the other, while others wait for what `commands` has asked. */
    helpsMeanwhile() {
      function* helps() {
        let index = 0
        do {
          yield helpRequest(index)
          index += 1
        } while (books.isAwaited())
      }
      return acked(helps(), 1, 'answer', thinkMs)
    },
    /** The text and blocks with which `/alert help` is answered. */
    async help(): Promise<string> {
      const { ask, close } = await connect(server.port)
      const { status, body } = await ask(helpRequest(0))
      close()
      assertAcked(status, body, 'answer')
      return Buffer.from(body, 'latin1').toString()
    },
    /**
     * `/alert <key>`, every key new: the next goes out when the card is posted and its thread has its reply.
     * @param spreadMs - As `share` has it.
     */
    async commands(
      count: number,
      atATime: number,
      spreadMs = 0,
    ): Promise<Round & { readonly lastPostMs: readonly number[] }> {
      const asked = Array.from({ length: count }, (_, index) => {
        const key = nextKey()
        const person = personAt(index)
        return { key, token: person.token, request: commandRequest(key, person, responseUrl()) }
      })
      const lastPostMs: number[] = []
      const round = await run(asked, atATime, spreadMs, async ({ key, token, request }, ask) => {
        const told = books.expect(key, token)
        const from = performance.now()
        const taken = ask(request).then(({ status, body }) => assertAcked(status, body, 'nothing'))
        const [, { lastPostAt }] = await Promise.all([taken, told])
        lastPostMs.push(lastPostAt - from)
      })
      return { ...round, lastPostMs }
    },
  }
}
