// Start and stop: reads the configuration, opens the storage, starts the bot.
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConfigError } from './errors.ts'
import { printError } from './terminal.ts'

/** A stop takes no longer than this, whatever is under way. */
const graceMs = 10_000
/** So much of it is kept for closing connections and the database. */
const closingMs = 500

/** Why the bot ends: it was asked to, or it cannot go on. */
type Reason = 'asked' | ConfigError

const leaving = Promise.withResolvers<Reason>()
// Before anything that takes time, and for as long as the process lives: a signal without a listener kills at once.
process.on('SIGTERM', () => leaving.resolve('asked'))
process.on('SIGINT', () => leaving.resolve('asked'))

/** Resolves when the bot has stopped. */
async function main(): Promise<void> {
  // Loading all of it takes a few hundred milliseconds, in which a signal would not be heard.
  const [{ createBellhop }, { parseConfig }, { createLog }, { openStorage }] = await Promise.all([
    import('./app.ts'),
    import('./config.ts'),
    import('./log.ts'),
    import('./storage/storage.ts'),
  ])
  const config = parseConfig(process.env)
  // A log that is kept is JSON; in a terminal, somebody reads along.
  const isForReading = process.stdout.isTTY && !process.env.CI
  const log = createLog({ level: config.logLevel, isForReading })
  const opening = openStorage({ url: config.databaseUrl, now: Date.now, log })
  // A stop does not wait for a locked database; what is half migrated is rolled back.
  const storage = await Promise.race([opening, leaving.promise.then(() => undefined)])
  if (storage === undefined) return log.info('stopping')
  const bellhop = createBellhop({
    config,
    storage,
    log,
    now: Date.now,
    wait: (ms) => wait(ms),
    onRefused: leaving.resolve,
  })
  const port = await bellhop.start()
  log.info({ port, transport: config.slack.transport.kind }, 'Bellhop is up')
  // Node would do it at the end, and who is killed has none.
  flushCompileCache()

  if ((await leaving.promise) === 'asked') log.info('stopping')
  await bellhop.stop(graceMs - closingMs)
  await storage.close()
}

async function overdue(): Promise<void> {
  await leaving.promise
  await wait(graceMs)
}

try {
  await Promise.race([main(), overdue()])
  const reason = await leaving.promise
  if (reason !== 'asked') throw reason
  process.exit(0)
} catch (error) {
  // The operator can mend a setting, and a port that is taken; the rest is a defect and shows its stack.
  printError(error, 'Bellhop cannot start:')
  process.exit(1)
}
