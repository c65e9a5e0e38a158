// Lines on their way to standard output: those of a moment go out together, as each write of its own would cost more
// than the line, a tenth of the acks a second. A process that is killed loses no more than that moment. Nothing here
// waits for whoever reads: lines that nobody takes wait in memory, and past a bound they are dropped and counted.
import { fstatSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { DestinationStream } from 'pino'

/** How long a line may wait for others. */
const momentMs = 50
/** Or until there are so many characters. */
const many = 8 * 1024
/** Characters that wait at most, some thousand lines. A pipe holds 64 KiB beside them. */
const most = 1024 * 1024
/** How often a reader that takes nothing is tried again. */
const againMs = 20
/** An end waits for a slow reader as long as this. */
const lastMs = 1_000

const standardOutput = 1

export interface LogOutput extends DestinationStream {
  /** Writes what waits, as far as it is taken. */
  flush(): void
  /** Resolves when all is written, or after a second. */
  written(): Promise<void>
  /** Lines that were dropped so far. */
  dropped(): number
  /** Called once lines are taken again after some were dropped, with how many. Replaces an earlier one. */
  onTaken(listener: (dropped: number) => void): void
}

export function openLogOutput(): LogOutput {
  let waiting = ''
  /** What was begun: a pipe may take a part of a line. */
  let begun = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  let isUsed = false
  let isGone = false
  let dropped = 0
  let droppedBefore = 0
  let tell: (dropped: number) => void = () => undefined

  function use(): void {
    isUsed = true
    doNotWait()
    process.once('exit', finish)
  }

  function drop(lines: string): void {
    for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) dropped += 1
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    while (waiting !== '' || begun.length > 0) {
      if (begun.length === 0) {
        begun = Buffer.from(waiting)
        waiting = ''
      }
      const taken = write(begun)
      if (taken === 'gone') giveUp()
      if (taken === 'later') tryAgain()
      if (typeof taken === 'string') return
      begun = begun.subarray(taken)
    }
    if (dropped === droppedBefore) return
    const count = dropped - droppedBefore
    droppedBefore = dropped
    tell(count)
  }

  function tryAgain(): void {
    timer = setTimeout(flush, againMs).unref()
  }

  function giveUp(): void {
    isGone = true
    drop(begun.toString())
    drop(waiting)
    begun = Buffer.alloc(0)
    waiting = ''
  }

  const isDone = () => waiting === '' && begun.length === 0

  /** At the very end nothing happens later, so this waits by standing still. */
  function finish(): void {
    const cell = new Int32Array(new SharedArrayBuffer(4))
    for (let left = lastMs; ; left -= againMs) {
      flush()
      if (isDone() || left <= 0) return
      Atomics.wait(cell, 0, 0, againMs)
    }
  }

  return {
    write(line) {
      if (!isUsed) use()
      if (isGone || waiting.length + begun.length + line.length > most) return drop(line)
      waiting += line
      if (waiting.length >= many && begun.length === 0) flush()
      else timer ??= setTimeout(flush, momentMs).unref()
    },
    flush,
    async written() {
      for (let left = lastMs; ; left -= againMs) {
        flush()
        if (isDone()) return
        // Nobody reads: the end need not wait for them once more.
        if (left <= 0) return giveUp()
        await wait(againMs)
      }
    },
    dropped: () => dropped,
    onTaken(listener) {
      tell = listener
    },
  }
}

/** How many bytes were taken; `later` when there is no room now, `gone` when nobody will ever read. */
function write(bytes: Buffer): number | 'later' | 'gone' {
  try {
    return writeSync(standardOutput, bytes)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // A disk that is full may have room again.
    return code === 'EPIPE' || code === 'EBADF' ? 'gone' : 'later'
  }
}

/**
 * Has a write to a pipe or a socket return at once where there is no room: whoever makes a stream of it has Node set
 * that. Node itself takes it back at the end. Files always have room, and a terminal is the shell's too.
 */
function doNotWait(): void {
  const output = fstatSync(standardOutput)
  if (!output.isFIFO() && !output.isSocket()) return
  new Socket({ fd: standardOutput, readable: false, writable: true }).on('error', () => undefined).unref()
}
