// Plays a story once for each step the bot takes in it, and ends the bot at that step; another one takes over on the
// same database. What must hold then is the story's to say.
import type { Delivery } from '../../../playground/slack/model/model.ts'
import { type Ending, type MortalWorld, openMortalWorld } from './mortal.ts'

export interface Story<Scene, Books> {
  /** All that comes before; the bot is not counted yet. */
  prepare(world: MortalWorld): Promise<Scene>
  /** What the person does, or time. Resolves when Slack has its ack, or none. */
  act(world: MortalWorld, scene: Scene): Promise<Pick<Delivery, 'outcome'>>
  /** Resolves when the last word of the unharmed story was said. */
  end(world: MortalWorld, scene: Scene): Promise<unknown>
  /** Looks at the books, once another bot is up, whose clock is far ahead. @param isKept - There is something to end. */
  books(world: MortalWorld, scene: Scene, isKept: boolean): Promise<Books>
  /** How far ahead. Default: later than all leases and claims. */
  readonly laterMs?: number
}

/** One play, with what the story's books say of it. */
export interface Played<Books> {
  readonly step: number
  /** What the first bot did, the step at which it was ended last. */
  readonly trail: readonly string[]
  /** True when the story was over before that step. */
  readonly isUnharmed: boolean
  /** False when Slack got no ack: it tells the person so itself. */
  readonly isAcked: boolean
  /** How the first bot ended: a code, or null when it was killed. */
  readonly code: number | null
  readonly books: Books
}

/** Whether the bot got so far before it was ended. */
export const didBefore = ({ trail }: Pick<Played<unknown>, 'trail'>, what: RegExp) =>
  trail.some((did) => what.test(did))

/** The request was kept. */
const hasKept = (played: Pick<Played<unknown>, 'trail'>) =>
  didBefore(played, /^wrote: .*insert into docs/)

/** It wrote down, once this had gone out the last time, that somebody was told. */
export function hasNoted({ trail }: Played<unknown>, tells: RegExp): boolean {
  const told = trail.findLastIndex((did) => tells.test(did))
  return told >= 0 && trail.slice(told + 1).some((did) => /^wrote: .*update docs/.test(did))
}

/** Later than all leases and claims, as after a long night. */
const longNightMs = 400_000
/** Two cores, and each play starts a process. */
const atOnce = 3

/** A database with a clock of its own. */
export interface OwnDatabase {
  readonly url: string
  /** Lets time pass at once. */
  later(ms: number): Promise<void>
}

export interface Options {
  readonly ending: Ending
  /** One for each play; a SQLite file, which goes by the bot's clock, when not given. */
  readonly database?: (() => Promise<OwnDatabase>) | undefined
}

/** Plays on until one is over before its step; in order, that one last. */
export async function playEachStep<Scene, Books>(
  story: Story<Scene, Books>,
  options: Options,
): Promise<readonly Played<Books>[]> {
  const played: Played<Books>[] = []
  let next = 1
  let isOver = false
  async function playOn(): Promise<void> {
    while (!isOver) {
      const step = next
      next += 1
      const one = await play(story, step, options)
      played.push(one)
      if (one.isUnharmed) isOver = true
    }
  }
  await Promise.all(Array.from({ length: atOnce }, playOn))
  return played.toSorted((one, other) => one.step - other.step)
}

async function play<Scene, Books>(
  story: Story<Scene, Books>,
  step: number,
  { ending, database }: Options,
): Promise<Played<Books>> {
  const own = await database?.()
  const world = await openMortalWorld(own && { databaseUrl: own.url })
  const bot = await world.start()
  const scene = await story.prepare(world)
  await world.slack.idle()
  world.arm(bot, step, ending)

  const over = story.end(world, scene).catch(() => undefined)
  const { outcome } = await story.act(world, scene)
  await Promise.race([bot.ended, over])
  await world.slack.idle(100)
  const steps = await world.disarm(bot)
  const isUnharmed = steps !== undefined && steps < step
  // Asked to stop, it ends when it is done; unharmed, it must be gone before another takes over.
  if (ending === 'SIGKILL' || isUnharmed) bot.child.kill('SIGKILL')
  const code = await bot.ended
  const trail = [...bot.output().matchAll(/^step \d+: (.*)$/gm)].map(([, what = '']) => what)

  const { laterMs = longNightMs } = story
  world.clock.move(laterMs)
  await own?.later(laterMs)
  const another = await world.takeOver()
  const books = await story.books(world, scene, hasKept({ trail })).catch((error: unknown) => {
    const did = trail.join('\n  ')
    throw new Error(`ended at step ${step}:\n  ${did}\nand the next one:\n${another.output()}`, {
      cause: error,
    })
  })
  await another.stop()
  await Promise.all([world.slack.stop(), world.service.stop()])
  return { books, step, trail, isUnharmed, isAcked: outcome === 'acked', code }
}
