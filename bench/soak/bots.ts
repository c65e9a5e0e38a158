// The bots of a soak: so many places, and in each of them one process after the other, all on one database.
import { readdirSync } from 'node:fs'
import { type BotProcess, startBotProcess } from '../../playground/bot-process.ts'
import { heapOptions, type Sample as Reading } from '../../test/heap.ts'
import { isTold, rssMbOf } from '../process-figures.ts'
import { readMeter } from './meter.ts'

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

export interface Sample extends Reading {
  readonly at: number
  readonly place: number
  readonly pid: number
  /** Undefined where the system does not tell. */
  readonly rssMb: number | undefined
  readonly files: number | undefined
}

export interface Bots {
  /** Every life there was. */
  readonly lives: readonly Life[]
  /** Undefined where none runs. */
  places(): readonly (Life | undefined)[]
  start(place: number): Promise<void>
  /** Ends it, and resolves when it has ended. */
  end(place: number, how: 'killed' | 'stopped'): Promise<void>
  /** What they need, every few seconds. */
  readonly samples: readonly Sample[]
}

export function createBots(count: number, env: () => Readonly<Record<string, string>>): Bots {
  const lives: Life[] = []
  const samples: Sample[] = []
  const places: (Life | undefined)[] = Array.from({ length: count }, () => undefined)

  return {
    lives,
    samples,
    places: () => places,
    async start(place) {
      const bot = await startBotProcess({ ...env(), ...heapOptions })
      const life: Life = {
        ...{ place, url: bot.url, bot, startedAt: Date.now() },
        ...{ isUp: true, wanted: undefined, endedAt: undefined, exitCode: undefined },
      }
      lives.push(life)
      readMeter(bot.child, (reading) => {
        const { pid } = bot.child
        if (pid === undefined || !life.isUp) return
        samples.push({ ...reading, at: Date.now(), place, pid, rssMb: rssMbOf(pid), files: openFilesOf(pid) })
      })
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

/** How many files and sockets a process has open. */
function openFilesOf(pid: number): number | undefined {
  try {
    return isTold ? readdirSync(`/proc/${pid}/fd`).length : undefined
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
