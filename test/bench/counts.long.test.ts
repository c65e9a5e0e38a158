// Counts of what a command takes of the bot's process, as the bench has them. The limits are upper ones: whoever goes
// beyond one is told which. docs/performance.md says what they are for.
import { expect, it } from 'vitest'
import type { Counted } from '../../bench/servers/counted.ts'
import { countedBy, counting } from '../../bench/servers/counting.ts'
import { type Actor, openStage, type Stage } from '../../bench/stage.ts'

/** By walk. */
const limits = {
  commands: {
    promises: 950,
    timers: 28,
    contexts: 6.5,
    statements: 17,
    commits: 5,
    serialised: 11_400,
  },
  helps: { promises: 155, timers: 3.5, contexts: 6.5, statements: 0.5, commits: 0.1, serialised: 3_100 },
  presses: { promises: 185, timers: 3.5, contexts: 6.5, statements: 0.5, commits: 0.1, serialised: 100 },
} as const satisfies Record<string, Partial<Counted>>
type Walk = keyof typeof limits
const walks = ['commands', 'helps', 'presses'] as const satisfies readonly Walk[]
const words: Readonly<Record<Walk, string>> = { commands: 'a command', helps: 'help', presses: 'a link' }

const kinds = ['promises', 'timers', 'contexts', 'statements', 'commits', 'serialised'] as const
const times = 20
/** What the bot does by itself falls into some of them, and only adds to them. */
const rounds = 5

async function countedOnce({ server, load }: Actor, walk: Walk) {
  await countedBy(server)
  await load[walk](times, 1)
  return countedBy(server)
}

/** The least of several rounds, for one. */
async function leastOf(actor: Actor, walk: Walk) {
  const all: Readonly<Counted>[] = []
  for (let round = 0; round < rounds; round += 1) all.push(await countedOnce(actor, walk))
  return kinds.map((kind) => [kind, Math.min(...all.map((counted) => counted[kind])) / times] as const)
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
    for (const walk of walks) {
      for (const [kind, count] of await leastOf(actor, walk)) {
        const most = limits[walk][kind]
        if (count > most) over.push(`${words[walk]} takes ${count} ${kind}, at most ${most}`)
      }
    }
    expect(over).toEqual([])
  } finally {
    await stage.close()
  }
}, 300_000)
