// The heap of a bot in a process of its own, as it is when nothing in it is garbage.
import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'

/** Loaded into the bot beside it: answers each message with what is left after a collection. */
const answersHeap = `data:text/javascript,${encodeURIComponent(`
  process.on('message', () => {
    globalThis.gc()
    process.send({ heapMb: process.memoryUsage().heapUsed / 2 ** 20, resources: process.getActiveResourcesInfo().length })
  })
  process.channel.unref()`)}`

/** For the environment of the bot. */
export const heapOptions = { NODE_OPTIONS: `--expose-gc --import=${answersHeap}` }

const sample = z.object({
  heapMb: z.number(),
  /** Sockets, timers, requests under way. */
  resources: z.number(),
})
export type Sample = z.infer<typeof sample>

/** Collects, which stops the bot for a moment. One at a time. */
export function sampleHeap(child: ChildProcess): Promise<Sample> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const read = sample.safeParse(message)
      if (read.success) resolve(read.data)
      else reject(read.error)
    })
    child.send('heap')
  })
}
