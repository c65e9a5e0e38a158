// From spawn to the first 200 of /healthz, on a machine that has started it before.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { openStage } from '../stage.ts'

const what = 'start until /healthz says 200'

export async function measureStart(
  { rounds }: { readonly rounds: number },
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, measured } = takeNotes('start')
  const stage = await openStage({ cores })
  try {
    const recipes = await stage.recipesBeside('bolt-ack')
    for (let round = -1; round < rounds; round += 1) {
      for (const recipe of recipes) {
        const actor = await stage.start(recipe)
        // The first one fills what caches there are.
        if (round >= 0) note(what, recipe.name, 'ms', actor.server.startMs)
        await stage.end(actor)
      }
    }
  } finally {
    await stage.close()
  }
  return measured()
}
