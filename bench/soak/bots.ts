// The bots of a soak: so many places, and in each of them one process after the other, all on one database.
import { type BotProcess, startBotProcess } from '../../playground/bot-process.ts'
import type { Clock } from '../../playground/server/clock.ts'
import type { Random } from './random.ts'

/** One process, from its start to its end. */
export interface Life {
  readonly place: number
  readonly url: string
  readonly bot: BotProcess
  /** Why it was to end; undefined while nobody wanted it to. */
  wanted: 'killed' | 'stopped' | undefined
  exitCode: number | null | undefined
}

export type Bots = Awaited<ReturnType<typeof startBots>>

export async function startBots(
  count: number,
  env: Readonly<Record<string, string>>,
  random: Random,
  clock: Clock,
) {
  const lives: Life[] = []
  const newest = (place: number) => lives.findLast((life) => life.place === place)

  async function start(place: number): Promise<void> {
    const bot = await startBotProcess(env, undefined, clock)
    const life: Life = { place, url: bot.url, bot, wanted: undefined, exitCode: undefined }
    lives.push(life)
    void bot.ended.then((code) => {
      life.exitCode = code
    })
  }

  async function end(life: Life, how: 'killed' | 'stopped'): Promise<void> {
    life.wanted = how
    life.bot.child.kill(how === 'killed' ? 'SIGKILL' : 'SIGTERM')
    await life.bot.ended
  }

  const places = Array.from({ length: count }, (_, place) => place)
  // Together: on an empty database, one of them makes its tables.
  await Promise.all(places.map(start))
  return {
    /** Every life there was. */
    lives,
    running: () =>
      lives.filter(({ wanted, exitCode }) => wanted === undefined && exitCode === undefined),
    /** The newest life of any place, as a balancer without a health check takes it: a request to a dead one is lost. */
    anyOne: () => newest(random.pick(places)),
    start,
    end,
  }
}
