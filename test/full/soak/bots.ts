// The bots of a soak: so many places, and in each of them one process after the other, all on one database.
import { type BotProcess, startBotProcess } from '../../../playground/bot-process.ts'

/** One process, from its start to its end. */
export interface Life {
  readonly place: number
  readonly url: string
  readonly bot: BotProcess
  readonly startedAt: number
  /** False once it was told to end, or has ended. */
  isUp: boolean
  /** Why it was to end; undefined while nobody wanted it to. */
  wanted: 'killed' | 'stopped' | undefined
  /** Milliseconds since 1970. */
  endedAt: number | undefined
  exitCode: number | null | undefined
}

export interface Bots {
  /** Every life there was. */
  readonly lives: readonly Life[]
  /** Undefined where none runs. */
  places(): readonly (Life | undefined)[]
  start(place: number): Promise<void>
  /** Ends it, and resolves when it has ended. */
  end(place: number, how: 'killed' | 'stopped'): Promise<void>
}

export function createBots(count: number, env: () => Readonly<Record<string, string>>): Bots {
  const lives: Life[] = []
  const places: (Life | undefined)[] = Array.from({ length: count }, () => undefined)

  return {
    lives,
    places: () => places,
    async start(place) {
      const bot = await startBotProcess(env())
      const life: Life = {
        ...{ place, url: bot.url, bot, startedAt: Date.now() },
        ...{ isUp: true, wanted: undefined, endedAt: undefined, exitCode: undefined },
      }
      lives.push(life)
      places[place] = life
      void bot.ended.then((code) => {
        Object.assign(life, { isUp: false, endedAt: Date.now(), exitCode: code })
        if (places[place] === life) places[place] = undefined
      })
    },
    async end(place, how) {
      const life = places[place]
      if (life === undefined) return
      life.wanted = how
      if (how === 'killed') life.isUp = false
      life.bot.child.kill(how === 'killed' ? 'SIGKILL' : 'SIGTERM')
      await life.bot.ended
    },
  }
}
