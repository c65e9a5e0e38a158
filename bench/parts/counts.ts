// Part of the bench: what one command is made of, in counts, which no slow hour changes.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { type Counted, countedNothing } from '../servers/counted.ts'
import type { Recipe, Server } from '../servers/server.ts'
import { openStage } from '../stage.ts'

export interface CountsPlan {
  /** The first ones load, compile and connect. */
  readonly warmUp: number
  readonly commands: number
}

const counter = fileURLToPath(new URL('../servers/count-work.ts', import.meta.url))
const words: Readonly<Record<keyof Counted, string>> = {
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
const kinds = Object.keys(countedNothing).filter((kind): kind is keyof Counted =>
  Object.hasOwn(countedNothing, kind),
)
const answer = z.object({ counted: z.record(z.string(), z.number()) })

export async function measureCounts(
  { warmUp, commands }: CountsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('counts')
  const stage = await openStage({ cores })
  try {
    const recipes = [await stage.bellhop(), stage.recipeOf('bolt-guide'), stage.recipeOf('floor')]
    for (const recipe of recipes) {
      const actor = await stage.start(counting(recipe))
      await actor.load.commands(warmUp, 1)
      await countedBy(actor.server)
      await actor.load.commands(commands, 1)
      const counted = await countedBy(actor.server)
      for (const kind of kinds) note(words[kind], actor.name, 'a command', (counted[kind] ?? 0) / commands)
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

function counting(recipe: Recipe): Recipe {
  return { ...recipe, args: ['--disable-warning=ExperimentalWarning', '--import', counter, ...recipe.args] }
}

/** Since it was asked last. */
async function countedBy({ child }: Server): Promise<Readonly<Record<string, number>>> {
  const answered = once(child, 'message')
  child.send('counts')
  const [message]: unknown[] = await answered
  return answer.parse(message).counted
}
