// The real bot behind the page, to be stopped and started again.
import { startBotProcess } from './bot-process.ts'
import type { Clock } from './server/clock.ts'
import type { BotSwitch } from './server/troubles/troubles.ts'
import type { Slack } from './slack/simulator.ts'

/** A bot that is up. */
export interface RunningBot {
  /** Where it listens. */
  readonly url: string
  /** Resolves once it runs no more, whoever ended it. */
  readonly ended: Promise<unknown>
  stop(): Promise<unknown>
}

/** @param env - Its whole environment. @param clock - What it goes by, also when that is moved. */
export type StartBot = (env: Readonly<Record<string, string>>, clock: Clock) => Promise<RunningBot>

const asProcess: StartBot = (env, clock) => startBotProcess(env, undefined, clock)

/** The real bot, as often as it is started. Its address changes, its database stays. */
export function botSwitch(
  env: Readonly<Record<string, string>>,
  slack: Slack,
  clock: Clock,
  startBot: StartBot = asProcess,
): BotSwitch {
  let running: RunningBot | undefined
  return {
    get isRunning() {
      return running !== undefined
    },
    async start() {
      const bot = await startBot(env, clock)
      running = bot
      void bot.ended.then(() => {
        running = undefined
      })
      if ('SLACK_APP_TOKEN' in env) await slack.socket.connected()
      else slack.deliverTo(`${bot.url}/slack/events`)
    },
    async stop() {
      await running?.stop()
    },
  }
}
