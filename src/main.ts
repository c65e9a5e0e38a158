// Start and stop: reads the configuration, opens the storage, starts the bot.
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConfigError } from './errors.ts'
import { terminal } from './terminal/command.ts'

/** A stop takes no longer than this, whatever is under way. */
const graceMs = 10_000
/** The part of `graceMs` that is kept for closing connections and the database. */
const closingMs = 500

const leaving = Promise.withResolvers<'asked' | ConfigError>()
/** Resolves once the log is written out; at once while there is no log yet. */
let written: () => Promise<void> = async () => undefined

const ask = () => leaving.resolve('asked')

// Listeners are set before anything that takes time, and stay: a signal without a listener kills the process at once.
process.on('SIGTERM', ask)
process.on('SIGINT', ask)
// SIGHUP (a terminal was closed) stops the bot only if it runs in a terminal. Under nohup it has to go on, though Node
// undoes nohup’s ignoring of the signal.
process.on('SIGHUP', () => process.stdin.isTTY && ask())

async function main() {
  // Loaded here, behind the listeners: loading takes a few hundred milliseconds, in which a signal would kill the process.
  const { createBellhop } = await import('./app.ts')
  const { parseConfig } = await import('./config/config.ts')
  const { createLog } = await import('./log/log.ts')
  const { openStorage } = await import('./storage/storage.ts')
  const { version } = await import('./config/version.ts')
  const config = parseConfig(process.env)
  const log = createLog({ level: config.logLevel })
  written = log.written
  // Slack's socket client rejects a promise of its own if a frame has no event in it. Logging that is enough: failures of
  // people's requests don't come here, as the guard tells the asker.
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'something failed that nobody waited for'),
  )
  log.info({ version, node: process.versions.node }, 'Bellhop starts')
  const opening = openStorage({ url: config.databaseUrl, now: Date.now, log })
  // A stop does not wait for a locked database; a migration that is half done is rolled back.
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
  // “Up” only once Slack has said who the bot is: until then nobody gets an answer.
  void bellhop.answered().then(
    () => log.info({ port, transport: config.slack.transport.kind }, 'Bellhop is up'),
    () => undefined,
  )
  // Keeps compiled code for the next start now: by itself, Node does so only when a process ends, not when it is killed.
  flushCompileCache()

  if ((await leaving.promise) === 'asked') log.info('stopping')
  await bellhop.stop(graceMs - closingMs)
  await storage.close()
}

try {
  const overdue = leaving.promise.then(() => wait(graceMs))
  await Promise.race([main(), overdue])
  const reason = await leaving.promise
  if (reason !== 'asked') throw reason
  await written()
  process.exit(0)
} catch (error) {
  // A ConfigError (a wrong setting, a port that is taken) is one the operator can mend; any other is a defect and shows its
  // stack. The error is printed last, so that whoever reads the end of the output reads why.
  await written()
  terminal.error(error, 'Bellhop can’t start:')
  process.exit(1)
}
