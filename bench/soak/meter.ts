// A meter of what a bot needs, every few seconds for as long as it lives.
import type { ChildProcess } from 'node:child_process'
import { type Sample, sample } from '../../test/heap.ts'

const everyMs = 5_000

/** @param child - Started with `heapOptions`. It may be killed at any moment. */
export function readMeter(child: ChildProcess, onReading: (reading: Sample) => void): void {
  const asking = setInterval(() => {
    // One that has just been killed does not answer, and that is no fault of the meter's.
    child.send('heap', () => undefined)
  }, everyMs)
  child.once('exit', () => clearInterval(asking))
  child.on('message', (message) => {
    const read = sample.safeParse(message)
    if (read.success) onReading(read.data)
  })
}
