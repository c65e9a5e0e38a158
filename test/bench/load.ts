// The load: signed commands as Slack sends them, ten at a time, and what they cost.
import { Pool } from 'undici'
import type { BotProcess } from '../../src/playground/bot-process.ts'
import { commandPayload } from '../../src/playground/slack/payloads.ts'
import { signedHeaders } from '../signed-request.ts'
import type { BenchWorld } from './bench-world.ts'
import { startCpu } from './process-figures.ts'
import { Unfit } from './unfit.ts'
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
  const { workspace } = slack
  const pool = new Pool(bot.url, { connections: atATime })
  let keys = 0

  /** Sends `/alert <text>`; resolves once it is acked, to the path of its response_url. */
  async function command(text: string): Promise<string> {
    const from = { kind: 'command', channelId: channel.id, userId: asker.id, messageTs: undefined } as const
    const { path } = workspace.responseUrls.issue(from)
    const triggerId = workspace.triggers.issue(asker.id, { channelId: channel.id })
    const responseUrl = new URL(path, slack.apiUrl).href
    const asked = { name: '/alert', text, responseUrl, triggerId }
    const form = new URLSearchParams()
    const payload = commandPayload(asked, asker.member, channel, workspace)
    for (const [name, value] of Object.entries(payload)) form.set(name, String(value))
    const body = form.toString()
    const signed = signedHeaders(body, slack.signingSecret, String(Math.floor(Date.now() / 1000)))
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signed }
    const answer = await pool.request({ path: '/slack/events', method: 'POST', headers, body })
    const said = await answer.body.text()
    if (answer.statusCode !== 200 || said !== '') {
      throw new Unfit(`"/alert ${text}" was acked with ${answer.statusCode} and "${said.slice(0, 100)}".`)
    }
    return path
  }

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
    stop: (): Promise<void> => pool.close(),
  }
}
