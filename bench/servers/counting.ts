// A bot whose work is counted in its own process, and its answers to how much that was.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Answered, type Counted, countedNothing, wantsSources } from './counted.ts'
import type { Recipe, Server } from './server.ts'

const counter = fileURLToPath(new URL('count-work.ts', import.meta.url))

export const countedKinds = Object.keys(countedNothing).filter((kind): kind is keyof Counted =>
  Object.hasOwn(countedNothing, kind),
)

/** @param isTraced - Which lines it is done by is told as well, which takes ten times as long. */
export function counting(recipe: Recipe, isTraced = false): Recipe {
  return {
    ...recipe,
    args: ['--disable-warning=ExperimentalWarning', '--import', counter, ...recipe.args],
    env: isTraced ? { ...recipe.env, [wantsSources]: '1' } : recipe.env,
  }
}

const number = z.number().default(0)
const answer = z.object({
  counted: z.object({
    promises: number,
    timers: number,
    ticks: number,
    handles: number,
    contexts: number,
    statements: number,
    commits: number,
    serialised: number,
    parsed: number,
  }),
  sources: z.record(z.string(), z.record(z.string(), z.number())),
})

/** Since it was asked last. */
export async function countedBy({ child }: Server): Promise<Answered> {
  const answered = once(child, 'message')
  child.send('counts')
  const [message]: unknown[] = await answered
  return answer.parse(message)
}

/** The lines that most is done by, the first first, each with how often. */
export function greatestIn({ sources }: Answered, kind: keyof Counted, most: number) {
  const all = Object.entries(sources[kind] ?? {})
  return all.toSorted(([, a], [, b]) => b - a).slice(0, most)
}
