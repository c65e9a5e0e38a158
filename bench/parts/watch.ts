// Part of the bench: what a live card costs while nothing happens, in memory and in the CPU of looking at it. Of many
// cards beside a few that are looked at as often, so that what differs is the cards.
import { setTimeout as wait } from 'node:timers/promises'
import { heapOptions, sampleHeap } from '../../test/heap.ts'
import type { Cores } from '../cores.ts'
import { atMost, type Measured, takeNotes } from '../figures.ts'
import { cpuMeter, rssMbOf } from '../process-figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { openStage, type Stage } from '../stage.ts'
import { Unfit } from '../unfit.ts'
import { keepWatches, watcherOf } from './watched.ts'

export interface WatchPlan {
  readonly many: number
  readonly few: number
  /** All cards together. */
  readonly pollsASecond: number
  /** Of each bot, before anything is measured. At its first, a bot asks whose a card's channel is. */
  readonly warmPolls: number
  readonly polls: number
}

interface Watched {
  readonly rssMb: number | undefined
  /** Of a collected heap. */
  readonly heapMb: number
  /** Of a poll. */
  readonly cpuMs: number | undefined
}

export async function measureWatch(plan: WatchPlan, cores: Cores | undefined): Promise<Measured> {
  const { many, few, pollsASecond, warmPolls, polls } = plan
  const { note, judge, remark, measured } = takeNotes('watch')
  const [ofMany, ofFew] = await Promise.all([watch(many, plan, cores), watch(few, plan, cores)])
  const kbEach = (mbOfMany: number, mbOfFew: number) => ((mbOfMany - mbOfFew) * 1024) / (many - few)
  note('memory of a watch, garbage collected', bellhopName, 'KB', kbEach(ofMany.heapMb, ofFew.heapMb))
  note(`resident memory with ${many} watches`, bellhopName, 'MB', ofMany.rssMb)
  note(`resident memory with ${few} watches, as many polls`, bellhopName, 'MB', ofFew.rssMb)
  note('CPU of a poll', bellhopName, 'ms', ofMany.cpuMs)
  judge('memory of a watch, garbage collected', bellhopName, atMost(3))
  judge('CPU of a poll', bellhopName, atMost(0.3))
  remark(
    `Watch: ${many} cards beside ${few}, each with ${pollsASecond} polls a second in which nothing has changed; after ${warmPolls + polls} polls.`,
  )
  return measured()
}

async function watch(cards: number, plan: WatchPlan, cores: Cores | undefined): Promise<Watched> {
  const { pollsASecond, warmPolls, polls } = plan
  const intervalSeconds = Math.max(1, Math.round(cards / pollsASecond))
  const stage = await openStage({ cores, isWatched: (key, token) => watcherOf(key)?.token === token })
  try {
    const recipe = await stage.bellhop((storage) => keepWatches(storage, cards, intervalSeconds * 1000))
    const env = { ...recipe.env, ...heapOptions, WATCH_INTERVAL_SECONDS: String(intervalSeconds) }
    const { server } = await stage.start({ ...recipe, env })
    const limitMs = 1000 * (2 * intervalSeconds + (4 * (warmPolls + polls)) / pollsASecond + 30)
    await polled(stage, warmPolls, limitMs)
    const cpu = cpuMeter(server.pid)
    const before = stage.service.reads()
    await polled(stage, warmPolls + polls, limitMs)
    const { botMs } = cpu()
    const measuredPolls = stage.service.reads() - before
    const rssMb = rssMbOf(server.pid)
    const { heapMb } = await sampleHeap(server.child)
    stage.books.check()
    const drawn = stage.slack.countOf('chat.update')
    if (drawn > 0) throw new Unfit(`${drawn} live cards were drawn again although nothing had changed.`)
    return { rssMb, heapMb, cpuMs: botMs && botMs / measuredPolls }
  } finally {
    await stage.close()
  }
}

async function polled({ service, books }: Stage, count: number, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs
  while (service.reads() < count) {
    books.check()
    if (performance.now() > until)
      throw new Unfit('Live cards were not looked at as often as they should be.')
    await wait(50)
  }
}
