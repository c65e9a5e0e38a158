// A bot whose work is counted in its own process, and its answers to how much that was.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Counted, countedNothing } from './counted.ts'
import type { Recipe, Server } from './server.ts'

const counter = fileURLToPath(new URL('count-work.ts', import.meta.url))

export const countedKinds = Object.keys(countedNothing).filter((kind): kind is keyof Counted =>
  Object.hasOwn(countedNothing, kind),
)

export function counting(recipe: Recipe): Recipe {
  const args = ['--disable-warning=ExperimentalWarning', '--import', counter, ...recipe.args]
  return { ...recipe, args }
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
