// A world in which the bot can be ended at any step of what it does, and in which time can jump.
import { setTimeout as wait } from 'node:timers/promises'
import type { BotProcess } from '../../../playground/bot-process.ts'
import { createBellhop } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { openStorage } from '../../../src/storage/storage.ts'
import { keepLog } from '../../keep-log.ts'
import { openProcessWorld } from '../../playground-world.ts'

export type Ending = 'SIGKILL' | 'SIGTERM'

export type MortalWorld = Awaited<ReturnType<typeof openMortalWorld>>

const preload = new URL('./die-at-step.ts', import.meta.url).href

/** @param options.databaseUrl - A SQLite file of its own when not given. */
export async function openMortalWorld(options: { readonly databaseUrl?: string } = {}) {
  const world = await openProcessWorld(options)
  const { now } = world.clock

  return {
    ...world,
    /** Starts a bot that `arm` can end. */
    start(changes: Readonly<Record<string, string>> = {}): Promise<BotProcess> {
      return world.start({ NODE_OPTIONS: `--import ${preload}`, ...changes })
    },
    /**
     * Starts the bot that comes after one that was ended, in this process: nobody ends it, so it costs a tenth of one in a
     * process of its own.
     */
    async takeOver() {
      const { log, lines } = keepLog('info')
      const config = { ...parseConfig({ ...world.env, PORT: '3000' }), port: 0 }
      const storage = await openStorage({ url: config.databaseUrl, now, log })
      const bellhop = createBellhop({
        config,
        storage,
        log,
        now,
        wait,
        onRefused: (error) => log.error({ err: error }, 'refused'),
        lateMs: 200,
      })
      world.slack.deliverTo(`http://127.0.0.1:${await bellhop.start()}/slack/events`)
      return {
        output: () => lines.join('\n'),
        async stop() {
          await bellhop.stop(1_000)
          await storage.close()
        },
      }
    },
    /** From now on, the bot counts its steps, and gets the signal at this one. */
    arm(bot: BotProcess, step: number, ending: Ending): void {
      bot.child.send({ step, ending })
    },
    /** How many steps it has taken since `arm`; undefined when it has ended. It takes them unharmed from here. */
    disarm(bot: BotProcess): Promise<number | undefined> {
      const counted = new Promise<number>((resolve) => {
        bot.child.once('message', (message) => resolve(Number(Object(message).count)))
      })
      // Ended by now, or just ending: the message goes nowhere.
      if (bot.child.connected) bot.child.send({ disarm: true }, () => undefined)
      return Promise.race([counted, bot.ended.then(() => undefined)])
    },
  }
}
