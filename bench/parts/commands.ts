// Part of the bench: what a command costs from end to end: verified, acked, the alert read, its card and its thread
// posted; and the memory of a bot at rest and after so many of them.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { rssMbOf, untilQuiet } from '../process-figures.ts'
import type { Recipe } from '../servers/server.ts'
import { type Actor, openStage } from '../stage.ts'
import { people } from '../stand-ins/names.ts'

export interface CommandsPlan {
  readonly rounds: number
  /** To each bot before anything is timed, and in each round. */
  readonly commands: number
  /** After so many commands in all, each a whole number of rounds, memory is looked at. */
  readonly memoryAfter: readonly number[]
}

const atATime = 10

export async function measureCommands(
  { rounds, commands, memoryAfter }: CommandsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('commands')
  const stage = await openStage({ cores })

  async function noteMemory(what: string, { name, server }: Actor): Promise<void> {
    await untilQuiet(server.pid)
    note(what, name, 'MB', rssMbOf(server.pid))
  }
  async function startAndRest(recipe: Recipe): Promise<Actor> {
    const actor = await stage.start(recipe)
    await noteMemory('memory at rest', actor)
    return actor
  }

  try {
    const actors: Actor[] = []
    for (const recipe of await stage.recipesBeside('bolt-guide'))
      actors.push(await startAndRest(recipe))
    await stage.end(await startAndRest(stage.recipeOf('bolt-ack')))
    for (const { load } of actors) await load.commands(commands, atATime)
    for (let round = 1; round <= rounds; round += 1) {
      const sent = (round + 1) * commands
      for (const actor of actors) {
        const { name, load } = actor
        const { count, seconds, cpuMs, benchMs } = await load.commands(commands, atATime)
        note('commands', name, '/s', count / seconds)
        note('CPU of a command', name, 'ms', cpuMs)
        note('CPU of load and stand-ins, a command', name, 'ms', benchMs)
        const words = `memory after ${sent.toLocaleString('en')} commands`
        if (memoryAfter.includes(sent)) await noteMemory(words, actor)
      }
    }
    stage.books.add()
  } finally {
    await stage.close()
  }
  remark(
    `Commands: \`/alert <key>\`, every key new, ${people.length} people, ${atATime} at a time, stand-ins without latency. Memory: resident.`,
  )
  return measured()
}
