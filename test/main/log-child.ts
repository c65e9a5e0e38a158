// A process that logs so many lines, tells over its channel that it still runs, logs another when it is asked to, and ends
// when it is told to.
import { createLog } from '../../src/log/log.ts'

const [, , count = '0'] = process.argv
const log = createLog({ level: 'info' })
for (let line = 1; line <= Number(count); line += 1) log.info({ line }, 'x'.repeat(100))
// Only a process that does not stand still comes here.
process.send?.({ dropped: log.dropped() })

process.on('message', async (asked) => {
  if (asked === 'log') {
    log.info('one more')
    process.send?.({ dropped: log.dropped() })
    return
  }
  await log.written()
  process.exit(0)
})
