// Lines on their way to standard output: those of a moment go out together, as each write of its own would cost more
// than the line. A process that is killed loses no more than that moment.
import { type DestinationStream, pino } from 'pino'

/** How long a line may wait. */
const momentMs = 50
/** Or until there is so much. */
const manyBytes = 8 * 1024

export interface LogOutput extends DestinationStream {
  /** Writes what waits. */
  flush(): void
}

export function openLogOutput(): LogOutput {
  const output = pino.destination({ dest: 1, sync: true, minLength: manyBytes })
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    output.flushSync()
  }

  process.on('exit', flush)
  return {
    write(line) {
      output.write(line)
      timer ??= setTimeout(flush, momentMs).unref()
    },
    flush,
  }
}
