// The whole of a bench: starts, then rounds of acks, commands and commands with latency in turn, so that what else the
// machine does meets all of them alike.
import { openBenchWorld } from './bench-world.ts'
import { createLoad, type Load } from './load.ts'
import { type Facts, factsOfMachine, rssMbOf } from './process-figures.ts'
import { Unfit } from './unfit.ts'
import { startWitness } from './witness.ts'

export interface Plan {
  /** Measured starts; one more comes before them, which makes the database. */
  readonly starts: number
  readonly rounds: number
  /** Of each of the three parts of a round. */
  readonly roundMs: number
}

export const longPlan: Plan = { starts: 7, rounds: 5, roundMs: 4_000 }
export const quickPlan: Plan = { starts: 3, rounds: 3, roundMs: 1_000 }

/** How long the stand-ins take to answer in the part with latency: each message, and each read of an alert. */
export const latency = { slackMs: 80, serviceMs: 40 } as const

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly lowest: number
  readonly highest: number
  /** How many values these three are of. */
  readonly values: number
}

export interface Benched {
  readonly plan: Plan
  readonly latency: typeof latency
  readonly machine: Facts
  /** What could not be read here is left out. */
  readonly figures: readonly Figure[]
  /** All that was measured and done; warming up is not among acks and commands, but is among cards and replies. */
  readonly counts: {
    readonly acks: number
    readonly commands: number
    readonly cards: number
    readonly replies: number
  }
}

/** @throws Unfit when anything was not answered as it should be. */
export async function bench(plan: Plan): Promise<Benched> {
  const world = await openBenchWorld()
  const note = createNotes()
  try {
    await (await world.start()).bot.stop()
    for (let start = 0; start < plan.starts; start += 1) {
      const { bot, startMs } = await world.start()
      note('start until /healthz says 200', 'ms', startMs)
      await bot.stop()
    }
    const { bot } = await world.start()
    await world.connect()
    note('memory of the bot, idle', 'MB', rssMbOf(bot.child.pid))
    const witness = startWitness(world.slack)
    const load = createLoad(world, bot, witness)
    // The first calls of everything compile it.
    const warm = [await load.acks(plan.roundMs / 2), await load.commands(plan.roundMs / 2)]
    let [acks, commands] = [0, 0]
    for (let round = 0; round < plan.rounds; round += 1) {
      world.forget()
      acks += await noteAcks(load, plan.roundMs, note)
      world.forget()
      commands += await noteCommands(load, plan.roundMs, note)
      world.forget()
      commands += await noteLatency(load, plan.roundMs, note)
    }
    note('memory of the bot, after the rounds', 'MB', rssMbOf(bot.child.pid))
    await load.stop()
    witness.stop()
    const { cards, replies } = witness.counts()
    const asked = commands + (warm[1]?.count ?? 0)
    if (cards !== asked || replies !== asked) {
      throw new Unfit(`${asked} commands made ${cards} cards and ${replies} replies.`)
    }
    const counts = { acks, commands, cards, replies }
    return { plan, latency, machine: factsOfMachine(), figures: note.figures(), counts }
  } finally {
    await world.stop()
  }
}

type Note = ReturnType<typeof createNotes>

async function noteAcks(load: Load, ms: number, note: Note): Promise<number> {
  const { count, seconds, answeredSeconds, botMs, benchMs } = await load.acks(ms)
  note('/alert help: acks', '/s', count / seconds)
  note('/alert help: answers', '/s', count / answeredSeconds)
  note('/alert help: CPU of the bot, answer included', 'ms each', botMs && botMs / count)
  note('/alert help: CPU of load and stand-ins', 'ms each', benchMs / count)
  return count
}

async function noteCommands(load: Load, ms: number, note: Note): Promise<number> {
  const { count, seconds, botMs, benchMs, cardMs } = await load.commands(ms)
  note('/alert <key>: card and thread', '/s', count / seconds)
  note('/alert <key>: CPU of the bot', 'ms each', botMs && botMs / count)
  note('/alert <key>: CPU of load and stand-ins', 'ms each', benchMs / count)
  note('/alert <key>: until the card, p50', 'ms', percentile(cardMs, 0.5))
  note('/alert <key>: until the card, p99', 'ms', percentile(cardMs, 0.99))
  return count
}

async function noteLatency(load: Load, ms: number, note: Note): Promise<number> {
  const { slackMs, serviceMs } = latency
  const { count, cardMs } = await load.withLatency(slackMs, serviceMs, () => load.commands(ms))
  note('with latency: until the card, p50', 'ms', percentile(cardMs, 0.5))
  note('with latency: until the card, p99', 'ms', percentile(cardMs, 0.99))
  return count
}

/** Collects values by name; what is undefined could not be read. */
function createNotes() {
  const notes = new Map<string, { readonly unit: string; readonly values: number[] }>()

  function note(name: string, unit: string, value: number | undefined): void {
    if (value === undefined) return
    const noted = notes.get(name) ?? { unit, values: [] }
    noted.values.push(value)
    notes.set(name, noted)
  }

  const figures = (): Figure[] =>
    [...notes].map(([name, { unit, values }]) => ({
      name,
      unit,
      median: percentile(values, 0.5),
      lowest: Math.min(...values),
      highest: Math.max(...values),
      values: values.length,
    }))

  return Object.assign(note, { figures })
}

/** The value that this part of all is no greater than. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}
