// So many commands a second, whether those before are done or not, from many people in as many channels: Slack takes
// one message a second in each. The stand-ins are in this process, the bot as it ships in another.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../../../bench/figures.ts'
import { cpuMeter } from '../../../bench/process-figures.ts'
import { startBotProcess } from '../../../playground/bot-process.ts'
import { botSettings } from '../../../playground/bot-settings.ts'
import { startMonitor } from '../../../playground/monitor/start-monitor.ts'
import { readManifest } from '../../../playground/server/manifest.ts'
import { startSlack } from '../../../playground/slack/simulator.ts'
import { heapOptions, type Sample, sampleHeap } from '../../heap.ts'
import { connectAll } from './people.ts'
import { createSendCommand } from './send-command.ts'
import { startWitness } from './witness.ts'

export interface Plan {
  readonly perSecond: number
  readonly seconds: number
  /** And as many channels. */
  readonly people: number
  /** How long Slack takes for a message, and the service for an alert. */
  readonly latencyMs: number
}

export interface Held {
  readonly commands: number
  readonly cards: number
  readonly replies: number
  /** Of acks, and until the card stands in the channel. */
  readonly ackMs: Spread
  readonly cardMs: Spread
  /** A second, until the last ack. */
  readonly heldPerSecond: number
  /** CPU of a command, in milliseconds. */
  readonly botMs: number | undefined
  readonly standInMs: number
  /** In the order of time, from the first to the last second. */
  readonly heap: readonly Sample[]
}

export interface Spread {
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), longest: Math.max(...values) }
}

const tickMs = 10
const heapEveryMs = 2_500
/** What the stand-in Slack keeps for tests to look at is looked through at every message. */
const keptMessages = 2_000

/** @throws Unfit when a command is not answered as it should be, or its card stands there twice. */
export async function holdLoad(plan: Plan): Promise<Held> {
  const { perSecond, seconds, latencyMs } = plan
  const { botScopes, botEvents } = readManifest()
  // 200 commands a second are more than Slack lets one workspace answer: here several hundred stand for many.
  const slack = await startSlack({ botScopes, botEvents, keepsLimits: false })
  const service = await startMonitor()
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-load-'))
  const settings = botSettings({ slack, service, folder, isSocket: false })
  const bot = await startBotProcess({ ...settings, ...heapOptions, LOG_LEVEL: 'info' })
  try {
    slack.deliverTo(`${bot.url}/slack/events`)
    const people = await connectAll({ slack, service }, plan.people)
    const witness = startWitness(slack, 30_000)
    const sender = createSendCommand(slack, bot, 200)
    slack.trouble.slow('chat.postMessage', latencyMs)
    service.trouble.slow(latencyMs)
    const [ackMs, cardMs]: [number[], number[]] = [[], []]
    const heap: Sample[] = []

    async function one(index: number): Promise<void> {
      const someone = people[index % people.length]
      if (someone === undefined) throw new TypeError('there is nobody')
      const key = `bench-${index}`
      service.addAlert({
        ks: key,
        message: `Disk of ${key} is filling up`,
        actions: [{ kind: 'Comment', data: { message: 'Looking into it' } }],
      })
      const from = performance.now()
      const told = witness.told(key)
      // Told of below; until then it is no stray rejection.
      told.catch(() => undefined)
      await sender.send(key, someone.person, someone.channel)
      ackMs.push(performance.now() - from)
      cardMs.push((await told).cardAt - from)
    }

    const cpu = cpuMeter(bot.child.pid)
    const started = performance.now()
    const passed = () => performance.now() - started
    const commands: Promise<void>[] = []
    while (commands.length < perSecond * seconds) {
      const due = Math.min((passed() / 1000) * perSecond, perSecond * seconds)
      // What this process is late with, it sends at twice the pace: not all at once, as nobody's Slack would.
      const most = commands.length + Math.ceil((2 * perSecond * tickMs) / 1000)
      while (commands.length < Math.min(due, most)) {
        const command = one(commands.length)
        command.catch(() => undefined)
        commands.push(command)
      }
      if (passed() > heap.length * heapEveryMs) {
        heap.push(await sampleHeap(bot.child))
        const { messages, calls, deliveries } = slack.workspace
        messages.splice(0, messages.length - keptMessages)
        calls.length = 0
        deliveries.length = 0
      }
      await wait(tickMs)
    }
    await Promise.all(commands)
    const lastedMs = passed()
    const { botMs, benchMs } = cpu()
    heap.push(await sampleHeap(bot.child))
    await sender.stop()
    witness.stop()
    return {
      commands: commands.length,
      ...witness.counts(),
      ackMs: spread(ackMs),
      cardMs: spread(cardMs),
      heldPerSecond: commands.length / (lastedMs / 1000),
      botMs: botMs && botMs / commands.length,
      standInMs: benchMs / commands.length,
      heap,
    }
  } finally {
    await bot.stop()
    await Promise.all([slack.stop(), service.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
