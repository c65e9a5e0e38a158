// Part of the bench: what an operation costs with 1, 10 and 100 times, and more, of what it doesn't show.
import type { Cores } from '../cores.ts'
import { type Measured, medianOf, takeNotes } from '../figures.ts'
import { crowdsOf, namesOfCrowds } from '../growth/crowd.ts'
import {
  lookAtFollowed,
  namesAmongOthers,
  namesOfLists,
  type Operation,
  operationsAmong,
  operationsOfList,
  rest,
} from '../growth/operations.ts'
import { type GrowthStage, openGrowthStage } from '../growth/stage.ts'
import { type Growing, growthTable, type Taken } from '../growth/table.ts'
import { type Work, watchStops, workOf } from '../servers/work.ts'
import { Unfit } from '../unfit.ts'

export interface GrowthPlan {
  /** Documents and records of others. */
  readonly kept: readonly number[]
  /** In the service's list. */
  readonly rows: readonly number[]
  /** In a followed container. */
  readonly open: readonly number[]
  /** Due at the same moment. */
  readonly atOnce: readonly number[]
  /** Before anything is measured: the first ones compile it, and learn names. */
  readonly warmUp: number
  /** Of each operation at each size; the figures are their medians. */
  readonly runs: number
}

/** Of so many, the median stop: one that the machine makes is in few of them. */
const watchedRuns = 3
const starts = 3
/** Bellhop takes no more. */
const mostWatched = 200

export async function measureGrowth(plan: GrowthPlan, cores: Cores | undefined): Promise<Measured> {
  const { note, table } = takeRows()
  const { remark, measured } = takeNotes('growth')

  for (const size of plan.kept)
    await onStage(size, cores, async (stage) => {
      await measureAmongOthers(stage, plan, (name, taken) => note(name, 'kept', size, taken))
    })
  await onStage(0, cores, async (stage) => {
    const { ground } = stage
    for (const size of plan.rows)
      for (const name of namesOfLists) {
        const operation = operationsOfList(ground, size)[name]
        note(name, 'rows', size, await measure(stage, operation, plan))
      }
    for (const size of plan.open) {
      const look = await measure(stage, lookAtFollowed(ground, size), plan)
      note('a look of a follow', 'open alerts', size, look)
    }
    await measureCrowds(stage, plan, (name, size, taken) => note(name, 'due at once', size, taken))
  })
  remark(
    'Growth: medians of one operation after the other, with its records and what follows in the background. Kept: documents and records of others, of 90 days. Stop: how long the bot’s thread stands still at most; an ack waits for that.',
  )
  return { ...measured(), table: table() }
}

async function onStage(
  kept: number,
  cores: Cores | undefined,
  work: (stage: GrowthStage) => Promise<void>,
): Promise<void> {
  const stage = await openGrowthStage(kept, cores)
  try {
    await work(stage)
    stage.check()
  } catch (error) {
    // People’s waits end with all that is on their screen.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new Unfit(sentence, { cause: error })
  } finally {
    await stage.close()
  }
}

async function measureAmongOthers(
  stage: GrowthStage,
  plan: GrowthPlan,
  note: (name: string, taken: readonly Taken[]) => void,
): Promise<void> {
  const started: Taken[] = []
  while (started.length < starts) started.push(await takenBy(stage, stage.restart))
  note('a start', started)
  const verifying = ['src/terminal/audit.ts', '--verify']
  note('`npm run audit -- --verify`', [ofCommand(await stage.runs(verifying))])
  const copying = ['src/terminal/backup.ts', stage.pathOf('copy.db')]
  note('`npm run backup`', [ofCommand(await stage.runs(copying))])
  const operations = operationsAmong(stage.ground)
  for (const name of namesAmongOthers) note(name, await measure(stage, operations[name], plan))
}

/** Of each run. The stop is of others, as watching for it costs CPU. */
async function measure(
  stage: GrowthStage,
  { begin, run, end, isByItself }: Operation,
  { warmUp, runs }: GrowthPlan,
): Promise<readonly Taken[]> {
  let n = 0
  const next = () => {
    n += 1
    return run(n)
  }
  await begin?.()
  const warm = isByItself ? Math.ceil(warmUp / 8) : warmUp
  while (n < warm) await next()
  await rest(stage.ground)
  await workOf(stage.server())
  const taken: Taken[] = []
  while (taken.length < runs) taken.push(await takenBy(stage, next))
  const stops: number[] = []
  while (stops.length < watchedRuns) {
    await watchStops(stage.server())
    stops.push((await takenBy(stage, next)).stoodMs)
  }
  await end?.()
  return taken.map((one) => ({ ...one, stoodMs: medianOf(stops) }))
}

/** Once each. */
async function measureCrowds(
  stage: GrowthStage,
  { atOnce }: GrowthPlan,
  note: (name: string, size: number, taken: readonly Taken[]) => void,
): Promise<void> {
  const { ground, kept, server } = stage
  for (const name of namesOfCrowds)
    for (const many of atOnce) {
      const size = name === 'watched cards' ? Math.min(many, mostWatched) : many
      const { begin, run, end } = crowdsOf(ground, kept, size)[name]
      await begin()
      await rest(ground)
      await workOf(server())
      await watchStops(server())
      note(name, size, [await takenBy(stage, run)])
      await end()
    }
}

/** Since the bot was asked last, until all is quiet. */
async function takenBy(
  { ground, server }: GrowthStage,
  work: () => Promise<unknown>,
): Promise<Taken> {
  const { slack, service } = ground
  const before = { slack: slack.calls.length, service: service.requests.length }
  await work()
  await rest(ground)
  return {
    ...(await workOf(server())),
    slack: slack.calls.length - before.slack,
    service: service.requests.length - before.service,
  }
}

const ofCommand = (work: Work): Taken => ({ ...work, slack: 0, service: 0 })

/** Collects a row for each operation, with a cell for each of its sizes. */
function takeRows() {
  const rows: Growing[] = []
  return {
    note(name: string, of: Growing['of'], size: number, taken: readonly Taken[]): void {
      const known = rows.find((row) => row.name === name)
      const cell = { size, taken: medianTaken(taken) }
      if (known === undefined) rows.push({ name, of, cells: [cell] })
      else known.cells.push(cell)
    },
    table: () => growthTable(rows),
  }
}

function medianTaken(taken: readonly Taken[]): Taken {
  const of = (read: (one: Taken) => number | undefined) =>
    medianOf(taken.flatMap((one) => read(one) ?? []))
  return {
    cpuMs: of(({ cpuMs }) => cpuMs),
    statements: of(({ statements }) => statements),
    documents: of(({ documents }) => documents),
    stoodMs: of(({ stoodMs }) => stoodMs),
    peakMb: of(({ peakMb }) => peakMb),
    slack: of(({ slack }) => slack),
    service: of(({ service }) => service),
  }
}
