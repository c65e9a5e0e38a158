// Start and stop: reads the configuration, opens the storage, starts the bot.
import { setTimeout as wait } from 'node:timers/promises'
import { createBellhop } from './app.ts'
import { parseConfig } from './config.ts'
import { ConfigError } from './errors.ts'
import { createLog } from './log.ts'
import { openStorage } from './storage/storage.ts'

/** What is under way when the bot is asked to stop may take this long. */
const graceMs = 10_000

async function main(): Promise<void> {
  const config = parseConfig(process.env)
  const log = createLog({ level: config.logLevel })
  const storage = await openStorage({ url: config.databaseUrl, now: Date.now })
  const bellhop = createBellhop({
    config,
    storage,
    log,
    now: Date.now,
    wait: (ms) => wait(ms),
    onRefused: (error) => void leave(error),
  })

  let isLeaving = false
  async function leave(why?: ConfigError): Promise<void> {
    if (isLeaving) return
    isLeaving = true
    if (why === undefined) log.info('stopping')
    await bellhop.stop(graceMs)
    await storage.close()
    if (why !== undefined) console.error(why.message)
    process.exit(why === undefined ? 0 : 1)
  }
  process.once('SIGTERM', () => void leave())
  process.once('SIGINT', () => void leave())

  const port = await bellhop.start()
  log.info({ port, transport: config.slack.transport.kind }, 'Bellhop is up')
}

try {
  await main()
} catch (error) {
  // The operator can mend a setting, and a port that is taken; the rest is a defect and shows its stack.
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
