// A bot whose work is counted in its own process, and its answers to how much that was.
import { once } from 'node:events'
import { z } from 'zod'
import { type Counted, countedNothing } from './counted.ts'
import { type Recipe, type Server, withLoaded } from './server.ts'

export const countedKinds = Object.keys(countedNothing).filter((kind): kind is keyof Counted =>
  Object.hasOwn(countedNothing, kind),
)

export function counting(recipe: Recipe): Recipe {
  return withLoaded(recipe, 'count-work.ts')
}

const number = z.number().default(0)
const answer = z.object({
  promises: number,
  timers: number,
  ticks: number,
  handles: number,
  contexts: number,
  statements: number,
  commits: number,
  syncs: number,
  serialised: number,
  parsed: number,
})

/** Since it was asked last. */
export async function countedBy({ child }: Server): Promise<Counted> {
  const answered = once(child, 'message')
  child.send('counts')
  const [message]: unknown[] = await answered
  return answer.parse(message)
}
