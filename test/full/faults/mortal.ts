// A world in which the bot can be ended at any step of what it does, and in which time can jump.
import type { BotProcess } from '../../../playground/bot-process.ts'
import { openProcessWorld } from '../../playground-world.ts'

export type Ending = 'SIGKILL' | 'SIGTERM'

export type MortalWorld = Awaited<ReturnType<typeof openMortalWorld>>

const preload = new URL('./die-at-step.ts', import.meta.url).href

/** @param options.databaseUrl - A SQLite file of its own when not given. */
export async function openMortalWorld(options: { readonly databaseUrl?: string } = {}) {
  let aheadMs = 0
  const world = await openProcessWorld({ ...options, clock: () => Date.now() + aheadMs })

  return {
    ...world,
    /** Starts a bot that `arm` can end; its clock is everybody's. */
    start(changes: Readonly<Record<string, string>> = {}): Promise<BotProcess> {
      const mortal = { NODE_OPTIONS: `--import ${preload}`, BELLHOP_TEST_AHEAD_MS: String(aheadMs) }
      return world.start({ ...mortal, ...changes })
    },
    /** Moves the clock of Slack and the service, and of each bot that is started from now on. */
    jump(ms: number): void {
      aheadMs += ms
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
    /** Says something on every connection of the bot to its SQLite file, such as a pragma that makes it read-only. */
    async say(bot: BotProcess, sql: string): Promise<void> {
      const done = new Promise((resolve) => bot.child.once('message', resolve))
      bot.child.send({ sql })
      await done
    },
    /** Moves the clock of a running bot along with the others. */
    jumpWith(bot: BotProcess, ms: number): void {
      aheadMs += ms
      bot.child.send({ aheadMs })
    },
  }
}
