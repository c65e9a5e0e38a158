// Tells what a process has done, over the bench's channel: its CPU and memory, what SQLite was asked, how long its thread
// has stood still; loaded before it. A command tells by itself when it ends. The clock can be moved, for what falls due.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { takeOwnPeakMb } from '../process-figures.ts'
import { documentsAmong, watchHanded } from './handed.ts'
import type { Work } from './work.ts'

const { now } = Date
let aheadMs = 0
Date.now = () => now() + aheadMs

const nothing = { statements: 0, documents: 0 }
let asked = nothing
/** From the beginning of the process. */
let cpu = { user: 0, system: 0 }

watchHanded(({ rows }) => {
  asked = {
    statements: asked.statements + 1,
    documents: asked.documents + documentsAmong(rows),
  }
})

const everyMs = 2
/** Costs a little CPU by itself. */
const stops = monitorEventLoopDelay({ resolution: everyMs })

/** Since it was told last. */
function takeWork(): Work {
  const { user, system } = process.cpuUsage(cpu)
  const work = {
    ...asked,
    cpuMs: (user + system) / 1_000,
    stoodMs: Math.max(0, stops.max / 1e6 - everyMs),
    peakMb: takeOwnPeakMb(),
  }
  stops.disable()
  stops.reset()
  asked = nothing
  cpu = process.cpuUsage()
  return work
}

process.on('message', (message) => {
  if (message === 'watch') stops.enable()
  if (typeof message === 'number') aheadMs = message
  process.send?.(message === 'work' ? takeWork() : 'done')
})
process.on('exit', () => process.send?.(takeWork()))
// It ends as it would without this.
process.channel?.unref()
