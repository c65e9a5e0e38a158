// What a bot needs, told by itself: its heap after a collection, and what keeps it busy. Loaded into it beside its own
// code; the memory that the system counts for it would show when V8 likes to collect, not what is kept.
import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'

const everyMs = 5_000

const script = `
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
setInterval(() => {
  collect()
  const heapMb = process.memoryUsage().heapUsed / 1e6
  process.send?.({ heapMb, resources: process.getActiveResourcesInfo().length })
}, ${everyMs}).unref()
`

/** For the environment of a bot. */
export const meterOptions = `--import=data:text/javascript,${encodeURIComponent(script)}`

const readingSchema = z.object({
  heapMb: z.number(),
  /** Sockets, timers, requests under way. */
  resources: z.number(),
})

export type Reading = z.infer<typeof readingSchema>

/** Calls back with each reading, for as long as the bot lives. */
export function readMeter(child: ChildProcess, onReading: (reading: Reading) => void): void {
  child.on('message', (message) => {
    const reading = readingSchema.safeParse(message)
    if (reading.success) onReading(reading.data)
  })
}
