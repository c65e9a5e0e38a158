// Part of the bench: what one command is made of, in counts, which no slow hour changes.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import type { Counted } from '../servers/counted.ts'
import { countedBy, countedKinds, counting } from '../servers/counting.ts'
import { type Actor, openStage } from '../stage.ts'

export interface CountsPlan {
  /** The first ones load, compile and connect, and ask what each person is called. */
  readonly warmUp: number
  readonly commands: number
}

const wordsOfCounts: Readonly<Record<keyof Counted, string>> = {
  promises: 'promises',
  timers: 'timers',
  ticks: 'ticks',
  handles: 'handles',
  contexts: 'frames of AsyncLocalStorage',
  statements: 'statements',
  commits: 'commits',
  serialised: 'characters of JSON written',
  parsed: 'characters of JSON read',
}

export async function measureCounts(
  { warmUp, commands }: CountsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('counts')
  const stage = await openStage({ cores })

  async function count(actor: Actor, unit: string, work: (times: number) => Promise<unknown>): Promise<void> {
    await work(warmUp)
    await countedBy(actor.server)
    await work(commands)
    const counted = await countedBy(actor.server)
    for (const kind of countedKinds) note(wordsOfCounts[kind], actor.name, unit, counted[kind] / commands)
  }

  try {
    const recipes = [await stage.bellhop(), stage.recipeOf('bolt-guide')]
    for (const recipe of recipes) {
      const actor = await stage.start(counting(recipe))
      const { load } = actor
      await count(actor, 'a command', (times) => load.commands(times, 1))
      if (actor.name === bellhopName) {
        const { name } = actor
        await count({ ...actor, name: `${name}, /alert help` }, 'a command', (times) => load.helps(times, 1))
        await count({ ...actor, name: `${name}, a link` }, 'a press', (times) => load.presses(times, 1))
      }
      await stage.end(actor)
    }
    stage.books.add()
  } finally {
    await stage.close()
  }
  remark(
    'Counts: `/alert <key>`, every key new, one at a time; what the bot does by itself meanwhile is in it.',
  )
  return measured()
}
