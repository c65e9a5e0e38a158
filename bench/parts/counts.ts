// Part of the bench: what one command is made of, in counts, which no slow hour changes.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { bellhop } from '../servers/bellhop.ts'
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
  syncs: 'waits for the disk',
  serialised: 'characters of JSON written',
  parsed: 'characters of JSON read',
}

export async function measureCounts(
  { warmUp, commands }: CountsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('counts')
  const stage = await openStage({ cores })

  /** @param which - What the figures are called besides; nothing for a command. */
  async function count(
    actor: Actor,
    which: string,
    work: (times: number) => Promise<unknown>,
  ): Promise<void> {
    await work(warmUp)
    await countedBy(actor.server)
    await work(commands)
    const counted = await countedBy(actor.server)
    for (const kind of countedKinds)
      note(wordsOfCounts[kind] + which, actor.name, 'each', counted[kind] / commands)
  }

  try {
    const recipes = [await stage.fromSources(), stage.recipeOf('bolt-guide')]
    for (const recipe of recipes) {
      const actor = await stage.start(counting(recipe))
      const { load } = actor
      await count(actor, '', (times) => load.commands(times, 1))
      if (actor.name === bellhop.sources) {
        await count(actor, ', /alert help', (times) => load.helps(times, 1))
        await count(actor, ', a link', (times) => load.presses(times, 1))
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
