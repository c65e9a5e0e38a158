// The load: signed commands as Slack sends them, ten at a time, and what they cost.
import type { BotProcess } from '../../src/playground/bot-process.ts'
import type { BenchWorld } from './bench-world.ts'
import { startCpu } from './process-figures.ts'
import { createSendCommand } from './send-command.ts'
import type { Witness } from './witness.ts'

export const atATime = 10

export type Load = ReturnType<typeof createLoad>

/** One round, as measured. */
export interface Round {
  readonly count: number
  /** Until the last was done. */
  readonly seconds: number
  readonly botMs: number | undefined
  readonly benchMs: number
}

export function createLoad(world: BenchWorld, bot: BotProcess, witness: Witness) {
  const { slack, service, asker, channel } = world
  const sender = createSendCommand(slack, bot, atATime)
  let keys = 0

  const command = (text: string) => sender.send(text, asker, channel)

  /** Ten workers go on until the time is over; the last finishes what it has begun. */
  async function during(ms: number, work: () => Promise<void>): Promise<{ count: number; seconds: number }> {
    const from = performance.now()
    let count = 0
    const worker = async () => {
      while (performance.now() - from < ms) {
        await work()
        count += 1
      }
    }
    await Promise.all(Array.from({ length: atATime }, worker))
    return { count, seconds: (performance.now() - from) / 1000 }
  }

  return {
    /** `/alert help`: the next goes out as soon as one is acked. CPU is counted until the last is answered, too. */
    async acks(ms: number): Promise<Round & { readonly answeredSeconds: number }> {
      const from = performance.now()
      const cpu = startCpu(bot.child.pid)
      const answers: Promise<void>[] = []
      const round = await during(ms, async () => {
        const answer = witness.answered(await command('help'))
        // Whoever waits for all of them hears of it; until then it is no stray rejection.
        answer.catch(() => undefined)
        answers.push(answer)
      })
      await Promise.all(answers)
      return { ...round, ...cpu(), answeredSeconds: (performance.now() - from) / 1000 }
    },
    /** `/alert <key>`, every key new: the next goes out when one's card is posted and its thread has its reply. */
    async commands(ms: number): Promise<Round & { readonly cardMs: readonly number[] }> {
      const cpu = startCpu(bot.child.pid)
      const cardMs: number[] = []
      const round = await during(ms, async () => {
        keys += 1
        const key = `bench-${keys}`
        const actions = [{ kind: 'Comment', data: { message: 'Looking into it' } }]
        service.addAlert({ ks: key, message: `Disk of ${key} is filling up`, actions })
        const from = performance.now()
        await command(key)
        const { cardAt } = await witness.told(key)
        cardMs.push(cardAt - from)
      })
      return { ...round, ...cpu(), cardMs }
    },
    /** Runs with answers that take their time, as from far away. */
    async withLatency<T>(slackMs: number, serviceMs: number, work: () => Promise<T>): Promise<T> {
      const order = slack.trouble.slow('chat.postMessage', slackMs)
      service.trouble.slow(serviceMs)
      try {
        return await work()
      } finally {
        order.cancel()
        service.trouble.slow(0)
      }
    },
    stop: (): Promise<void> => sender.stop(),
  }
}
