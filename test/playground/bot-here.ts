// The real bot in the test's own process: it is there in a moment, and is all that a page or a stand-in can see of it.
import { setTimeout as delay } from 'node:timers/promises'
import type { StartBot } from '../../playground/bot-switch.ts'
import { createBellhop } from '../../src/app.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/log/log.ts'
import { openStorage } from '../../src/storage/storage.ts'

/** As `main.ts` starts it, but for its log, which nobody reads here. */
export const startBotHere: StartBot = async (env, { now }) => {
  const config = parseConfig(env)
  const storage = await openStorage({ url: config.databaseUrl, now })
  const ended = Promise.withResolvers<void>()
  const bellhop = createBellhop({
    config,
    storage,
    log: createLog({ level: 'silent' }),
    now,
    wait: (ms) => delay(ms),
    onRefused: ended.reject,
    // At the playground's short interval it would ask its database 30 times a second, in every test.
    tickMs: 200,
  })
  const port = await bellhop.start()
  return {
    url: `http://127.0.0.1:${port}`,
    ended: ended.promise,
    async stop() {
      await bellhop.stop(5_000)
      await storage.close()
      ended.resolve()
    },
  }
}
