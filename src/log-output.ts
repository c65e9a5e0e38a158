// Lines on their way to standard output: those of a moment go out together, as each write of its own would cost more
// than the line. A process that is killed loses no more than that moment.
import { type DestinationStream, pino } from 'pino'

/** How long a line may wait. */
const momentMs = 50
/** Or until there are so many characters. */
const many = 8 * 1024

export interface LogOutput extends DestinationStream {
  /** Writes what waits. */
  flush(): void
}

export function openLogOutput(): LogOutput {
  const output = pino.destination({ dest: 1, sync: true })
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  let isUsed = false

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    // As one line: a flush of the stream's own would wait for ever for a reader that is gone.
    if (lines !== '') output.write(lines)
  }

  return {
    write(line) {
      if (!isUsed) process.once('exit', flush)
      isUsed = true
      waiting += line
      if (waiting.length >= many) flush()
      else timer ??= setTimeout(flush, momentMs).unref()
    },
    flush,
  }
}
