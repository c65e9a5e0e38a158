// Counts of what a command takes of the bot's process, as the bench has them. The limits are upper ones: whoever goes
// beyond one is told which. docs/performance.md says what they are for.
import { expect, it } from 'vitest'
import type { Load } from '../../bench/load/load.ts'
import type { Counted } from '../../bench/servers/counted.ts'
import { countedBy, countedKinds, counting } from '../../bench/servers/counting.ts'
import { type Actor, openStage, type Stage } from '../../bench/stage.ts'

/** By walk. */
const limits = {
  'a command': {
    promises: 330,
    timers: 24,
    contexts: 6.5,
    statements: 11,
    commits: 3,
    syncs: 0.5,
    serialised: 5_500,
  },
  'one of ten commands at a time': { statements: 8, commits: 2, syncs: 0.5 },
  help: {
    promises: 100,
    timers: 3.5,
    contexts: 6.5,
    statements: 0.5,
    commits: 0.1,
    serialised: 2_300,
  },
  'a link': {
    promises: 125,
    timers: 3.5,
    contexts: 6.5,
    statements: 0.5,
    commits: 0.1,
    serialised: 100,
  },
} as const satisfies Record<string, Partial<Counted>>
type Walk = keyof typeof limits
const isWalk = (name: string): name is Walk => Object.hasOwn(limits, name)

const walks: Readonly<Record<Walk, (load: Load) => Promise<unknown>>> = {
  'a command': (load) => load.commands(times, 1),
  'one of ten commands at a time': (load) => load.commands(times, 10),
  help: (load) => load.helps(times, 1),
  'a link': (load) => load.presses(times, 1),
}

const times = 20
/** What the bot does by itself falls into some of them, and only adds to them. */
const rounds = 5

/** The least of several rounds, for one. */
async function leastOf(
  { server, load }: Actor,
  walk: Walk,
): Promise<(kind: keyof Counted) => number> {
  const all: Readonly<Counted>[] = []
  for (let round = 0; round < rounds; round += 1) {
    await countedBy(server)
    await walks[walk](load)
    all.push(await countedBy(server))
  }
  return (kind) => Math.min(...all.map((counted) => counted[kind])) / times
}

/** Everybody asks before: Slack is asked what each of them is called, and each has cards of their own. */
async function startWarm(stage: Stage): Promise<Actor> {
  const actor = await stage.start(counting(await stage.fromSources()))
  await actor.load.commands(220, 4)
  return actor
}

it('a command, help and a link take no more of the bot than their limits', async () => {
  const stage = await openStage({ cores: undefined })
  try {
    const actor = await startWarm(stage)
    const over: string[] = []
    for (const walk of Object.keys(limits).filter(isWalk)) {
      const least = await leastOf(actor, walk)
      const most: Partial<Counted> = limits[walk]
      for (const kind of countedKinds) {
        const count = least(kind)
        if (count > (most[kind] ?? count))
          over.push(`${walk} takes ${count} ${kind}, at most ${most[kind]}`)
      }
    }
    expect(over).toEqual([])
  } finally {
    await stage.close()
  }
}, 300_000)
