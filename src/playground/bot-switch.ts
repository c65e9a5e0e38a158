// The real bot behind the page, to be stopped and started again.
import { type BotProcess, startBotProcess } from './bot-process.ts'
import type { BotSwitch } from './server/troubles.ts'
import type { Slack } from './slack/simulator.ts'

/** The real bot, as often as it is started. Its address changes, its database stays. */
export function botSwitch(env: Readonly<Record<string, string>>, slack: Slack): BotSwitch {
  let running: BotProcess | undefined
  return {
    get isRunning() {
      return running !== undefined
    },
    async start() {
      const bot = await startBotProcess(env)
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
